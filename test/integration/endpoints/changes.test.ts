import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MadeChange } from '../../support/made-registry.ts'
import { type MadeService, serveMade } from '../../support/made-service.ts'
import { seededRandom } from '../../support/random.ts'
import { itemsOf, walkPages } from '../../support/walk.ts'

const NOW = '2026-06-30T12:00:00.000Z'
const BEGINNING = '2000-01-01T00:00:00Z'
const PATH = `/v1/farmacias/changes?since=${BEGINNING}`

let service: MadeService

beforeAll(async () => {
  service = await serveMade(
    {
      seed: 15,
      territories: ['ES-MD', 'ES-CT', 'ES-PV'],
      records: 700,
      runs: 20,
      changesPerRun: 200,
      towns: 30,
      start: '2026-06-12T06:00:00.000Z',
    },
    NOW,
  )
})
afterAll(() => service.close())

const shown = ({ run: _run, ...change }: MadeChange) => change
const last = () => service.made.state.last_change_id

describe('200', () => {
  it('a walk from the beginning gives every id once, in order and without a gap', async () => {
    const items = itemsOf(await walkPages(service, `${PATH}&limit=500`))
    expect(items).toEqual(service.made.changes.map(shown))
    expect((items as { id: number }[]).map(({ id }) => id)).toEqual(
      Array.from({ length: last() }, (_, index) => index + 1),
    )
  })

  it('replaying the changes gives the dataset of every territory', async () => {
    const items = itemsOf(await walkPages(service, `${PATH}&limit=2000`)) as MadeChange[]
    const mirror = new Map<string, unknown>()
    for (const { territory_code, external_id, operation, payload } of items) {
      const id = `${territory_code}|${external_id}`
      if (operation === 'upsert') mirror.set(id, payload)
      else mirror.delete(id)
    }
    const { made } = service
    const expected = Object.values(made.state.territories).flatMap(
      ({ last_run }) => made.datasets.get(last_run) ?? [],
    )
    expect(mirror).toEqual(
      new Map(expected.map((record) => [`${record.territory_code}|${record.external_id}`, record])),
    )
  })

  it('api.md row 14: since is inclusive on changed_at, to the millisecond', async () => {
    const committed = service.made.runs.filter(({ fate }) => fate === 'committed')
    const { committed_at: at } = committed.at(-4) as { committed_at: string }
    const from = (since: string) =>
      service.made.changes.filter(({ changed_at }) => changed_at >= since).map(shown)
    const later = new Date(Date.parse(at) + 1).toISOString()
    for (const since of [at, later]) {
      const path = `/v1/farmacias/changes?since=${since}&limit=2000`
      expect(itemsOf(await walkPages(service, path))).toEqual(from(since))
    }
    expect(from(at).length).toBeGreaterThan(from(later).length)
  })

  it('since and cursor hold together', async () => {
    const [{ changed_at: since }] = service.made.changes.slice(-150) as [MadeChange]
    const cursor = last() - 20
    const { body } = await service.get(`/v1/farmacias/changes?since=${since}&cursor=${cursor}`)
    expect(body.items).toEqual(
      service.made.changes
        .filter(({ id, changed_at }) => id > cursor && changed_at >= since)
        .map(shown),
    )
    const old = await service.get(`/v1/farmacias/changes?since=${since}&cursor=1&limit=1`)
    expect(old.body.items[0].changed_at >= since).toBe(true)
  })

  it('next_cursor and resume_cursor: a page with a next one, the last one, a full last one', async () => {
    const path = `${PATH}&cursor=${last() - 10}`
    const cursors = async (limit: number) => {
      const { body } = await service.get(`${path}&limit=${limit}`)
      return [body.items.length, body.next_cursor, body.resume_cursor]
    }
    expect(await cursors(4)).toEqual([4, last() - 6, last() - 6])
    expect(await cursors(10)).toEqual([10, null, last()])
    expect(await cursors(11)).toEqual([10, null, last()])
  })

  it('api.md row 19: 0 is the beginning; the last id and beyond it are empty and tell where to resume', async () => {
    const first = await service.get(`${PATH}&cursor=0&limit=1`)
    expect(first.body.items.map(({ id }: { id: number }) => id)).toEqual([1])
    for (const cursor of [last(), last() + 1, last() + 100_000]) {
      const { body } = await service.get(`${PATH}&cursor=${cursor}`)
      expect(body).toEqual({ items: [], next_cursor: null, resume_cursor: last() })
    }
  })

  it('since after the last commit is empty', async () => {
    const { body } = await service.get('/v1/farmacias/changes?since=2026-06-30T11:59:59Z')
    expect(body).toEqual({ items: [], next_cursor: null, resume_cursor: last() })
  })

  it('territories and the scope of a key limit the items, not the cursor', async () => {
    const mine = service.made.changes
      .filter(({ territory_code: code }) => code === 'ES-CT')
      .map(shown)
    const asked = await walkPages(service, `${PATH}&territories=ES-CT&limit=300`)
    expect(itemsOf(asked)).toEqual(mine)
    const key = await service.key(['ES-CT'])
    const scoped = await walkPages(service, `${PATH}&limit=300`, { key })
    expect(itemsOf(scoped)).toEqual(mine)
    expect(scoped.at(-1)?.body.resume_cursor).toBe(last())
  })

  it('any page is what is left of all changes, asked for alone or among others', async () => {
    const { made } = service
    const random = seededRandom(4)
    const instants = made.changes.map(({ changed_at }) => changed_at)
    const territories = ['ES-MD', 'ES-CT', 'ES-PV']
    const asked = Array.from({ length: 120 }, () => {
      const since = random.pick([BEGINNING, random.pick(instants), random.pick(instants)])
      const cursor = random.integer(last())
      const limit = random.pick([1, 199, 200, 201, 500, 2000])
      const codes = random.pick([null, null, random.pick(territories)])
      const all = made.changes.filter(
        ({ id, changed_at, territory_code }) =>
          id > cursor && changed_at >= since && (codes === null || codes === territory_code),
      )
      const query = `since=${since}&cursor=${cursor}&limit=${limit}`
      return {
        path: `/v1/farmacias/changes?${query}${codes ? `&territories=${codes}` : ''}`,
        items: all.slice(0, limit).map(shown),
        next: all.length > limit ? (all[limit - 1]?.id ?? null) : null,
      }
    })
    const check = (asking: (typeof asked)[number], body: Record<string, unknown>) => {
      expect(body.items).toEqual(asking.items)
      expect(body.next_cursor).toBe(asking.next)
    }
    for (const asking of asked) check(asking, (await service.get(asking.path)).body)
    const together = await Promise.all(asked.map(({ path }) => service.get(path)))
    for (const [n, { body }] of together.entries()) check(asked[n] as (typeof asked)[number], body)
  })

  it('pages asked for at the same time are each what they are alone', async () => {
    const expected = service.made.changes.map(shown)
    const cursors = Array.from({ length: 40 }, (_, n) => Math.floor((n * last()) / 40))
    for (const limit of [1, 300, 2000]) {
      const pages = await Promise.all(
        cursors.map((cursor) => service.get(`${PATH}&limit=${limit}&cursor=${cursor}`)),
      )
      expect(pages.map(({ body }) => body.items)).toEqual(
        cursors.map((cursor) => expected.slice(cursor, cursor + limit)),
      )
    }
  })
})

describe('400', () => {
  it.each([
    ['', 'since'],
    ['?since=2026-01-31', 'since'],
    [`?since=${BEGINNING}&cursor=-1`, 'cursor'],
    [`?since=${BEGINNING}&cursor=1.5`, 'cursor'],
    [`?since=${BEGINNING}&cursor=abc`, 'cursor'],
    [`?since=${BEGINNING}&cursor=1152921504606846976`, 'cursor'],
    [`?since=${BEGINNING}&limit=2001`, 'limit'],
  ])('%s names %s', async (query, parameter) => {
    const answer = await service.get(`/v1/farmacias/changes${query}`)
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ parameter }] } })
  })
})

describe('403', () => {
  it('a territory outside the scope is refused', async () => {
    const key = await service.key(['ES-CT'])
    const answer = await service.get(`${PATH}&territories=ES-MD`, { key })
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden_territory' } })
  })
})

describe('a registry that is damaged', () => {
  it('a change that is gone leaves out nothing else', async () => {
    const damaged = await serveMade(
      {
        seed: 23,
        territories: ['ES-MD'],
        records: 300,
        runs: 4,
        changesPerRun: 60,
        towns: 5,
        start: '2026-06-12T06:00:00.000Z',
      },
      NOW,
    )
    try {
      const { db, made } = damaged
      const index = db.alias('changes')
      const found = await db.client.search({ index, query: { term: { id: 50 } } })
      for (const { _id: id, _index } of found.hits.hits) {
        await db.client.delete({ index: _index, id: id as string, refresh: true })
      }
      const rest = made.changes.filter(({ id }) => id !== 50).map(shown)
      for (const limit of [1, 7, 49, 50, 100]) {
        expect(itemsOf(await walkPages(damaged, `${PATH}&limit=${limit}`))).toEqual(rest)
      }
    } finally {
      await damaged.close()
    }
  })
})
