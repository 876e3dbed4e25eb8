import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { matching, shownEvent } from '../../support/brute-force.ts'
import { CITIES, PROVINCES } from '../../support/made-places.ts'
import { type MadeService, serveMade } from '../../support/made-service.ts'
import { itemsOf, walkPages } from '../../support/walk.ts'

const NOW = '2026-06-30T12:00:00.000Z'
const ALL = { from: '2026-01-01T00:00:00.000Z', to: NOW }
const PATH = `/v1/farmacias/business-events?from=${ALL.from}&to=${ALL.to}`

let service: MadeService

beforeAll(async () => {
  service = await serveMade(
    {
      seed: 11,
      territories: ['ES-MD', 'ES-CT', 'ES-PV', 'ES-GA'],
      records: 900,
      runs: 45,
      changesPerRun: 500,
      towns: 40,
      start: '2026-05-20T06:00:00.000Z',
    },
    NOW,
  )
})
afterAll(() => service.close())

function expected(asked: Partial<Parameters<typeof matching>[1]> = {}) {
  return matching(service.made, { ...ALL, ...asked }).map(shownEvent)
}

describe('200', () => {
  it('api.md row 1: a walk over more than 10 000 events gives each once, newest first, and ends', async () => {
    const pages = await walkPages(service, `${PATH}&limit=500`)
    const items = itemsOf(pages)
    expect(items.length).toBeGreaterThan(10_000)
    expect(items).toEqual(expected())
    for (const page of pages) expect(page.body).toMatchObject(ALL)
  })

  it('nothing of abandoned runs or of runs beyond the committed one is visible', async () => {
    const hidden = service.made.runs.filter(({ fate }) => fate !== 'committed')
    expect(hidden.length).toBeGreaterThan(5)
    const items = itemsOf(await walkPages(service, `${PATH}&limit=5000`)) as { run_id: string }[]
    const seen = new Set(items.map(({ run_id }) => run_id))
    expect(hidden.filter(({ run_id }) => seen.has(run_id))).toEqual([])
  })

  it('api.md row 2: the largest page of a large window is answered', async () => {
    const page = await service.get(`${PATH}&limit=5000`)
    expect(page.body.items).toEqual(expected().slice(0, 5000))
  })

  it.each([1, 2, 3, 7])('api.md row 4: pages of %i are disjoint and complete', async (limit) => {
    // All of one run: they share one occurred_at, and only the sequence number orders them.
    const at = service.made.events[0]?.occurred_at as string
    const instant = { from: at, to: new Date(Date.parse(at) + 1).toISOString() }
    const path = `/v1/farmacias/business-events?from=${instant.from}&to=${instant.to}&event_types=relocated&city=Soria`
    const all = expected({ ...instant, eventTypes: ['relocated'], either: { city: 'soria' } })
    expect(all.length).toBeGreaterThan(limit)
    const pages = await walkPages(service, `${path}&limit=${limit}`)
    expect(itemsOf(pages)).toEqual(all)
    expect(pages.length).toBe(Math.ceil(all.length / limit))
  })

  it('api.md row 5: next_cursor is null exactly when nothing follows, also after an exactly full page', async () => {
    const window = `/v1/farmacias/business-events?from=${ALL.from}&to=${ALL.to}&event_types=reopened&territories=ES-GA`
    const n = expected({ eventTypes: ['reopened'], territories: ['ES-GA'] }).length
    const sizes = async (limit: number) =>
      (await walkPages(service, `${window}&limit=${limit}`)).map(({ body }) => body.items.length)
    expect(await sizes(n)).toEqual([n])
    expect(await sizes(n - 1)).toEqual([n - 1, 1])
    const half = Math.floor(n / 2)
    expect(await sizes(half)).toEqual(n % 2 === 0 ? [half, half] : [half, half, 1])
  })

  it('the limit may change between pages', async () => {
    const first = await service.get(`${PATH}&limit=3`)
    const second = await service.get(`${PATH}&limit=4&cursor=${first.body.next_cursor}`)
    expect([...first.body.items, ...second.body.items]).toEqual(expected().slice(0, 7))
  })

  it('from is inclusive and to is exclusive', async () => {
    const [newest] = service.made.events
    const at = newest?.occurred_at as string
    const later = new Date(Date.parse(at) + 1).toISOString()
    const closed = await service.get(
      `/v1/farmacias/business-events?from=${at}&to=${later}&limit=5000`,
    )
    expect(closed.body.items).toEqual(expected({ from: at, to: later }))
    expect(closed.body.items.length).toBeGreaterThan(0)
    const open = await walkPages(
      service,
      `/v1/farmacias/business-events?from=${ALL.from}&to=${at}&limit=5000`,
    )
    expect(itemsOf(open)).toEqual(expected({ to: at }))
  })

  it('without from and days the window is the last 30 days', async () => {
    const window = { from: '2026-05-31T12:00:00.000Z', to: NOW }
    const pages = await walkPages(service, '/v1/farmacias/business-events?limit=5000')
    expect(itemsOf(pages)).toEqual(expected(window))
    expect(pages[0]?.body).toMatchObject(window)
  })

  it('a window before the baseline is an empty page', async () => {
    const window = { from: '2020-01-01T00:00:00.000Z', to: '2020-02-01T00:00:00.000Z' }
    const page = await service.get(
      `/v1/farmacias/business-events?from=${window.from}&to=${window.to}`,
    )
    expect(page).toMatchObject({ status: 200, body: { ...window, items: [], next_cursor: null } })
  })

  it('a window that begins in the year 0 is answered', async () => {
    const page = await service.get(
      `/v1/farmacias/business-events?from=0000-01-01T00:00:00Z&to=${NOW}&limit=1`,
    )
    expect(page.body.items).toEqual(expected().slice(0, 1))
  })

  it('territories and event types limit the result', async () => {
    const pages = await walkPages(
      service,
      `${PATH}&territories=ES-PV,ES-GA&event_types=opened,closed_hard&limit=5000`,
    )
    const asked = { territories: ['ES-PV', 'ES-GA'], eventTypes: ['opened', 'closed_hard'] }
    expect(itemsOf(pages)).toEqual(expected(asked))
  })

  it.each(CITIES.flatMap(({ id, asked }) => asked.map((text) => [text, id])))(
    'api.md row 29: city=%s finds every spelling on either side',
    async (text, id) => {
      const pages = await walkPages(service, `${PATH}&limit=5000&city=${encodeURIComponent(text)}`)
      const all = expected({ either: { city: id } })
      expect(all.length).toBeGreaterThan(0)
      expect(itemsOf(pages)).toEqual(all)
    },
  )

  it.each(PROVINCES.flatMap(({ id, asked }) => asked.map((text) => [text, id])))(
    'api.md row 30: province=%s finds every spelling on either side',
    async (text, id) => {
      const path = `${PATH}&limit=5000&province=${encodeURIComponent(text)}`
      expect(itemsOf(await walkPages(service, path))).toEqual(
        expected({ either: { province: id } }),
      )
    },
  )

  it('province and city must hold on the same side', async () => {
    const path = `${PATH}&limit=5000&province=Vizcaya&city=Soria`
    const found = itemsOf(await walkPages(service, path))
    expect(found).toEqual(expected({ either: { province: 'Bizkaia', city: 'soria' } }))
    const eachSomewhere = expected({ either: { province: 'Bizkaia' } }).length
    expect(found.length).toBeLessThan(eachSomewhere)
  })

  it('a text that folds to nothing finds nothing', async () => {
    const page = await service.get(`${PATH}&city=-`)
    expect(page.body.items).toEqual([])
  })

  it('a key with a scope sees its territories only', async () => {
    const key = await service.key(['ES-CT', 'ES-GA'])
    const pages = await walkPages(service, `${PATH}&limit=5000`, { key })
    expect(itemsOf(pages)).toEqual(expected({ territories: ['ES-CT', 'ES-GA'] }))
  })

  it('another key may use a cursor, and its own scope applies', async () => {
    const first = await service.get(`${PATH}&limit=5`)
    const key = await service.key(['ES-CT'])
    const rest = await service.get(`${PATH}&limit=5000&cursor=${first.body.next_cursor}`, { key })
    const ids = new Set(first.body.items.map(({ event_id }: { event_id: string }) => event_id))
    const all = expected({ territories: ['ES-CT'] }).filter(({ event_id }) => !ids.has(event_id))
    expect(rest.body.items).toEqual(all.slice(0, 5000))
  })

  it('a walk stays as it began while runs commit between its pages', async () => {
    const { made } = service
    const before = expected()
    const beyond = made.runs.filter(({ fate }) => fate === 'beyond')
    const later = structuredClone(made.state)
    try {
      const pages = await walkPages(service, `${PATH}&limit=4000`, {
        between: async () => {
          const next = beyond.shift()
          if (!next) return
          later.committed_run = next.run
          later.committed_at = next.committed_at
          await service.setState(later)
          await new Promise((resolve) => setTimeout(resolve, 1100))
        },
      })
      expect(itemsOf(pages)).toEqual(before)
      const fresh = await service.get(`${PATH}&limit=1`)
      expect(fresh.body.items[0].run_id).toBe(made.runs.at(-1)?.run_id)
    } finally {
      await service.setState(made.state)
      await new Promise((resolve) => setTimeout(resolve, 1100))
    }
  })

  it('a window without to is answered anew after half a minute', async () => {
    const path = '/v1/farmacias/business-events?limit=1&territories=ES-PV'
    const first = await service.get(path)
    service.clock.now = '2026-06-30T12:00:10.000Z'
    expect((await service.get(path)).body.to).toBe(first.body.to)
    service.clock.now = NOW
  })
})

describe('400', () => {
  it('an empty or inverted window names from', async () => {
    for (const from of [ALL.to, '2027-01-01T00:00:00.000Z']) {
      const answer = await service.get(`/v1/farmacias/business-events?from=${from}&to=${ALL.to}`)
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'invalid_parameter', errors: [{ parameter: 'from' }] },
      })
    }
  })

  it('a cursor with other filters, another window or another endpoint names cursor', async () => {
    const { body } = await service.get(`${PATH}&limit=1`)
    const cursor = body.next_cursor
    const foreign = [
      `${PATH}&territories=ES-MD&cursor=${cursor}`,
      `/v1/farmacias/business-events?from=2026-01-02T00:00:00.000Z&to=${ALL.to}&cursor=${cursor}`,
      `/v1/farmacias/business-events?cursor=${cursor}`,
      `/v1/farmacias/relocations?from=${ALL.from}&to=${ALL.to}&cursor=${cursor}`,
      `${PATH}&cursor=null`,
      `${PATH}&cursor=0`,
      `${PATH}&cursor=${cursor.slice(0, -1)}`,
    ]
    for (const path of foreign) {
      const answer = await service.get(path)
      expect([path, answer.status, answer.body.errors?.[0]?.parameter]).toEqual([
        path,
        400,
        'cursor',
      ])
    }
  })

  it('every fault is told at once', async () => {
    const answer = await service.get(
      `/v1/farmacias/business-events?from=${NOW}&to=${ALL.from}&cursor=abc`,
    )
    expect(answer.body.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual([
      'from',
      'cursor',
    ])
  })
})

describe('401', () => {
  it('without a key', async () => {
    const answer = await service.get(PATH, { key: '' })
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  })
})

describe('403', () => {
  it('a territory outside the scope is refused, beside permitted ones too', async () => {
    const key = await service.key(['ES-CT'])
    const answer = await service.get(`${PATH}&territories=ES-CT,ES-MD`, { key })
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden_territory' } })
    expect(answer.text).not.toContain('ES-GA')
  })
})
