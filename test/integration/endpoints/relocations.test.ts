import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chordMeters, matching } from '../../support/brute-force.ts'
import type { MadeEvent } from '../../support/made-registry.ts'
import { type MadeService, serveMade } from '../../support/made-service.ts'
import { itemsOf, walkPages } from '../../support/walk.ts'

const NOW = '2026-06-30T12:00:00.000Z'
const ALL = { from: '2026-01-01T00:00:00.000Z', to: NOW }
const PATH = `/v1/farmacias/relocations?from=${ALL.from}&to=${ALL.to}&limit=5000`

let service: MadeService

beforeAll(async () => {
  service = await serveMade(
    {
      seed: 12,
      territories: ['ES-MD', 'ES-CT'],
      records: 300,
      runs: 24,
      changesPerRun: 150,
      towns: 10,
      start: '2026-06-01T06:00:00.000Z',
    },
    NOW,
  )
})
afterAll(() => service.close())

function relocated(asked: Partial<Parameters<typeof matching>[1]> = {}): MadeEvent[] {
  return matching(service.made, { ...ALL, eventTypes: ['relocated'], ...asked })
}

function shown(event: MadeEvent) {
  const a = event.old_location
  const b = event.new_location
  return {
    event_id: String(event.seq),
    occurred_at: event.occurred_at,
    territory_code: event.territory_code,
    external_id: event.external_id,
    name: event.name,
    old: a,
    new: b,
    distance_meters:
      a?.latitude != null && b?.latitude != null
        ? expect.closeTo(
            chordMeters(
              { latitude: a.latitude, longitude: a.longitude as number },
              { latitude: b.latitude, longitude: b.longitude as number },
            ),
            1,
          )
        : null,
  }
}

describe('200', () => {
  it('shows both places, the distance, and only relocations', async () => {
    const items = itemsOf(await walkPages(service, PATH))
    const all = relocated()
    expect(all.length).toBeGreaterThan(300)
    expect(all.some(({ old_location: at }) => at?.latitude === null)).toBe(true)
    expect(items).toEqual(all.map(shown))
  })

  it('api.md row 31: has the same events as the listing with event_types=relocated', async () => {
    const ids = (items: unknown[]) => (items as { event_id: string }[]).map((item) => item.event_id)
    const here = itemsOf(await walkPages(service, '/v1/farmacias/relocations?days=20&limit=50'))
    const there = await walkPages(
      service,
      '/v1/farmacias/business-events?days=20&event_types=relocated&limit=5000',
    )
    expect(ids(here)).toEqual(ids(itemsOf(there)))
  })

  it('the sides are filtered apart, by province and city', async () => {
    const query =
      'old_province=VIZCAYA&old_city=coruna%2C%20a&new_province=Alacant&new_city=Donostia'
    for (const [path, asked] of [
      [`${PATH}&old_province=VIZCAYA`, { old: { province: 'Bizkaia' } }],
      [`${PATH}&new_city=Donostia`, { new: { city: 'donostia' } }],
      [
        `${PATH}&old_city=alcala%20de%20henares&new_province=Madrid`,
        { old: { city: 'alcala' }, new: { province: 'Madrid' } },
      ],
      [
        `${PATH}&${query}`,
        {
          old: { province: 'Bizkaia', city: 'coruna' },
          new: { province: 'Alicante/Alacant', city: 'donostia' },
        },
      ],
    ] as const) {
      expect([path, itemsOf(await walkPages(service, path))]).toEqual([
        path,
        relocated(asked).map(shown),
      ])
    }
  })

  it.each([50, 1_000, 20_000, 60_000, 20_037_508])(
    'finds both places within %i metres of a point',
    async (radiusMeters) => {
      const [sample] = relocated({}).filter(({ old_location: at }) => at?.latitude != null)
      const at = sample?.old_location
      const circle = {
        latitude: at?.latitude as number,
        longitude: at?.longitude as number,
        radiusMeters,
      }
      const near = (side: string) =>
        `near_${side}_latitude=${circle.latitude}&near_${side}_longitude=${circle.longitude}`
      const radius = `radius_meters=${radiusMeters}`
      const oldOnly = relocated({ nearOld: circle })
      expect(oldOnly.length).toBeGreaterThan(0)
      for (const [query, all] of [
        [`${near('old')}&${radius}`, oldOnly],
        [`${near('new')}&${radius}`, relocated({ nearNew: circle })],
        [
          `${near('old')}&${near('new')}&${radius}`,
          relocated({ nearOld: circle, nearNew: circle }),
        ],
      ] as const) {
        const items = itemsOf(await walkPages(service, `${PATH}&${query}`))
        expect([query, items]).toEqual([query, all.map(shown)])
      }
    },
  )

  it('0 is a coordinate', async () => {
    const page = await service.get(
      `${PATH}&near_new_latitude=0&near_new_longitude=0&radius_meters=0.5`,
    )
    expect(page).toMatchObject({ status: 200, body: { items: [], next_cursor: null } })
  })

  it('pages of a radius search are disjoint and complete', async () => {
    const query = 'near_new_latitude=40.5&near_new_longitude=-3.5&radius_meters=40000'
    const path = `/v1/farmacias/relocations?from=${ALL.from}&to=${ALL.to}&${query}`
    const circle = { latitude: 40.5, longitude: -3.5, radiusMeters: 40_000 }
    const all = relocated({ nearNew: circle }).map(shown)
    expect(itemsOf(await walkPages(service, `${path}&limit=7`))).toEqual(all)
  })

  it('the default window is the last 30 days', async () => {
    const page = await service.get('/v1/farmacias/relocations')
    expect(page.body).toMatchObject({ from: '2026-05-31T12:00:00.000Z', to: NOW })
  })
})

describe('400', () => {
  it.each([
    ['near_old_latitude=40&radius_meters=10', ['near_old_longitude']],
    ['near_new_longitude=-3&radius_meters=10', ['near_new_latitude']],
    ['radius_meters=10', ['radius_meters']],
    ['near_old_latitude=40&near_old_longitude=-3', ['radius_meters']],
    [
      'near_old_latitude=40&near_new_longitude=-3',
      ['near_old_longitude', 'near_new_latitude', 'radius_meters'],
    ],
    [
      `near_old_latitude=40&from=${NOW}&to=${NOW}&cursor=abc`,
      ['near_old_longitude', 'radius_meters', 'from', 'cursor'],
    ],
    ['near_old_latitude=91&near_old_longitude=-3&radius_meters=10', ['near_old_latitude']],
    ['near_old_latitude=40&near_old_longitude=-3&radius_meters=0', ['radius_meters']],
    ['near_old_latitude=40&near_old_longitude=-3&radius_meters=20037509', ['radius_meters']],
  ])('%s names %j', async (query, parameters) => {
    const answer = await service.get(`/v1/farmacias/relocations?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual(
      parameters,
    )
  })
})

describe('403', () => {
  it('a territory outside the scope is refused, after the parameters were checked', async () => {
    const key = await service.key(['ES-CT'])
    const path = '/v1/farmacias/relocations?territories=ES-MD'
    expect((await service.get(path, { key })).status).toBe(403)
    expect((await service.get(`${path}&radius_meters=5`, { key })).status).toBe(400)
  })
})
