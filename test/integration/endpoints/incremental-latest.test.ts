import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { matching } from '../../support/brute-force.ts'
import type { MadeEvent } from '../../support/made-registry.ts'
import { type MadeService, serveMade } from '../../support/made-service.ts'

const NOW = '2026-06-30T12:00:00.000Z'
const BASELINE = '2026-06-12T06:00:00.000Z'
const PATH = '/v1/farmacias/incremental/latest'
const DAY_MS = 86_400_000

let service: MadeService

beforeAll(async () => {
  service = await serveMade(
    {
      seed: 14,
      territories: ['ES-MD', 'ES-CT', 'ES-PV'],
      records: 500,
      runs: 30,
      changesPerRun: 300,
      towns: 30,
      start: BASELINE,
    },
    NOW,
  )
})
afterAll(() => service.close())

const daysBack = (days: number) => new Date(Date.parse(NOW) - days * DAY_MS).toISOString()

function answerOf(
  window: string,
  from: string,
  { territory, scope, limit = 50 }: { territory?: string; scope?: string[]; limit?: number } = {},
) {
  const territories = territory ? [territory] : scope
  const events = matching(service.made, { from, to: NOW, ...(territories ? { territories } : {}) })
  const of = (...types: string[]) => events.filter(({ event_type: type }) => types.includes(type))
  return {
    window,
    from,
    to: NOW,
    territory_code: territory ?? null,
    baseline_incremental_start_at: BASELINE,
    counts: {
      opened: of('opened').length,
      closed_total: of('closed_hard', 'closed_soft').length,
      closed_hard: of('closed_hard').length,
      closed_soft: of('closed_soft').length,
      relocated: of('relocated').length,
    },
    items: {
      opened: of('opened').slice(0, limit).map(item),
      closed: of('closed_hard', 'closed_soft')
        .slice(0, limit)
        .map((event) => ({ ...item(event), closure_kind: event.event_type })),
      relocated: of('relocated')
        .slice(0, limit)
        .map((event) => ({ ...item(event), old: event.old_location, new: event.new_location })),
    },
  }
}

function item(event: MadeEvent) {
  return {
    external_id: event.external_id,
    name: event.name,
    territory_code: event.territory_code,
    ...(event.new_location ?? event.old_location),
    occurred_at: event.occurred_at,
  }
}

describe('200', () => {
  it('without parameters: the last seven days, fifty of each kind', async () => {
    const answer = await service.get(PATH)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(answerOf('7d', daysBack(7)))
    expect(answer.body.items.closed.length).toBe(50)
  })

  it('counts are exact whatever limit_per_type is', async () => {
    const answer = await service.get(`${PATH}?window=15d&limit_per_type=1`)
    expect(answer.body).toEqual(answerOf('15d', daysBack(15), { limit: 1 }))
    expect(answer.body.counts.closed_total).toBeGreaterThan(500)
  })

  it('limit_per_type at its maximum', async () => {
    const answer = await service.get(`${PATH}?window=60d&limit_per_type=500`)
    expect(answer.body).toEqual(answerOf('60d', daysBack(60), { limit: 500 }))
  })

  it('all begins at the baseline of the filter', async () => {
    const answer = await service.get(`${PATH}?window=all&territory_code=ES-PV`)
    expect(answer.body).toEqual(answerOf('all', BASELINE, { territory: 'ES-PV' }))
  })

  it('a territory never loaded is empty, and all begins where it ends', async () => {
    const answer = await service.get(`${PATH}?window=all&territory_code=ES-ZZ`)
    expect(answer.body).toEqual({
      ...empty('all', NOW),
      territory_code: 'ES-ZZ',
    })
  })

  it('the scope of a key limits the result', async () => {
    const key = await service.key(['ES-CT', 'ES-MD'])
    const answer = await service.get(`${PATH}?window=30d`, { key })
    expect(answer.body).toEqual(answerOf('30d', daysBack(30), { scope: ['ES-CT', 'ES-MD'] }))
  })

  it('a territory outside the scope gives 200 with nothing in it', async () => {
    const key = await service.key(['ES-CT'])
    const answer = await service.get(`${PATH}?territory_code=ES-MD`, { key })
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({ ...empty('7d', daysBack(7)), territory_code: 'ES-MD' })
  })

  it('api.md row 31: counts are those of the listing', async () => {
    const { body } = await service.get(`${PATH}?window=15d`)
    const listing = await service.get(`/v1/farmacias/business-events/summary?days=15`)
    const countOf = (type: string) =>
      listing.body.items.find(({ key }: { key: string }) => key === type).count
    expect(body.counts).toEqual({
      opened: countOf('opened'),
      closed_total: countOf('closed_hard') + countOf('closed_soft'),
      closed_hard: countOf('closed_hard'),
      closed_soft: countOf('closed_soft'),
      relocated: countOf('relocated'),
    })
  })
})

function empty(window: string, from: string) {
  return {
    window,
    from,
    to: NOW,
    territory_code: null,
    baseline_incremental_start_at: null,
    counts: { opened: 0, closed_total: 0, closed_hard: 0, closed_soft: 0, relocated: 0 },
    items: { opened: [], closed: [], relocated: [] },
  }
}

describe('304', () => {
  it('a dashboard that polls gets 304 until something changed', async () => {
    const first = await service.get(PATH)
    const headers = { 'If-None-Match': first.headers.get('etag') as string }
    expect((await service.get(PATH, { headers })).status).toBe(304)
    service.clock.now = '2026-06-30T12:00:45.000Z'
    expect((await service.get(PATH, { headers })).status).toBe(304)
    service.clock.now = NOW
    const other = await service.key(['ES-CT', 'ES-MD', 'ES-PV'])
    expect((await service.get(PATH, { key: other, headers })).status).toBe(200)
  })
})

describe('400', () => {
  it.each([
    ['window=8d', 'window'],
    ['limit_per_type=501', 'limit_per_type'],
    ['limit_per_type=0', 'limit_per_type'],
    ['territory_code=MD', 'territory_code'],
    ['territories=ES-MD', 'territories'],
  ])('%s names %s', async (query, parameter) => {
    const answer = await service.get(`${PATH}?${query}`)
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ parameter }] } })
  })
})
