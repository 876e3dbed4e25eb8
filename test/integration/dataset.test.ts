import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Pharmacy } from '../../src/domain/pharmacy.ts'
import { openDataset, type PageSizes, parseRecord } from '../../src/store/dataset.ts'
import type { VersionDocument } from '../../src/store/documents.ts'
import { pinOf } from '../../src/store/state.ts'
import { type MadeService, serveMade } from '../support/made-service.ts'

/** A registry whose records are read in pages of a few, so that pages end everywhere. */

const TERRITORIES = ['ES-MD', 'ES-CT']
/** Has many ids among the lower ones of the others. */
const CROWD = 'ES-PV'
const NEVER = new AbortController().signal

let service: MadeService
beforeAll(async () => {
  service = await serveMade(
    {
      seed: 5,
      territories: TERRITORIES,
      records: 120,
      runs: 10,
      changesPerRun: 30,
      towns: 5,
      start: '2026-06-12T06:00:00.000Z',
    },
    '2026-06-30T12:00:00.000Z',
  )
  const { db, made } = service
  const crowd = made.stored.pharmacies
    .filter(({ external_id: id }) => id < '00050')
    .flatMap((version) => Array.from({ length: 9 }, (_, n) => crowding(version, n)))
  await db.client.bulk({
    index: db.alias('pharmacies'),
    operations: crowd.flatMap((document) => [{ index: {} }, document]),
    refresh: true,
  })
})
afterAll(() => service.close())

function crowding(version: VersionDocument, n: number): VersionDocument {
  return { ...version, territory_code: CROWD, external_id: `${version.external_id}","${n}["` }
}

describe.each<PageSizes>([
  { page: 1, large: 0 },
  { page: 2, large: 0 },
  { page: 7, large: 0 },
  { page: 40, large: 0 },
  { page: 40, large: 100 },
  { page: 5_000, large: 0 },
  { page: 40, large: 10_000 },
])('in pages of $page, between two ids beyond $large records', (sizes) => {
  it.each(TERRITORIES)('%s has its records at every committed run, by code point', async (code) => {
    const { db, made } = service
    const runs = made.runs.filter((run) => run.territory === code && run.fate === 'committed')
    expect(runs.length).toBeGreaterThan(1)
    for (const { run } of [runs[0], runs.at(-1)] as { run: number }[]) {
      const pin = { ...pinOf(made.state), run }
      const all = made.datasets.get(run) as Pharmacy[]
      for (const activeOnly of [false, true]) {
        const asked = { criteria: { territory: code, activeOnly }, pin }
        const { count, batches } = await openDataset(db, asked, NEVER, sizes)
        const found: Pharmacy[] = []
        for await (const batch of batches) found.push(...batch.map(parseRecord))
        const expected = activeOnly ? all.filter((record) => record.is_active) : all
        expect(found).toEqual(expected)
        expect(count).toBe(expected.length)
      }
    }
  })
})

describe('what Elasticsearch is asked for', () => {
  /** How each page was asked for, and how many hints. */
  async function askedFor(sizes: PageSizes, territory = 'ES-MD') {
    const { db, made } = service
    const pages: ('between' | 'after' | 'first')[] = []
    let hints = 0
    const note = (_error: unknown, event: { meta: { request: { params: Request } } } | null) => {
      const { path, body } = event?.meta.request.params ?? {}
      if (path?.endsWith('/_terms_enum')) hints += 1
      if (!path?.endsWith('/_search')) return
      pages.push(howAsked(String(body)))
    }
    db.client.diagnostic.on('request', note as never)
    try {
      const asked = { criteria: { territory, activeOnly: false }, pin: pinOf(made.state) }
      for await (const _batch of (await openDataset(db, asked, NEVER, sizes)).batches);
    } finally {
      db.client.diagnostic.off('request', note as never)
    }
    return { pages, hints }
  }

  interface Request {
    path?: string
    body?: unknown
  }

  function howAsked(body: string) {
    if (body.includes('"lte"') && body.includes('"external_id":{"gt"')) return 'between'
    return body.includes('search_after') ? 'after' : 'first'
  }

  it('no hint, where looking through all costs nothing', async () => {
    const { pages, hints } = await askedFor({ page: 100, large: 50_000 })
    expect(hints).toBe(0)
    expect(new Set(pages)).toEqual(new Set(['first', 'after']))
  })

  it('pages between two ids of a large territory, and after one where its ids are few among others', async () => {
    const { pages, hints } = await askedFor({ page: 10, large: 0 })
    const between = pages.filter((page) => page === 'between').length
    expect(between).toBeGreaterThan(5)
    // The crowd, and the end.
    expect(pages.filter((page) => page === 'after').length).toBeGreaterThan(1)
    expect(hints).toBeGreaterThanOrEqual(between)
  })

  it('nothing but one page of a territory that is empty', async () => {
    expect(await askedFor({ page: 20, large: 0 }, 'ES-GA')).toEqual({ pages: ['first'], hints: 0 })
  })
})
