import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Pharmacy } from '../../../src/domain/pharmacy.ts'
import { chordMeters } from '../../support/brute-force.ts'
import { CITIES, cityIdOf, PROVINCES, provinceIdOf } from '../../support/made-places.ts'
import { type MadeService, serveMade } from '../../support/made-service.ts'
import { seededRandom } from '../../support/random.ts'
import { itemsOf, walkPages } from '../../support/walk.ts'

const NOW = '2026-06-30T12:00:00.000Z'
const PATH = '/v1/farmacias/pharmacies'
const TERRITORIES = ['ES-CT', 'ES-GA', 'ES-MD']

let service: MadeService

beforeAll(async () => {
  service = await serveMade(
    {
      seed: 19,
      territories: TERRITORIES,
      records: 700,
      runs: 24,
      changesPerRun: 80,
      towns: 20,
      start: '2026-06-12T06:00:00.000Z',
    },
    NOW,
  )
})
afterAll(() => service.close())

type Found = Pharmacy & { distance_meters: number | null }

/** The records of every territory, as committed or as observed at an instant, by territory and code point. */
function dataset(asOf?: string): Pharmacy[] {
  const { made } = service
  return TERRITORIES.flatMap((territory) => {
    const runs = made.runs.filter(
      (run) =>
        run.territory === territory &&
        run.fate === 'committed' &&
        (asOf === undefined || run.observed_at <= asOf),
    )
    return made.datasets.get(runs.at(-1)?.run ?? 0) ?? []
  })
}

const unplaced = (record: Pharmacy) => ({ ...record, distance_meters: null })
const walked = async (query: string) =>
  itemsOf(await walkPages(service, `${PATH}?${query}`)) as Found[]

/** Words as a person would tell them apart; enough for the made records. */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f.’']/g, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

function hasWords(record: Pharmacy, question: string): boolean {
  const { name, owner_name, address_line, city } = record
  const known = wordsOf([name, owner_name, address_line, city].filter(Boolean).join(' '))
  const asked = wordsOf(question)
  const last = asked.at(-1) ?? ''
  return (
    asked.slice(0, -1).every((word) => known.includes(word)) &&
    known.some((word) => word.startsWith(last))
  )
}

describe('200', () => {
  it('without parameters: every current record by territory and external_id', async () => {
    expect(await walked('limit=1000')).toEqual(dataset().map(unplaced))
  })

  it.each([
    'nunez',
    'FARMACIA NÚÑEZ',
    'farm',
    'puig farmacia',
    'sl',
    'S.L.',
    'mayor 12',
    'supuesta juan',
    'LHospitalet',
    'san sebastian ana',
    'ana inventada villanueva',
    'nada de esto',
  ])('q=%s finds all words in any order, the last one by its beginning', async (question) => {
    const expected = dataset().filter((record) => hasWords(record, question))
    const items = await walked(`limit=1000&q=${encodeURIComponent(question)}`)
    expect(items).toEqual(expected.map(unplaced))
    expect(items.length > 0).toBe(question !== 'nada de esto')
  })

  it('an apostrophe parts words or joins them, and "c/" is a street type', async () => {
    const all = await walked(`limit=1000&q=${encodeURIComponent('hospitalet calle')}`)
    expect(all.length).toBeGreaterThan(50)
    expect(all.every(({ city }) => city?.includes('Hospitalet'))).toBe(true)
    expect(await walked(`limit=1000&q=${encodeURIComponent("c/ l'hospitalet")}`)).toEqual(all)
  })

  it('a text that folds to nothing finds nothing', async () => {
    expect(await walked('q=-')).toEqual([])
  })

  it('territories, province, city and active_only limit the result together', async () => {
    const random = seededRandom(5)
    for (let n = 0; n < 10; n++) {
      const city = random.pick(CITIES)
      const province = random.pick(PROVINCES)
      const expected = dataset().filter(
        (record) =>
          ['ES-MD', 'ES-GA'].includes(record.territory_code) &&
          cityIdOf(record.city) === city.id &&
          provinceIdOf(record.province) === province.id &&
          record.is_active,
      )
      const query = new URLSearchParams({
        territories: 'ES-MD,ES-GA',
        city: random.pick(city.asked),
        province: random.pick(province.asked),
        active_only: 'true',
      })
      expect([String(query), await walked(String(query))]).toEqual([
        String(query),
        expected.map(unplaced),
      ])
    }
  })

  it('around a point: nearest first, with the distance, none beyond the radius', async () => {
    const point = { latitude: 40.5, longitude: -3.5 }
    const distances = dataset()
      .filter(({ latitude }) => latitude !== null)
      .map((record) => {
        const at = { latitude: record.latitude ?? 0, longitude: record.longitude ?? 0 }
        return {
          id: `${record.territory_code}|${record.external_id}`,
          meters: chordMeters(point, at),
        }
      })
      .filter(({ meters }) => meters <= 30_000)
      .sort((a, b) => a.meters - b.meters)
    expect(distances.length).toBeGreaterThan(200)
    const near = 'near_latitude=40.5&near_longitude=-3.5&radius_meters=30000'
    const items = await walked(`${near}&limit=7`)
    expect(items.map((item) => `${item.territory_code}|${item.external_id}`)).toEqual(
      distances.map(({ id }) => id),
    )
    for (const [index, { distance_meters }] of items.entries()) {
      expect(distance_meters).toBeCloseTo(distances[index]?.meters ?? 0, 0)
    }
    const words = await walked(`${near}&limit=1000&q=puig`)
    expect(words).toEqual(items.filter((item) => hasWords(item, 'puig')))
  })

  it('as_of shows every territory as it was observed then', async () => {
    const instants = service.made.runs.map(({ observed_at }) => observed_at)
    for (const asOf of [instants[0], instants[9], instants[20]] as string[]) {
      const items = await walked(`limit=1000&as_of=${asOf}`)
      expect(items).toEqual(dataset(asOf).map(unplaced))
    }
    expect(await walked('as_of=2026-06-12T05:59:59Z')).toEqual([])
  })

  it.each([1, 3, 250])('pages of %i are disjoint and complete', async (limit) => {
    const pages = await walkPages(service, `${PATH}?q=ana&territories=ES-GA&limit=${limit}`)
    const expected = dataset().filter(
      (record) => record.territory_code === 'ES-GA' && hasWords(record, 'ana'),
    )
    expect(itemsOf(pages)).toEqual(expected.map(unplaced))
    expect(pages.length).toBe(Math.ceil(expected.length / limit))
  })

  it('a walk stays as it began while a run commits between its pages', async () => {
    const { made } = service
    const beyond = made.runs.filter(({ fate }) => fate === 'beyond')
    const before = dataset().map(unplaced)
    try {
      const pages = await walkPages(service, `${PATH}?limit=900`, {
        between: async () => {
          const next = beyond.shift()
          if (!next) return
          await service.setState({ ...made.state, committed_run: next.run })
          await new Promise((resolve) => setTimeout(resolve, 1100))
        },
      })
      expect(itemsOf(pages)).toEqual(before)
    } finally {
      await service.setState(made.state)
      await new Promise((resolve) => setTimeout(resolve, 1100))
    }
  })

  it('a key with a scope finds in its territories only; none loaded gives nothing', async () => {
    const key = await service.key(['ES-CT', 'ES-ZZ'])
    const pages = await walkPages(service, `${PATH}?limit=1000`, { key })
    const mine = dataset().filter(({ territory_code: code }) => code === 'ES-CT')
    expect(itemsOf(pages)).toEqual(mine.map(unplaced))
    const { body } = await service.get(`${PATH}?territories=ES-ZZ`, { key })
    expect(body).toEqual({ items: [], next_cursor: null })
  })
})

describe('400', () => {
  it.each([
    ['near_latitude=40&radius_meters=5', ['near_longitude']],
    ['near_latitude=40&near_longitude=-3', ['radius_meters']],
    ['radius_meters=5', ['radius_meters']],
    ['as_of=2026-07-01T00:00:00Z&radius_meters=5&cursor=abc', ['radius_meters', 'as_of', 'cursor']],
    ['query=ana', ['query']],
    ['q=', ['q']],
    ['limit=1001', ['limit']],
  ])('%s names %j', async (query, parameters) => {
    const answer = await service.get(`${PATH}?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual(
      parameters,
    )
  })

  it('a cursor of another question, or of the other order, names cursor', async () => {
    const { body } = await service.get(`${PATH}?limit=1`)
    const near = 'near_latitude=40.5&near_longitude=-3.5&radius_meters=30000'
    for (const query of ['q=ana', near, 'territories=ES-MD']) {
      const answer = await service.get(`${PATH}?${query}&cursor=${body.next_cursor}`)
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ parameter: 'cursor' }] } })
    }
  })
})

describe('403', () => {
  it('a territory outside the scope is refused', async () => {
    const key = await service.key(['ES-CT'])
    const answer = await service.get(`${PATH}?territories=ES-CT,ES-MD`, { key })
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden_territory' } })
  })
})
