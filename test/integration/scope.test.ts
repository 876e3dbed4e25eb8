import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../src/domain/event.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { endpoints } from '../../src/http/routes.ts'
import { slugOf } from '../support/made-documents.ts'
import { CITIES, type MadePlace, PROVINCES } from '../support/made-places.ts'
import { type MadeService, serveMade } from '../support/made-service.ts'
import type { Got } from '../support/service.ts'

/**
 * Whatever a key asks of whatever endpoint there is, it learns nothing about a territory outside its scope. Requests
 * are dealt from the endpoints' own schemas, so that an endpoint to come is asked as well.
 */

const NOW = '2026-06-30T12:00:00.000Z'
const TERRITORIES = ['ES-MD', 'ES-CT', 'ES-PV', 'ES-GA']
/** well-formed and never loaded */
const UNLOADED = 'ES-IB'
const SCOPES = [['ES-MD'], ['ES-CT', 'ES-PV'], ['ES-GA', UNLOADED], [UNLOADED]]
const REQUESTS_PER_ENDPOINT = 25

let service: MadeService
const keys = new Map<readonly string[], string>()

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
  for (const scope of SCOPES) keys.set(scope, await service.key(scope))
})
afterAll(() => service.close())

const instant = fc
  .integer({ min: Date.parse('2026-06-10T00:00:00Z'), max: Date.parse('2026-06-29T00:00:00Z') })
  .map((ms) => new Date(ms).toISOString())
const askedOf = (places: readonly MadePlace[]) =>
  fc.constantFrom(...places.flatMap(({ asked }) => asked))
const limit = fc.integer({ min: 1, max: 60 }).map(String)
const territory = fc.constantFrom(...TERRITORIES, UNLOADED)

/** Good values by the name of a parameter, the same on every endpoint that has it. */
const VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  from: instant,
  since: instant,
  as_of: instant,
  days: fc.integer({ min: 1, max: 60 }).map(String),
  territories: fc.uniqueArray(territory, { minLength: 1, maxLength: 3 }).map(String),
  territory_code: territory,
  external_id: fc.constantFrom('00002', 'B-7', '00012', 'unknown'),
  event_types: fc.uniqueArray(fc.constantFrom(...EVENT_TYPES), { minLength: 1 }).map(String),
  group_by: fc.constantFrom('event_type', 'territory', 'province', 'city'),
  interval: fc.constantFrom('day', 'week'),
  window: fc.constantFrom('7d', '15d', '30d', 'all'),
  active_only: fc.constantFrom('true', 'false'),
  limit,
  limit_per_type: limit,
  ...Object.fromEntries(['city', 'old_city', 'new_city'].map((name) => [name, askedOf(CITIES)])),
  ...Object.fromEntries(
    ['province', 'old_province', 'new_province'].map((name) => [name, askedOf(PROVINCES)]),
  ),
}

interface Asked {
  path: string
  /** territories that the request names */
  named: readonly string[]
}

interface ObjectSchema {
  properties?: Record<string, unknown>
  required?: readonly string[]
}

/** A sound request of an endpoint: needed parameters always, the others by chance, and some never. */
function request(endpoint: Endpoint, never: readonly string[] = []): fc.Arbitrary<Asked> {
  const schema = endpoint.querySchema as ObjectSchema
  const needed = Object.keys(schema.properties ?? {}).filter((name) => isNeeded(name, schema))
  const possible = Object.keys(schema.properties ?? {}).filter(
    (name) => needed.includes(name) || (VALUES[name] && !never.includes(name)),
  )
  const inPath = [...endpoint.path.matchAll(/:([a-z_]+)/g)].map(([, name]) => name as string)
  const query = fc.record(pick(endpoint, possible), { requiredKeys: needed })
  return fc.record({ query, path: fc.record(pick(endpoint, inPath)) }).map((dealt) => {
    const asked = new URLSearchParams(dealt.query as Record<string, string>).toString()
    const path = endpoint.path.replace(/:([a-z_]+)/g, (_all, name) => dealt.path[name] ?? '')
    const named = [dealt.path.territory_code, dealt.query.territory_code, dealt.query.territories]
    return {
      path: asked === '' ? path : `${path}?${asked}`,
      named: named.flatMap((text) => text?.split(',') ?? []),
    }
  })
}

function pick(endpoint: Endpoint, names: readonly string[]): Record<string, fc.Arbitrary<string>> {
  return Object.fromEntries(
    names.map((name) => {
      const values = VALUES[name]
      if (!values) throw new Error(`${endpoint.name} needs ${name}: say in VALUES how to ask it`)
      return [name, values]
    }),
  )
}

/** A parameter with a default is "required" in the schema, and may be left out all the same. */
function isNeeded(name: string, { properties = {}, required = [] }: ObjectSchema): boolean {
  return required.includes(name) && !('default' in (properties[name] as object))
}

/** What gives away a territory outside the scope: its code, its source, its runs. */
function foreignMarks(scope: readonly string[], named: readonly string[]): string[] {
  const foreign = TERRITORIES.filter((code) => !scope.includes(code))
  const runs = service.made.runs.filter((run) => foreign.includes(run.territory))
  return [
    ...foreign.filter((code) => !named.includes(code)),
    ...foreign.map(slugOf),
    ...runs.map(({ run_id }) => run_id),
  ]
}

function expectNothingForeign({ text }: Got, scope: readonly string[], asked: Asked): void {
  const found = foreignMarks(scope, asked.named).filter((mark) => text.includes(mark))
  expect(found, asked.path).toEqual([])
}

/** A body without what follows from the way it was asked: a cursor knows the parameters it was made with. */
function content(body: Record<string, unknown>): unknown {
  const { next_cursor, territory_code: _code, ...rest } = body
  return { ...rest, hasNext: typeof next_cursor === 'string' || typeof next_cursor === 'number' }
}

const NO_COUNTS = { opened: 0, closed_total: 0, closed_hard: 0, closed_soft: 0, relocated: 0 }

describe.each(endpoints)('$name', { timeout: 180_000 }, (endpoint) => {
  const isAddressed = endpoint.path.includes(':territory_code')
  const isListing = 'territories' in ((endpoint.querySchema as ObjectSchema).properties ?? {})
  const isIncremental = endpoint.name === 'latestIncremental'

  const hold = (
    requests: fc.Arbitrary<Asked>,
    property: (asked: Asked, scope: readonly string[]) => Promise<void>,
  ) =>
    fc.assert(fc.asyncProperty(requests, fc.constantFrom(...SCOPES), property), {
      numRuns: REQUESTS_PER_ENDPOINT,
      endOnFailure: true,
    })

  test('a scoped key is refused what it names outside its scope, and never sees the rest', () =>
    hold(request(endpoint), async (asked, scope) => {
      // The same request with a wider scope first: nothing remembered of it may show.
      await service.get(asked.path)
      const got = await service.get(asked.path, { key: keys.get(scope) ?? '' })
      expectNothingForeign(got, scope, asked)
      const isForeign = asked.named.some((code) => !scope.includes(code))
      if (isForeign && isIncremental) {
        expect(got.status, asked.path).toBe(200)
        expect(got.body).toMatchObject({
          baseline_incremental_start_at: null,
          counts: NO_COUNTS,
          items: { opened: [], closed: [], relocated: [] },
        })
      } else if (isForeign) {
        // Before 404 and 503: a key does not even learn whether the territory is loaded.
        expect(got, asked.path).toMatchObject({
          status: 403,
          body: { code: 'forbidden_territory' },
        })
      } else {
        expect(isAddressed ? [200, 404, 503] : [200], `${asked.path}: ${got.text}`).toContain(
          got.status,
        )
      }
    }))

  if (isListing || isIncremental)
    test('without a name the scope limits silently, as naming its territories would', () =>
      hold(request(endpoint, ['territories', 'territory_code']), async (asked, scope) => {
        const loaded = scope.filter((code) => code !== UNLOADED)
        // There is no way to name none, and only one for the incremental feed.
        if (loaded.length === 0 || (isIncremental && loaded.length > 1)) return
        const parameter = isIncremental ? 'territory_code' : 'territories'
        const separator = asked.path.includes('?') ? '&' : '?'
        const wide = await service.get(`${asked.path}${separator}${parameter}=${loaded}`)
        const scoped = await service.get(asked.path, { key: keys.get(scope) ?? '' })
        expect([wide.status, scoped.status], asked.path).toEqual([200, 200])
        expect(content(scoped.body), asked.path).toEqual(content(wide.body))
      }))

  if ('cursor' in ((endpoint.querySchema as ObjectSchema).properties ?? {}))
    test('a cursor made by another key shows only what the scope of this one permits', async () => {
      const since = endpoint.name === 'listChanges' ? '&since=2026-01-01T00:00:00Z' : ''
      const path = `${endpoint.path}?limit=5${since}`
      const { body } = await service.get(path)
      expect(body.next_cursor).not.toBe(null)
      for (const scope of SCOPES) {
        const next = `${path}&cursor=${encodeURIComponent(body.next_cursor)}`
        const got = await service.get(next, { key: keys.get(scope) ?? '' })
        expect(got.status).toBe(200)
        expectNothingForeign(got, scope, { path: next, named: [] })
      }
    })
})
