import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publicRun } from '../../../src/store/runs.ts'
import { type MadeService, serveMade } from '../../support/made-service.ts'
import { itemsOf, walkPages } from '../../support/walk.ts'

/** The small endpoints that tell about the registry itself. */

const NOW = '2026-06-30T12:00:00.000Z'

let service: MadeService

beforeAll(async () => {
  service = await serveMade(
    {
      seed: 18,
      territories: ['ES-MD', 'ES-CT', 'ES-PV'],
      records: 20,
      runs: 14,
      changesPerRun: 5,
      towns: 5,
      start: '2026-06-12T06:00:00.000Z',
    },
    NOW,
  )
})
afterAll(() => service.close())

describe('/v1/farmacias/territories', () => {
  const PATH = '/v1/farmacias/territories'

  function item(code: string) {
    const territory = service.made.state.territories[code]
    return {
      territory_code: code,
      loaded: true,
      baseline_incremental_start_at: '2026-06-12T06:00:00.000Z',
      last_checked_at: territory?.last_checked_at,
      last_changed_at: territory?.last_changed_at,
      active: territory?.active,
      inactive: territory?.inactive,
      source_slug: territory?.source_slug,
    }
  }

  it('200: every loaded territory by code', async () => {
    const { body } = await service.get(PATH)
    expect(body).toEqual({ items: ['ES-CT', 'ES-MD', 'ES-PV'].map(item) })
  })

  it('200: a scoped key sees its own, those not loaded yet too', async () => {
    const key = await service.key(['ES-ZZ', 'ES-CT'])
    const { body } = await service.get(PATH, { key })
    const notLoaded = {
      territory_code: 'ES-ZZ',
      loaded: false,
      baseline_incremental_start_at: null,
      last_checked_at: null,
      last_changed_at: null,
      active: 0,
      inactive: 0,
      source_slug: null,
    }
    expect(body).toEqual({ items: [item('ES-CT'), notLoaded] })
  })

  it('304: until something moved; another scope has another tag', async () => {
    const first = await service.get(PATH)
    const headers = { 'If-None-Match': first.headers.get('etag') as string }
    expect((await service.get(PATH, { headers })).status).toBe(304)
    const key = await service.key(['ES-CT', 'ES-MD', 'ES-PV'])
    expect((await service.get(PATH, { headers, key })).status).toBe(200)
  })

  it('400: it takes no parameters', async () => {
    const answer = await service.get(`${PATH}?territories=ES-MD`)
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ parameter: 'territories' }] } })
  })
})

describe('/v1/farmacias/loads', () => {
  const PATH = '/v1/farmacias/loads'

  const journal = (territory?: string) =>
    service.made.stored.runs
      .filter(({ territory_code }) => !territory || territory_code === territory)
      .map(publicRun)
      .reverse()

  it.each([1, 5, 17, 19, 500])('200: the journal newest first, pages of %i', async (limit) => {
    const pages = await walkPages(service, `${PATH}?limit=${limit}`)
    expect(itemsOf(pages)).toEqual(journal())
    expect(pages.length).toBe(Math.ceil(journal().length / limit))
  })

  it('200: within the territories asked for, and within the scope', async () => {
    const asked = await walkPages(service, `${PATH}?territories=ES-MD&limit=2`)
    expect(itemsOf(asked)).toEqual(journal('ES-MD'))
    const key = await service.key(['ES-CT'])
    expect(itemsOf(await walkPages(service, PATH, { key }))).toEqual(journal('ES-CT'))
  })

  it('400: a cursor of other filters', async () => {
    const { body } = await service.get(`${PATH}?limit=1`)
    const answer = await service.get(`${PATH}?territories=ES-MD&cursor=${body.next_cursor}`)
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ parameter: 'cursor' }] } })
  })

  it('403: a territory outside the scope', async () => {
    const key = await service.key(['ES-CT'])
    expect((await service.get(`${PATH}?territories=ES-MD`, { key })).status).toBe(403)
  })
})

describe('/v1/key', () => {
  it('200: scope, expiry and rate limit of the caller', async () => {
    const all = await service.get('/v1/key')
    expect(all.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{12}$/),
      name: 'prueba',
      territories: null,
      expires_at: null,
      rate_limit: null,
    })
    const scoped = await service.get('/v1/key', { key: await service.key(['ES-PV', 'ES-CT']) })
    expect(scoped.body.territories).toEqual(['ES-CT', 'ES-PV'])
  })
})

describe('/health', () => {
  it('200: live and ready without a key', async () => {
    for (const probe of ['live', 'ready']) {
      const answer = await service.get(`/health/${probe}`, { key: '' })
      expect(answer).toMatchObject({ status: 200, body: { status: 'ok' } })
    }
  })

  it('503: not ready without a registry, but alive', async () => {
    await service.db.client.delete({ index: service.db.alias('state'), id: 'registry' })
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const ready = await service.get('/health/ready', { key: '' })
    expect(ready).toMatchObject({ status: 503, body: { code: 'store_unavailable' } })
    expect((await service.get('/health/live', { key: '' })).status).toBe(200)
    await service.setState(service.made.state)
  })
})
