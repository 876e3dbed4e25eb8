import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LoadRequest } from '../../src/load/context.ts'
import type { RunDocument } from '../../src/store/runs.ts'
import { inOneOrder, listed, type Model, openModel } from '../support/history.ts'
import { openTestRegistry, type TestRegistry } from '../support/loading.ts'
import { openMirror, type SeenChange } from '../support/mirror.ts'
import { loadOverWire, NO_PATIENCE } from '../support/over-wire.ts'
import { EDITS } from '../support/published.ts'
import { elasticsearchUrl } from '../support/registry.ts'
import { type Service, serveRegistry } from '../support/service.ts'
import { itemsOf, walkPages } from '../support/walk.ts'
import { openWire, type Passing, type Wire } from '../support/wire.ts'

/** The last one lags behind: what it loads later happened in the middle of what the others have loaded already. */
const TERRITORIES = ['ES-MD', 'ES-CT', 'ES-PV']
const LAGGING = 2
const WINDOW = 'from=2024-01-01T00:00:00Z'
const SHORT_LEASE_MS = 500

let folder: string
let registry: TestRegistry
let service: Service
let model: Model
let wire: Wire

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pharmacy-registry-walks-'))
  registry = await openTestRegistry()
  wire = await openWire(elasticsearchUrl())
  service = await serveRegistry(registry.db, { isFresh: true })
  model = openModel(TERRITORIES, { folder, seed: 7 })
  await load(LAGGING)
  for (let at = 0; at < 8; at++) await load(at % LAGGING)
})
afterAll(async () => {
  await service.close()
  await registry.close()
  await wire.close()
  rmSync(folder, { recursive: true, force: true })
})

let dealt = 0

/** What the next load of a territory brings: several edits, one move among them. */
function delivery(territory: number) {
  dealt += 1
  const edits = [0, 1, 2, 3].map((at) => EDITS[(dealt * 3 + at) % 7] ?? 'open')
  const { definition, text, observedAt } = model.deliver({
    territory,
    kind: 'load',
    edits: [...edits, 'move'],
    isStrict: false,
    isRaised: false,
    decision: null,
    seed: dealt,
  })
  const file = join(folder, `${dealt}.csv`)
  writeFileSync(file, text)
  return { definition, file, observedAt }
}

async function load(territory: number, request = delivery(territory)): Promise<RunDocument> {
  const [run] = await registry.load(request)
  expect(run).toMatchObject({ status: 'committed' })
  return run as RunDocument
}

/** Longer than it takes: many loads, and the machine may be busy. */
const PATIENT = { timeout: 180_000 }

describe('a walk of events', PATIENT, () => {
  const isAny = () => true
  const isMove = ({ event_type }: { event_type: string }) => event_type === 'relocated'
  const asRelocation = ({ event_type: _type, ...event }: Record<string, unknown>) => event

  describe.each([
    { path: '/v1/farmacias/business-events', counts: isAny, shape: (event: object) => event },
    { path: '/v1/farmacias/relocations', counts: isMove, shape: asRelocation },
  ])('of $path', ({ path, counts, shape }) => {
    /** All there is now in one page, after it was compared with what spec section 3 gives for the files loaded. */
    const everything = async (): Promise<Record<string, unknown>[]> => {
      const { body } = await service.get(`${path}?${WINDOW}&limit=5000`)
      expect(body.next_cursor).toBe(null)
      const seen = body.items.map(
        ({ distance_meters: _meters, ...item }: Record<string, unknown>) => item,
      )
      expect(inOneOrder(seen)).toEqual(
        inOneOrder(model.events.filter(counts)).map((event) => shape(event as never)),
      )
      const order = seen.map((item: { occurred_at: string; event_id: string }) => [
        item.occurred_at,
        Number(item.event_id),
      ])
      expect(order).toEqual(order.toSorted(newestFirst))
      return body.items
    }

    test.each([
      ['1', () => 1],
      ['2', () => 2],
      ['3', () => 3],
      ['7', () => 7],
      ['n − 1', (n: number) => n - 1],
      ['n', (n: number) => n],
      ['n + 1', (n: number) => n + 1],
    ])(
      'by %s, while loads commit between pages, stays the state at its start',
      async (_label, limitOf) => {
        const before = await everything()
        const limit = limitOf(before.length)
        let loads = 0
        const between = async () => {
          // One in the middle of the walk's dates, one newer than all of them.
          if (loads < 2) await load([LAGGING, 0][loads++] ?? 0)
        }
        const pages = await walkPages(service, `${path}?${WINDOW}&limit=${limit}`, { between })
        expect(itemsOf(pages)).toEqual(before)
        expect(pages.map((page) => page.body.items.length)).toEqual(lengths(before.length, limit))
        expect(new Set(pages.map(({ body }) => `${body.from} ${body.to}`)).size).toBe(1)
        if (loads > 0) expect((await everything()).length).toBeGreaterThan(before.length)
      },
    )

    test('goes on as it began after an attempt that died half-way, and after its number was abandoned', async () => {
      const before = await everything()
      const next = delivery(0)
      let pages = 0
      const between = async () => {
        pages += 1
        if (pages === 1) await dieBeforeTheCommit(next)
        if (pages === 3) await load(0, next)
      }
      const walk = await walkPages(service, `${path}?${WINDOW}&limit=3`, { between })
      expect(itemsOf(walk)).toEqual(before)
      expect(pages).toBeGreaterThan(3)
      expect(await registry.broken()).toEqual([])
    })
  })
})

type Position = readonly [string, number]
const newestFirst = ([a, m]: Position, [b, n]: Position) => b.localeCompare(a) || n - m

/** How long each page of a walk is; there is always one. */
function lengths(total: number, limit: number): number[] {
  const full = Array.from({ length: Math.floor(total / limit) }, () => limit)
  const rest = total % limit
  return rest > 0 || total === 0 ? [...full, rest] : full
}

/** Everything is written, and the connection breaks before the run commits. */
async function dieBeforeTheCommit(request: LoadRequest): Promise<void> {
  let isWritten = false
  wire.decide(({ path }) => {
    isWritten ||= path.includes('_bulk')
    return isWritten && !path.includes('_bulk') ? 'drop' : 'pass'
  })
  const run = await loadOverWire(registry, wire, {
    request,
    patience: NO_PATIENCE,
    leaseTtlMs: SHORT_LEASE_MS,
  })
  expect(run).toMatchObject({ status: 'failed' })
  wire.decide(() => 'pass')
}

describe('changes', PATIENT, () => {
  test('polled while loads commit: every id once and in order, and the copy is the dataset', async () => {
    // As in production, the state that answers go by may be a second old.
    const production = await serveRegistry(registry.db)
    const mirror = openMirror(production, { limit: 7 })
    const seen: SeenChange[] = []
    let isLoading = true
    const loading = (async () => {
      for (let at = 0; at < 9; at++) await load(at % TERRITORIES.length)
      isLoading = false
    })()
    const last = async () => (await registry.state()).last_change_id
    while (isLoading || seen.length < (await last())) seen.push(...(await mirror.poll()))
    await loading
    await production.close()

    expect(seen.map(({ id }) => id)).toEqual(
      Array.from({ length: await last() }, (_, at) => at + 1),
    )
    for (const { code, loaded } of model.territories) {
      expect(mirror.records(code)).toEqual(listed(loaded?.dataset ?? new Map()))
    }
  })

  const changesSince = async (since: string): Promise<SeenChange[]> =>
    (await service.get(`/v1/farmacias/changes?since=${since}&limit=2000`)).body.items

  /** A load that is held at one of its requests while somebody polls; what the poll saw, and the run after all. */
  const pollDuringLoad = async (isHeld: (passing: Passing) => boolean) => {
    const held = wire.hold(isHeld)
    const loading = loadOverWire(registry, wire, { request: delivery(0), patience: NO_PATIENCE })
    await held.reached
    const polledAt = new Date().toISOString()
    const items = await changesSince('2024-01-01T00:00:00Z')
    held.release()
    const ended = await loading
    expect(ended).toMatchObject({ status: 'committed' })
    const { run, run_id } = ended as RunDocument
    const ids = (await registry.changesOfRun(run)).map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(0)
    expect(items.filter((item) => item.run_id === run_id)).toEqual([])
    return { polledAt, newest: items.at(-1)?.changed_at ?? '', run_id, ids }
  }
  const idsSince = async (since: string, run: string) =>
    (await changesSince(since)).filter(({ run_id }) => run_id === run).map(({ id }) => id)

  test.each([
    [
      'before it writes',
      ({ method, path }: Passing) => method === 'PUT' && path.includes('-runs/'),
    ],
    ['while it writes', ({ path }: Passing) => path.startsWith('/_bulk')],
    ['after it has written', ({ path }: Passing) => path.endsWith('/_refresh')],
  ])(
    'a poll that goes on from the instant of the one before loses nothing of a slow load: %s',
    async (_when, isHeld) => {
      const { polledAt, newest, run_id, ids } = await pollDuringLoad(isHeld)
      expect(await idsSince(polledAt, run_id)).toEqual(ids)
      expect(await idsSince(newest, run_id)).toEqual(ids)
    },
  )

  test.each([
    ['at its commit record', /-runs\/_doc\//],
    ['at its commit', /-state\/_doc\//],
  ])('nor does one that goes on from the last changed_at it saw: %s', async (_when, document) => {
    // The first such write takes the lease, or begins the entry in the journal.
    let writes = 0
    const isHeld = ({ method, path }: Passing) =>
      method === 'PUT' && document.test(path) && ++writes === 2
    const { newest, run_id, ids } = await pollDuringLoad(isHeld)
    expect(await idsSince(newest, run_id)).toEqual(ids)
  })
})
