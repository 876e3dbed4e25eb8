import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Pharmacy } from '../../src/domain/pharmacy.ts'
import {
  openDataset,
  type PageSizes,
  parseRecord,
  type RecordJson,
} from '../../src/store/dataset.ts'
import type { VersionDocument } from '../../src/store/documents.ts'
import { pinOf } from '../../src/store/state.ts'
import { visibleVersions } from '../../src/store/visible.ts'
import { openVersion } from '../support/made-documents.ts'
import { type MadeService, serveMade } from '../support/made-service.ts'

/** A registry whose records are read in pages of a few, so that pages end everywhere. */

const TERRITORIES = ['ES-MD', 'ES-CT']
/** Have many ids among the lower ones of the others. */
const CROWD = 'ES-PV'
const CROWDED = 'ES-AR'
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
    .filter(({ territory_code: code, external_id: id }) => code === 'ES-MD' && id < '00090')
    .flatMap((version) => Array.from({ length: 9 }, (_, n) => crowding(version, n)))
  await db.client.bulk({
    index: db.alias('pharmacies'),
    operations: crowd.flatMap((document) => [{ index: {} }, document]),
    refresh: true,
  })
})
afterAll(() => service.close())

async function allOf(batches: AsyncIterable<readonly RecordJson[]>): Promise<Pharmacy[]> {
  return (await Array.fromAsync(batches, (batch) => batch.map(parseRecord))).flat()
}

/** Each id with nine more after it, of which only the first is of the territory that is crowded. */
function crowding(version: VersionDocument, n: number): VersionDocument {
  const territory_code = n === 0 ? CROWDED : CROWD
  return { ...version, territory_code, external_id: `${version.external_id}","${n}["` }
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
  it.each(TERRITORIES)(
    '%s has its records at its first and last committed run, by code point',
    async (code) => {
      const { db, made } = service
      const runs = made.runs.filter((run) => run.territory === code && run.fate === 'committed')
      expect(runs.length).toBeGreaterThan(1)
      for (const { run } of [runs[0], runs.at(-1)] as { run: number }[]) {
        const pin = { ...pinOf(made.state), run }
        const all = made.datasets.get(run) as Pharmacy[]
        for (const activeOnly of [false, true]) {
          const asked = { criteria: { territory: code, activeOnly }, pin, sizes }
          const { count, batches } = await openDataset(db, asked, NEVER)
          const found = await allOf(batches)
          const expected = activeOnly ? all.filter((record) => record.is_active) : all
          expect(found).toEqual(expected)
          expect(count).toBe(expected.length)
        }
      }
    },
  )
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
      if (path?.endsWith('/_search')) pages.push(howAsked(String(body)))
    }
    db.client.diagnostic.on('request', note as never)
    try {
      const criteria = { territory, activeOnly: false }
      const { batches } = await openDataset(db, { criteria, pin: pinOf(made.state), sizes }, NEVER)
      await allOf(batches)
    } finally {
      db.client.diagnostic.off('request', note as never)
    }
    return { pages, hints, times: (how: string) => pages.filter((page) => page === how).length }
  }

  interface Request {
    path?: string
    body?: unknown
  }

  function howAsked(body: string) {
    if (body.includes('"external_id":{"gt"')) return 'between'
    return body.includes('search_after') ? 'after' : 'first'
  }

  it('no hint, where looking through all costs nothing', async () => {
    const { hints, times } = await askedFor({ page: 100, large: 50_000 })
    expect(hints).toBe(0)
    expect([times('first'), times('after')]).toEqual([1, 2])
  })

  it('pages between two ids of a large territory, and others where its ids are few among many', async () => {
    const { pages, hints, times } = await askedFor({ page: 10, large: 0 })
    expect(times('between')).toBeGreaterThan(5)
    // The crowd, and the end.
    expect(times('after')).toBeGreaterThan(1)
    expect(hints).toBeLessThan(pages.length)
  })

  it('hardly a hint, where its ids are few among many for long', async () => {
    const { hints, times } = await askedFor({ page: 1, large: 0 }, CROWDED)
    expect(times('after')).toBeGreaterThan(40)
    expect(hints).toBeLessThan(8)
  })

  it('one page of what fits in one', async () => {
    expect(await askedFor({ page: 5_000, large: 0 })).toMatchObject({ pages: ['first'], hints: 0 })
  })

  it('one page of a territory that is empty', async () => {
    const { pages, hints } = await askedFor({ page: 20, large: 0 }, 'ES-GA')
    expect([pages, hints]).toEqual([['first'], 0])
  })
})

describe('while it is read', () => {
  const criteria = { territory: 'ES-CT', activeOnly: false }
  const sizes = { page: 7, large: 0 }

  /** Reads the first page, does something with the record that comes last, and gives the rest. */
  async function readingWhile(happens: (version: Place, last: Pharmacy) => Promise<unknown>) {
    const { db, made } = service
    const pin = pinOf(made.state)
    const run = made.state.territories['ES-CT']?.last_run as number
    const records = made.datasets.get(run) as Pharmacy[]
    const { batches } = await openDataset(db, { criteria, pin, sizes }, NEVER)
    const reading = batches[Symbol.asyncIterator]()
    const first = (await reading.next()).value.map(parseRecord)
    expect(first).toEqual(records.slice(0, sizes.page))
    const last = records.at(-1) as Pharmacy
    const { territory_code, external_id } = last
    const filter = [
      { term: { territory_code } },
      { term: { external_id } },
      ...visibleVersions(pin),
    ]
    const { hits } = await db.client.search({
      index: db.alias('pharmacies'),
      query: { bool: { filter } },
    })
    const { _index: index, _id: id } = hits.hits[0] as { _index: string; _id: string }
    await happens({ index, id, refresh: true }, last)
    return { records, rest: () => allOf({ [Symbol.asyncIterator]: () => reading }) }
  }
  type Place = { index: string; id: string; refresh: true }

  it('what a later run ends and begins is not seen', async () => {
    const { db, made } = service
    const index = db.alias('pharmacies')
    const later = made.state.next_run
    const { records, rest } = await readingWhile(async (version, last) => {
      await db.client.update({ ...version, doc: { to_run: later } })
      const begun = openVersion({ ...last, external_id: `${last.external_id}0` }, later)
      await db.client.index({ index, document: begun, refresh: true })
    })
    expect(await rest()).toEqual(records.slice(sizes.page))
  })

  it('it fails when not all of it came', async () => {
    const { records, rest } = await readingWhile((version) => service.db.client.delete(version))
    const { length } = records
    await expect(rest()).rejects.toThrow(`${length} records came out with ${length - 1}`)
  })
})
