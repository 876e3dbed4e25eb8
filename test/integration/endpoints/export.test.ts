import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXPORT_COLUMNS, type Pharmacy } from '../../../src/domain/pharmacy.ts'
import type { MadeRun } from '../../support/made-registry.ts'
import { type MadeService, serveMade } from '../../support/made-service.ts'

const NOW = '2026-06-30T12:00:00.000Z'
const csv = (territory: string) => `/v1/farmacias/export/${territory}/csv`
const json = (territory: string) => `/v1/farmacias/export/${territory}/json`
const geojson = (territory: string) => `/v1/farmacias/export/${territory}/geojson`
const ndjson = (territory: string) => `/v1/farmacias/export/${territory}/ndjson`
const digest = (territory: string) => `/v1/farmacias/territories/${territory}/digest`

const ALL_OF = (territory: string) =>
  [csv, json, geojson, ndjson, digest].map((address) => address(territory))

let service: MadeService

beforeAll(async () => {
  service = await serveMade(
    {
      seed: 16,
      territories: ['ES-MD', 'ES-CT'],
      records: 4000,
      runs: 8,
      changesPerRun: 400,
      towns: 30,
      start: '2026-06-12T06:00:00.000Z',
    },
    NOW,
  )
})
afterAll(() => service.close())

function dataset(territory: string): Pharmacy[] {
  const { made } = service
  return made.datasets.get(made.state.territories[territory]?.last_run as number) as Pharmacy[]
}

const cell = (value: string | number | boolean | null) => (value === null ? '' : String(value))
const table = (records: readonly Pharmacy[]) => [
  [...EXPORT_COLUMNS],
  ...records.map((record) => EXPORT_COLUMNS.map((column) => cell(record[column]))),
]

describe('200', () => {
  // The first of all: what was exported before is read from its file. Walks of many pages are in dataset.test.ts.
  it('an export that began before a commit ends with the state it began with', async () => {
    const { made } = service
    const response = await fetch(`${service.url}${json('ES-MD')}`, {
      headers: { 'X-API-Key': await service.key() },
    })
    const [, beyond] = made.runs.slice(-2) as [MadeRun, MadeRun]
    await service.setState({ ...made.state, committed_run: beyond.run, committed_at: NOW })
    try {
      const body = (await response.json()) as { items: Pharmacy[] }
      expect(body.items).toEqual(dataset('ES-MD'))
    } finally {
      await service.setState(made.state)
      await new Promise((resolve) => setTimeout(resolve, 1100))
    }
  })

  it.each(['ES-MD', 'ES-CT'])(
    'CSV of %s is the committed dataset by code point',
    async (territory) => {
      const answer = await service.get(csv(territory))
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(answer.headers.get('content-disposition')).toBe(
        `attachment; filename="service_${territory}_20260630.csv"`,
      )
      expect(answer.headers.get('x-changes-cursor')).toBe(String(service.made.state.last_change_id))
      expect(answer.text.startsWith(`${EXPORT_COLUMNS.join(',')}\r\n`)).toBe(true)
      expect(parse(answer.text, { record_delimiter: '\r\n' })).toEqual(table(dataset(territory)))
    },
  )

  it('api.md row 3: JSON of both has the same records', async () => {
    for (const territory of ['ES-MD', 'ES-CT']) {
      const records = dataset(territory)
      const { body } = await service.get(json(territory))
      expect(body).toEqual({
        territory_code: territory,
        generated_at: service.made.state.committed_at,
        count: records.length,
        changes_cursor: service.made.state.last_change_id,
        items: records,
      })
    }
  })

  it('GeoJSON is a FeatureCollection of the same records, longitude first', async () => {
    for (const territory of ['ES-MD', 'ES-CT']) {
      const records = dataset(territory)
      const answer = await service.get(geojson(territory))
      expect(answer.headers.get('content-type')).toBe('application/geo+json')
      expect(answer.headers.get('content-disposition')).toBe(
        `attachment; filename="service_${territory}_20260630.geojson"`,
      )
      expect(answer.headers.get('x-changes-cursor')).toBe(String(service.made.state.last_change_id))
      expect(answer.body).toEqual({
        type: 'FeatureCollection',
        territory_code: territory,
        generated_at: service.made.state.committed_at,
        count: records.length,
        changes_cursor: service.made.state.last_change_id,
        features: records.map((record) => ({
          type: 'Feature',
          id: record.external_id,
          geometry:
            record.latitude === null
              ? null
              : { type: 'Point', coordinates: [record.longitude, record.latitude] },
          properties: record,
        })),
      })
    }
  })

  it('NDJSON is one record a line', async () => {
    for (const territory of ['ES-MD', 'ES-CT']) {
      const answer = await service.get(ndjson(territory))
      expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
      expect(answer.headers.get('content-disposition')).toBe(
        `attachment; filename="service_${territory}_20260630.ndjson"`,
      )
      expect(answer.headers.get('x-changes-cursor')).toBe(String(service.made.state.last_change_id))
      expect(answer.text.endsWith('}\n')).toBe(true)
      expect(linesOf(answer.text)).toEqual(dataset(territory))
    }
  })

  it('the digest is that of the records an export shows, now and at any instant', async () => {
    const { made } = service
    for (const territory of ['ES-MD', 'ES-CT']) {
      const { body } = await service.get(digest(territory))
      expect(body).toEqual({
        territory_code: territory,
        generated_at: made.state.committed_at,
        changes_cursor: made.state.last_change_id,
        ...naiveDigest(dataset(territory)),
      })
    }
    const runs = made.runs.filter(
      ({ fate, territory }) => fate === 'committed' && territory === 'ES-MD',
    )
    const digests = new Set<string>()
    for (const run of runs) {
      const { body } = await service.get(`${digest('ES-MD')}?as_of=${run.observed_at}`)
      const { run: shown, committed_at } = lastOfInstant(runs, run)
      expect(body).toMatchObject({
        generated_at: committed_at,
        ...naiveDigest(made.datasets.get(shown) ?? []),
      })
      digests.add(body.digest)
    }
    expect(digests.size).toBeGreaterThan(2)
  })

  it('active_only leaves out the inactive ones', async () => {
    const active = dataset('ES-MD').filter(({ is_active }) => is_active)
    const { body } = await service.get(`${json('ES-MD')}?active_only=true`)
    expect([body.count, body.items]).toEqual([active.length, active])
    const text = await service.get(`${csv('ES-MD')}?active_only=true`)
    expect(parse(text.text)).toEqual(table(active))
    const lines = await service.get(`${ndjson('ES-MD')}?active_only=true`)
    expect(linesOf(lines.text)).toEqual(active)
    const map = await service.get(`${geojson('ES-MD')}?active_only=true`)
    expect(map.body.features.map(({ id }: { id: string }) => id)).toEqual(
      active.map(({ external_id }) => external_id),
    )
  })

  it('spreadsheet adds a mark and neutralises text only', async () => {
    const response = await fetch(`${service.url}${csv('ES-CT')}?spreadsheet=true`, {
      headers: { 'X-API-Key': await service.key() },
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    const rows = parse(bytes, { bom: true, columns: true }) as Record<string, string>[]
    expect(rows.map(({ name, longitude }) => [name, longitude])).toEqual(
      dataset('ES-CT').map(({ name, longitude }) => [
        name !== null && /^[=+]/.test(name) ? `'${name}` : cell(name),
        cell(longitude),
      ]),
    )
  })

  it('as_of gives the dataset as observed then, at every committed run', async () => {
    const { made } = service
    const runs = made.runs.filter(
      ({ fate, territory }) => fate === 'committed' && territory === 'ES-MD',
    )
    expect(runs.length).toBeGreaterThan(2)
    for (const run of runs) {
      const shownRun = lastOfInstant(runs, run)
      const changes = made.changes.filter((change) => change.run <= shownRun.run)
      const { body } = await service.get(`${json('ES-MD')}?as_of=${run.observed_at}`)
      expect(body).toEqual({
        territory_code: 'ES-MD',
        generated_at: shownRun.committed_at,
        count: made.datasets.get(shownRun.run)?.length,
        changes_cursor: changes.at(-1)?.id,
        items: made.datasets.get(shownRun.run),
      })
      const lines = await service.get(`${ndjson('ES-MD')}?as_of=${run.observed_at}`)
      expect(linesOf(lines.text)).toEqual(made.datasets.get(shownRun.run))
    }
  })

  it('as_of now is the current dataset', async () => {
    const { body } = await service.get(`${json('ES-CT')}?as_of=${NOW}`)
    expect(body.items).toEqual(dataset('ES-CT'))
  })

  it('HEAD has the headers of GET and no body', async () => {
    const response = await fetch(`${service.url}${csv('ES-CT')}`, {
      method: 'HEAD',
      headers: { 'X-API-Key': await service.key() },
    })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(response.headers.get('content-disposition')).toContain('service_ES-CT_20260630.csv')
    expect(response.headers.get('x-changes-cursor')).toBe(String(service.made.state.last_change_id))
  })
})

function linesOf(text: string): unknown[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

/** As the documents describe it, written once more with a number as large as it gets. */
function naiveDigest(records: readonly Pharmacy[]): { count: number; digest: string } {
  let sum = 0n
  for (const record of records) {
    const values = EXPORT_COLUMNS.map((column) =>
      column === 'latitude' || column === 'longitude'
        ? record[column] && Math.round(record[column] * 1e6)
        : record[column],
    )
    const hash = createHash('sha256').update(JSON.stringify(values)).digest('hex')
    sum += BigInt(`0x${hash.slice(0, 32)}`)
  }
  return { count: records.length, digest: (sum % 2n ** 128n).toString(16).padStart(32, '0') }
}

function lastOfInstant(runs: readonly MadeRun[], run: MadeRun): MadeRun {
  return runs.filter(({ observed_at }) => observed_at <= run.observed_at).at(-1) as MadeRun
}

describe('304', () => {
  it('costs nothing for who has it, until a commit, whatever was asked differently', async () => {
    // Compressed bytes are another representation: only plain ones carry the strong tag.
    const first = await service.get(csv('ES-CT'), { headers: { 'Accept-Encoding': 'identity' } })
    const tag = first.headers.get('etag') as string
    const headers = { 'If-None-Match': tag }
    expect(tag).toMatch(/^"[\w-]+"$/)
    expect((await service.get(csv('ES-CT'), { headers })).status).toBe(304)
    for (const path of [geojson('ES-CT'), ndjson('ES-CT'), digest('ES-CT')]) {
      const etag = (await service.get(path)).headers.get('etag') as string
      const again = await service.get(path, { headers: { 'If-None-Match': etag } })
      expect([path, again.status]).toEqual([path, 304])
    }
    const changed = [
      service.get(`${csv('ES-CT')}?active_only=true`, { headers }),
      service.get(`${csv('ES-CT')}?spreadsheet=true`, { headers }),
      service.get(csv('ES-MD'), { headers }),
      service.get(json('ES-CT'), { headers }),
      service.get(csv('ES-CT'), { headers, key: await service.key(['ES-CT']) }),
    ]
    expect((await Promise.all(changed)).map(({ status }) => status)).toEqual(changed.map(() => 200))
  })

  it('an unchanged load moves neither tag nor body', async () => {
    const { made } = service
    const first = await service.get(json('ES-CT'))
    const seen = structuredClone(made.state)
    const territory = seen.territories['ES-CT']
    if (!territory) throw new Error('ES-CT is loaded')
    territory.last_checked_at = NOW
    territory.confirmed_observed_at = NOW
    seen.next_run += 1
    await service.setState(seen)
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const tag = first.headers.get('etag') as string
    const again = await service.get(json('ES-CT'), { headers: { 'If-None-Match': tag } })
    expect(again.status).toBe(304)
    expect((await service.get(json('ES-CT'))).text).toBe(first.text)
    await service.setState(made.state)
    await new Promise((resolve) => setTimeout(resolve, 1100))
  })
})

describe('400', () => {
  it.each([
    [`${csv('ES-MD')}?as_of=2026-06-30T12:00:00.001Z`, 'as_of'],
    [`${csv('ES-MD')}?active_only=yes`, 'active_only'],
    [`${json('ES-MD')}?spreadsheet=true`, 'spreadsheet'],
    [`${geojson('ES-MD')}?as_of=2026-06-30T12:00:00.001Z`, 'as_of'],
    [`${ndjson('ES-MD')}?spreadsheet=true`, 'spreadsheet'],
    [`${digest('ES-MD')}?active_only=true`, 'active_only'],
    [digest('es-md'), 'territory_code'],
    [csv('ES-md'), 'territory_code'],
  ])('%s names %s', async (path, parameter) => {
    const answer = await service.get(path)
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ parameter }] } })
  })
})

describe('403', () => {
  it('outside the scope, loaded or not: nothing is learnt about it', async () => {
    const key = await service.key(['ES-CT'])
    for (const path of ALL_OF('ES-MD').concat(ALL_OF('ES-ZZ'))) {
      const answer = await service.get(path, { key })
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden_territory' } })
    }
  })
})

describe('404', () => {
  it('before the baseline', async () => {
    for (const path of ALL_OF('ES-MD')) {
      const answer = await service.get(`${path}?as_of=2026-06-12T05:59:59.999Z`)
      expect(answer).toMatchObject({ status: 404, body: { code: 'before_baseline' } })
    }
  })
})

describe('503', () => {
  it('a territory never loaded, with when to come back', async () => {
    for (const path of [
      ...ALL_OF('ES-ZZ'),
      ...ALL_OF('ES-ZZ').map((path) => `${path}?as_of=2026-01-01T00:00:00Z`),
    ]) {
      const answer = await service.get(path)
      expect(answer).toMatchObject({ status: 503, body: { code: 'territory_not_loaded' } })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
  })
})
