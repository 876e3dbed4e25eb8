import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../src/domain/event.ts'
import { endpoints } from '../../src/http/routes.ts'
import { CITIES, PROVINCES } from '../support/made-places.ts'
import { type MadeService, serveMade } from '../support/made-service.ts'
import type { Got } from '../support/service.ts'

const NOW = '2026-06-30T12:00:00.000Z'
const TERRITORIES = ['ES-MD', 'ES-CT', 'ES-PV', 'ES-GA'] as const
/** well-formed and never loaded */
const UNLOADED = 'ES-IB'

let service: MadeService
const keys = new Map<string, string>()

beforeAll(async () => {
  service = await serveMade(
    {
      seed: 31,
      territories: TERRITORIES,
      records: 40,
      runs: 24,
      changesPerRun: 20,
      towns: 5,
      start: '2026-06-12T06:00:00.000Z',
    },
    NOW,
  )
  for (const scope of SCOPES) keys.set(scope.join(), await service.key(scope))
})
afterAll(() => service.close())

const SCOPES: readonly (readonly string[])[] = [
  ['ES-MD'],
  ['ES-CT', 'ES-PV'],
  ['ES-MD', UNLOADED],
  [UNLOADED],
]

/** One request with the parts that its endpoint's rules are about. */
interface Asked {
  path: string
  query: Record<string, string>
  /** territories that the request names */
  named: readonly string[]
}

const anyTerritory = fc.constantFrom(...TERRITORIES, UNLOADED)
const someTerritories = fc.uniqueArray(anyTerritory, { minLength: 1, maxLength: 3 })
const instant = fc
  .integer({ min: Date.parse('2026-06-10T00:00:00Z'), max: Date.parse('2026-06-29T00:00:00Z') })
  .map((ms) => new Date(ms).toISOString())
const limit = fc.integer({ min: 1, max: 60 }).map(String)
const place = (places: typeof CITIES) => fc.constantFrom(...places.flatMap(({ asked }) => asked))
const city = place(CITIES)
const province = place(PROVINCES)
const eventTypes = fc.uniqueArray(fc.constantFrom(...EVENT_TYPES), { minLength: 1 }).map(String)

type Parts = Record<string, fc.Arbitrary<string>>

/** A listing with `territories`, of which chance leaves parameters out. */
function listing(path: string, optional: Parts, always: Parts = {}): fc.Arbitrary<Asked> {
  return fc
    .record({
      always: fc.record(always),
      query: fc.record(optional, { requiredKeys: [] }),
      territories: fc.option(someTerritories),
    })
    .map((dealt) => ({
      path,
      query: {
        ...dealt.always,
        ...dealt.query,
        ...(dealt.territories ? { territories: dealt.territories.join() } : {}),
      },
      named: dealt.territories ?? [],
    }))
}

/** An address that names one territory. */
function addressed(pathOf: (territory: string) => string, optional: Parts = {}): fc.Arbitrary<Asked> {
  return fc
    .record({ territory: anyTerritory, query: fc.record(optional, { requiredKeys: [] }) })
    .map(({ territory, query }) => ({ path: pathOf(territory), query, named: [territory] }))
}

const WINDOW = { from: instant, days: fc.integer({ min: 1, max: 60 }).map(String) }
const EVENTS = { ...WINDOW, event_types: eventTypes, province, city }

/** How to ask each endpoint of routes.ts; the first test sees to it that none is forgotten. */
const ASKING: Readonly<Record<string, fc.Arbitrary<Asked>>> = {
  listBusinessEvents: listing('/v1/farmacias/business-events', { ...EVENTS, limit }),
  summarizeBusinessEvents: listing('/v1/farmacias/business-events/summary', {
    ...EVENTS,
    group_by: fc.constantFrom('event_type', 'territory', 'province', 'city'),
    interval: fc.constantFrom('day', 'week'),
  }),
  listRelocations: listing('/v1/farmacias/relocations', {
    ...WINDOW,
    old_city: city,
    new_province: province,
    limit,
  }),
  latestIncremental: fc
    .record({
      query: fc.record(
        {
          window: fc.constantFrom('7d', '15d', '30d', 'all'),
          territory_code: anyTerritory,
          limit_per_type: limit,
        },
        { requiredKeys: [] },
      ),
    })
    .map(({ query }) => ({
      path: '/v1/farmacias/incremental/latest',
      query: query as Record<string, string>,
      named: query.territory_code ? [query.territory_code] : [],
    })),
  listChanges: listing('/v1/farmacias/changes', { limit, cursor: fc.nat(700).map(String) }, { since: instant }),
  exportCsv: addressed((code) => `/v1/farmacias/export/${code}/csv`, { active_only: fc.constant('true') }),
  exportJson: addressed((code) => `/v1/farmacias/export/${code}/json`, { as_of: instant }),
  listTerritories: fc.constant({ path: '/v1/farmacias/territories', query: {}, named: [] }),
  listLoads: listing('/v1/farmacias/loads', { limit }),
  showPharmacy: addressed((code) => `/v1/farmacias/pharmacies/${code}/00002`, { as_of: instant }),
  showKey: fc.constant({ path: '/v1/key', query: {}, named: [] }),
  checkLive: fc.constant({ path: '/health/live', query: {}, named: [] }),
  checkReady: fc.constant({ path: '/health/ready', query: {}, named: [] }),
}
