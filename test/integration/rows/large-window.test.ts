import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPublisher, type Publisher } from '../../support/publisher.ts'
import { aListed } from '../../support/register.ts'
import { itemsOf, walkPages } from '../../support/walk.ts'

/** More events and changes of one instant than an engine's window or a default page has room for. */

const OPENINGS = 12_000
const NOW = '2026-01-02T00:00:00.000Z'
const WINDOW = `from=2026-01-01T00:00:00Z&to=${NOW}`
const EVENTS = `/v1/farmacias/business-events?${WINDOW}`

let published: Publisher
beforeAll(async () => {
  published = await openPublisher({ now: NOW })
  const listed = Array.from({ length: OPENINGS + 1 }, (_, n) => aListed(String(n).padStart(5, '0')))
  await published.load('ES-MD', listed.slice(0, 1))
  await published.load('ES-MD', listed)
}, 300_000)
afterAll(() => published.close())

describe('12 000 openings of one load', () => {
  test('api.md row 1, 3: a walk gives each once and ends with null, though all share one instant', async () => {
    const pages = await walkPages(published.service, `${EVENTS}&limit=500`)
    const items = itemsOf(pages) as {
      external_id: string
      event_type: string
      occurred_at: string
    }[]
    expect(items.length).toBe(OPENINGS)
    expect(new Set(items.map(({ external_id }) => external_id)).size).toBe(OPENINGS)
    expect(new Set(items.map(({ occurred_at }) => occurred_at)).size).toBe(1)
    expect(pages.at(-1)?.body.next_cursor).toBeNull()
    expect(pages.length).toBe(OPENINGS / 500)
  })

  test('api.md row 2: the largest page of them is answered', async () => {
    const page = await published.service.get(`${EVENTS}&limit=5000`)
    expect([page.status, page.body.items.length]).toEqual([200, 5000])
  })

  test('api.md row 11: counts are exact whatever the number of items asked for', async () => {
    const { body } = await published.service.get(
      '/v1/farmacias/incremental/latest?window=7d&limit_per_type=1',
    )
    expect(body.counts.opened).toBe(OPENINGS)
    expect(body.items.opened.length).toBe(1)
    const summary = await published.service.get(`/v1/farmacias/business-events/summary?${WINDOW}`)
    expect(summary.body.total).toBe(OPENINGS)
  })

  test('api.md row 15: their changes are paged by number, each once', async () => {
    const path = '/v1/farmacias/changes?since=2000-01-01T00:00:00Z&cursor=1&limit=500'
    const pages: { items: { id: number; changed_at: string }[]; next_cursor: number | null }[] = []
    let cursor: number | null = 1
    while (cursor !== null) {
      const { body } = await published.service.get(path.replace('cursor=1&', `cursor=${cursor}&`))
      pages.push(body)
      cursor = body.next_cursor
    }
    const changes = pages.flatMap(({ items }) => items)
    expect(changes.map(({ id }) => id)).toEqual(Array.from({ length: OPENINGS }, (_, n) => n + 2))
    expect(new Set(changes.map(({ changed_at }) => changed_at)).size).toBe(1)
    expect(pages.length).toBe(OPENINGS / 500)
  })

  test('api.md row 3: an export has as many rows as ids as it says', async () => {
    const { body, text } = await published.service.get('/v1/farmacias/export/ES-MD/json')
    const ids = body.items.map(({ external_id }: { external_id: string }) => external_id)
    expect([body.count, ids.length, new Set(ids).size]).toEqual(Array(3).fill(OPENINGS + 1))
    expect([...ids].sort()).toEqual(ids)
    expect(text.length).toBeGreaterThan(1_000_000)
  })
})
