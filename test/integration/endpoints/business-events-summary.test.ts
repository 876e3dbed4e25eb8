import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../../../src/domain/event.ts'
import { type Asked, matching } from '../../support/brute-force.ts'
import { CITIES, cityIdOf, PROVINCES, provinceIdOf } from '../../support/made-places.ts'
import type { MadeEvent } from '../../support/made-registry.ts'
import { type MadeService, serveMade } from '../../support/made-service.ts'
import { seededRandom } from '../../support/random.ts'
import { walkPages } from '../../support/walk.ts'

const NOW = '2026-06-30T12:00:00.000Z'
const ALL = { from: '2026-01-01T00:00:00.000Z', to: NOW }
const SUMMARY = '/v1/farmacias/business-events/summary'
const PATH = `${SUMMARY}?from=${ALL.from}&to=${ALL.to}`
/** Sixty of them, so that no default number of groups would do. */
const TERRITORIES = Array.from(
  { length: 60 },
  (_, n) => `ES-${String.fromCharCode(65 + Math.floor(n / 26), 65 + (n % 26))}`,
)

let service: MadeService

beforeAll(async () => {
  service = await serveMade(
    {
      seed: 13,
      territories: TERRITORIES,
      records: 200,
      runs: 150,
      changesPerRun: 120,
      towns: 12_000,
      start: '2026-03-20T22:30:00.000Z',
    },
    NOW,
  )
})
afterAll(() => service.close())

type Item = { key: string | null; count: number }

function counted(events: readonly MadeEvent[], keyOf: (event: MadeEvent) => string | null): Item[] {
  const counts = new Map<string | null, number>()
  for (const event of events) counts.set(keyOf(event), (counts.get(keyOf(event)) ?? 0) + 1)
  return mostFirst([...counts].map(([key, count]) => ({ key, count })))
}

function mostFirst(items: Item[]): Item[] {
  return items.sort((a, b) => {
    if (a.count !== b.count) return b.count - a.count
    if (a.key === null || b.key === null) return a.key === null ? 1 : -1
    return a.key < b.key ? -1 : 1
  })
}

const countedSide = (event: MadeEvent) => event.new_location ?? event.old_location

/** The spelling of the newest event of each city; events come newest first. */
function newestSpelling(events: readonly MadeEvent[]): (event: MadeEvent) => string | null {
  const spellings = new Map<string | null, string | null>()
  for (const event of events) {
    const city = countedSide(event)?.city ?? null
    if (!spellings.has(cityIdOf(city))) spellings.set(cityIdOf(city), city)
  }
  return (event) => spellings.get(cityIdOf(countedSide(event)?.city)) ?? null
}

function byType(events: readonly MadeEvent[]): Item[] {
  return EVENT_TYPES.map((key) => ({
    key,
    count: events.filter(({ event_type }) => event_type === key).length,
  }))
}

describe('200', () => {
  it('event types: all of them in the order of the specification', async () => {
    const events = matching(service.made, ALL)
    const answer = await service.get(PATH)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({
      ...ALL,
      group_by: 'event_type',
      total: events.length,
      items: byType(events),
    })
  })

  it('api.md row 9: territories: every loaded one, never cut, also those without events', async () => {
    const window = { from: '2026-03-21T22:30:00.000Z', to: '2026-03-24T00:00:00.000Z' }
    const events = matching(service.made, window)
    const zeros = TERRITORIES.map((key) => ({
      key,
      count: events.filter(({ territory_code }) => territory_code === key).length,
    }))
    expect(zeros.some(({ count }) => count === 0)).toBe(true)
    const answer = await service.get(
      `${SUMMARY}?group_by=territory&from=${window.from}&to=${window.to}`,
    )
    expect(answer.body).toEqual({
      ...window,
      group_by: 'territory',
      total: events.length,
      items: mostFirst(zeros),
    })
  })

  it('territories asked for are the only ones filled with zeros', async () => {
    const asked = ['ES-AB', 'ES-AA', 'ES-ZZ']
    const events = matching(service.made, { ...ALL, territories: asked })
    const answer = await service.get(`${PATH}&group_by=territory&territories=${asked}`)
    expect(answer.body.items).toEqual(
      mostFirst(
        asked.map((key) => ({
          key,
          count: events.filter(({ territory_code }) => territory_code === key).length,
        })),
      ),
    )
  })

  it('provinces: by what they are, shown by their official name, null for none', async () => {
    const events = matching(service.made, ALL)
    const names = new Map<string | null, string | null>()
    for (const event of events) {
      const province = countedSide(event)?.province ?? null
      const id = provinceIdOf(province)
      if (!names.has(id)) names.set(id, id === 'comarca-inventada' ? province : id)
    }
    const nameOf = (event: MadeEvent) =>
      names.get(provinceIdOf(countedSide(event)?.province)) ?? null
    const answer = await service.get(`${PATH}&group_by=province`)
    expect(answer.body.items).toEqual(counted(events, nameOf))
    expect(answer.body.items.map(({ key }: Item) => key)).toContain(null)
  })

  it('api.md row 9: cities: thousands of them, merged by canonical form, in the newest spelling', async () => {
    const events = matching(service.made, ALL)
    const items = counted(events, newestSpelling(events))
    expect(items.length).toBeGreaterThan(3000)
    const answer = await service.get(`${PATH}&group_by=city`)
    expect(answer.body.total).toBe(events.length)
    expect(answer.body.items).toEqual(items)
  })

  it('api.md row 31: for random filters the total is the length of the walked listing', async () => {
    const random = seededRandom(99)
    for (let n = 0; n < 12; n++) {
      const { query, asked } = someFilters(random)
      const listing = await walkPages(service, `/v1/farmacias/business-events?${query}&limit=5000`)
      const length = listing.reduce((sum, page) => sum + page.body.items.length, 0)
      const events = matching(service.made, asked)
      expect([query, length]).toEqual([query, events.length])
      for (const groupBy of ['event_type', 'territory', 'province', 'city']) {
        const { body } = await service.get(`${SUMMARY}?${query}&group_by=${groupBy}`)
        const sum = body.items.reduce((total: number, item: Item) => total + item.count, 0)
        expect([query, groupBy, body.total, sum]).toEqual([query, groupBy, length, length])
      }
    }
  })

  it.each([
    ['day', 'Europe/Madrid', '2026-03-27T10:00:00.000Z', '2026-04-02T10:00:00.000Z'],
    ['day', 'America/Lima', '2026-03-21T03:00:00.000Z', '2026-03-24T04:59:00.000Z'],
    ['day', 'Asia/Kolkata', '2026-03-20T00:00:00.000Z', '2026-03-26T00:00:00.000Z'],
    ['week', 'Europe/Madrid', '2026-03-18T00:00:00.000Z', '2026-05-06T00:00:00.000Z'],
    ['month', 'Europe/Madrid', '2026-02-15T00:00:00.000Z', '2026-07-01T00:00:00.000Z'],
    ['month', 'UTC', '2026-03-01T00:00:00.000Z', '2026-05-01T00:00:00.000Z'],
  ])(
    'buckets by %s in %s hold exactly the events of the window',
    async (interval, zone, from, to) => {
      const events = matching(service.made, { from, to })
      const answer = await service.get(
        `${SUMMARY}?from=${from}&to=${to}&interval=${interval}&time_zone=${zone}`,
      )
      expect(answer.body).toMatchObject({ from, to, interval, total: events.length })
      const { buckets } = answer.body
      const labels = labelsBetween(from, to, interval, zone)
      const within = Map.groupBy(events, ({ occurred_at }) => labelOf(occurred_at, interval, zone))
      expect(buckets.map(({ start }: { start: string }) => labelOf(start, interval, zone))).toEqual(
        labels,
      )
      expect(buckets).toEqual(
        labels.map((label, index) => {
          const inside = within.get(label) ?? []
          return { start: buckets[index].start, total: inside.length, items: byType(inside) }
        }),
      )
      for (const { start } of buckets) {
        const before = new Date(Date.parse(start) - 1).toISOString()
        expect(labelOf(before, interval, zone)).not.toBe(labelOf(start, interval, zone))
      }
    },
  )

  it('buckets of cities use the spelling of the whole window', async () => {
    const window = { from: '2026-03-21T00:00:00.000Z', to: '2026-03-25T00:00:00.000Z' }
    const events = matching(service.made, window)
    const answer = await service.get(
      `${SUMMARY}?from=${window.from}&to=${window.to}&group_by=city&interval=day`,
    )
    const spelling = newestSpelling(events)
    expect(answer.body.buckets).toEqual(
      ['2026-03-21', '2026-03-22', '2026-03-23', '2026-03-24'].map((day) => {
        const inside = events.filter(({ occurred_at }) => occurred_at.startsWith(day))
        const start = `${day}T00:00:00.000Z`
        return { start, total: inside.length, items: counted(inside, spelling) }
      }),
    )
  })

  it('the default window is that of the listing', async () => {
    const { body } = await service.get(SUMMARY)
    expect(body).toMatchObject({ from: '2026-05-31T12:00:00.000Z', to: NOW })
  })

  it('a key with a scope counts and fills its territories only', async () => {
    const scope = ['ES-AC', 'ES-AD', 'ES-XX']
    const key = await service.key(scope)
    const events = matching(service.made, { ...ALL, territories: scope })
    const { body } = await service.get(`${PATH}&group_by=territory`, { key })
    expect(body.total).toBe(events.length)
    expect(body.items.map((item: Item) => item.key).sort()).toEqual(['ES-AC', 'ES-AD'])
  })
})

describe('304', () => {
  it('the same question has the same tag; another scope another one', async () => {
    const first = await service.get(PATH)
    const tag = first.headers.get('etag') as string
    expect(tag).toMatch(/^"[\w-]+"$/)
    const again = await service.get(PATH, { headers: { 'If-None-Match': tag } })
    expect([again.status, again.text]).toEqual([304, ''])
    const key = await service.key(['ES-AA'])
    const other = await service.get(PATH, { key, headers: { 'If-None-Match': tag } })
    expect(other.status).toBe(200)
  })

  it('a sliding window costs a 304 also later, while its content is the same', async () => {
    const first = await service.get(`${SUMMARY}?days=90`)
    const tag = first.headers.get('etag') as string
    expect(tag).toMatch(/^W\/"/)
    service.clock.now = '2026-06-30T12:01:00.000Z'
    const later = await service.get(`${SUMMARY}?days=90`, { headers: { 'If-None-Match': tag } })
    expect(later.status).toBe(304)
    const fresh = await service.get(`${SUMMARY}?days=90`)
    expect(fresh.body.total).toBe(first.body.total)
    service.clock.now = NOW
  })
})

describe('400', () => {
  it.each([
    ['time_zone=Europe/Madrid', ['time_zone']],
    ['interval=day&days=1001', ['interval']],
    ['interval=day&time_zone=Europe/Madriz', ['time_zone']],
    ['interval=hour', ['interval']],
    ['group_by=month', ['group_by']],
    [`time_zone=UTC&from=${NOW}&to=${NOW}`, ['from', 'time_zone']],
  ])('%s names %j', async (query, parameters) => {
    const answer = await service.get(`${SUMMARY}?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual(
      parameters,
    )
  })

  it('1000 buckets are answered', async () => {
    const { body } = await service.get(`${SUMMARY}?interval=day&days=999`)
    expect(body.buckets.length).toBe(1000)
  })
})

describe('403', () => {
  it('a territory outside the scope is refused', async () => {
    const key = await service.key(['ES-AA'])
    const answer = await service.get(`${SUMMARY}?territories=ES-AB`, { key })
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden_territory' } })
  })
})

function someFilters(random: ReturnType<typeof seededRandom>): { query: string; asked: Asked } {
  const day = () => random.integer(40)
  const start = day()
  const asked: Asked = {
    from: new Date(Date.parse('2026-03-21T00:00:00Z') + start * 86_400_000).toISOString(),
    to: new Date(
      Date.parse('2026-03-21T00:00:00Z') + (start + 1 + day()) * 86_400_000,
    ).toISOString(),
  }
  const query = [`from=${asked.from}`, `to=${asked.to}`]
  if (random.chance(0.5)) {
    asked.territories = TERRITORIES.filter(() => random.chance(0.4)).concat('ES-AA')
    query.push(`territories=${asked.territories}`)
  }
  if (random.chance(0.5)) {
    asked.eventTypes = EVENT_TYPES.filter(() => random.chance(0.5)).concat('relocated')
    query.push(`event_types=${asked.eventTypes}`)
  }
  const either: { city?: string; province?: string } = {}
  if (random.chance(0.4)) {
    const { id, asked: texts } = random.pick(CITIES)
    either.city = id
    query.push(`city=${encodeURIComponent(random.pick(texts))}`)
  }
  if (random.chance(0.4)) {
    const { id, asked: texts } = random.pick(PROVINCES)
    either.province = id
    query.push(`province=${encodeURIComponent(random.pick(texts))}`)
  }
  return { query: query.join('&'), asked: { ...asked, either } }
}

/** The calendar bucket an instant falls in, by name: what a wall calendar in that zone says. */
function labelOf(instant: string, interval: string, timeZone: string): string {
  const day = calendarOf(timeZone).format(new Date(instant))
  if (interval === 'day') return day
  if (interval === 'month') return day.slice(0, 7)
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay()
  const monday = Date.parse(`${day}T12:00:00Z`) - ((weekday + 6) % 7) * 86_400_000
  return `week of ${new Date(monday).toISOString().slice(0, 10)}`
}

const calendars = new Map<string, Intl.DateTimeFormat>()

/** Kept: making one costs more than a thousand dates written with it. */
function calendarOf(timeZone: string): Intl.DateTimeFormat {
  const known = calendars.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  calendars.set(timeZone, made)
  return made
}

/** Every bucket name between two instants, found by walking the hours. */
function labelsBetween(from: string, to: string, interval: string, zone: string): string[] {
  const labels = new Set<string>()
  for (let at = Date.parse(from); at < Date.parse(to); at += 1_800_000) {
    labels.add(labelOf(new Date(at).toISOString(), interval, zone))
  }
  return [...labels]
}
