import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { approveRun } from '../../src/load/quarantine.ts'
import { getRun, type RunDocument } from '../../src/store/runs.ts'
import { openTestRegistry, type TestRegistry } from '../support/loading.ts'
import { loadOverWire, NO_PATIENCE, openOverWire } from '../support/over-wire.ts'
import { aListed, type Listed, registerDefinition, writeRegister } from '../support/register.ts'
import { elasticsearchUrl } from '../support/registry.ts'
import { type Fate, openWire, type Passing, type Wire } from '../support/wire.ts'

/** A register before and after a day on which everything happens. */
const BEFORE: Listed[] = Array.from({ length: 12 }, (_, at) => aListed(`P${100 + at}`))
const AFTER: Listed[] = [
  ...BEFORE.slice(2, 8),
  aListed('P108', { address: 'Plaza Otra 1', city: 'Otravilla' }),
  aListed('P109', { owner: 'Titular Nuevo' }),
  aListed('P110', { state: 'C' }),
  aListed('P111', { name: 'FARMACIA INVENTADA P111' }),
  aListed('P200'),
]

const DAY_1 = '2024-01-01T06:00:00.000Z'
const DAY_2 = '2024-02-01T06:00:00.000Z'
/** long enough for a load on a busy machine, short enough to wait for */
const SHORT_LEASE_MS = 500

let folder: string
let wire: Wire
let registry: TestRegistry

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pharmacy-registry-commit-'))
  wire = await openWire(elasticsearchUrl())
  registry = await openTestRegistry()
})
afterAll(async () => {
  await wire.close()
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Day {
  territory: string
  register: readonly Listed[]
  observedAt: string
}

/** No patience, and a lease that is soon over: what is cut stays cut. */
function loadInterrupted(day: Day): Promise<RunDocument | Error> {
  return loadOverWire(registry, wire, {
    request: requestOf(day),
    patience: NO_PATIENCE,
    leaseTtlMs: SHORT_LEASE_MS,
    owner: 'interrupted',
  })
}

async function loadUndisturbed(day: Day): Promise<RunDocument> {
  const [run] = await registry.load(requestOf(day))
  return run as RunDocument
}

function requestOf({ territory, register, observedAt }: Day) {
  const file = writeRegister(folder, `${territory}-${observedAt.slice(0, 10)}`, register)
  return { definition: registerDefinition(folder, { territory }), file, observedAt }
}

/** What the last committed run left, without what tells one territory or attempt from another. */
async function outcome(territory: string, since: { last_change_id: number; last_seq: number }) {
  const { committed_run: run, last_change_id, last_seq } = await registry.state()
  const events = await registry.eventsOfRun(run)
  const changes = await registry.changesOfRun(run)
  const text = JSON.stringify({
    current: [...(await registry.current(territory))],
    events: events.map(({ run: _run, run_id: _id, seq, ...event }) => ({
      ...event,
      seq: seq - since.last_seq,
    })),
    changes: changes.map(({ run: _run, run_id: _id, id, ...change }) => ({
      ...change,
      id: id - since.last_change_id,
    })),
    new_changes: last_change_id - since.last_change_id,
    new_events: last_seq - since.last_seq,
  })
  return JSON.parse(
    text.replaceAll(territory, 'ES-XX').replaceAll(territory.toLowerCase(), 'es-xx'),
  ) as unknown
}

/** ES-AA, ES-AB …: every cut has a territory of its own, so that one registry serves all. */
function territoryNumber(at: number): string {
  return `ES-${String.fromCharCode(65 + Math.floor(at / 26), 65 + (at % 26))}`
}

/** The answer of a read that is lost is as good as a read that never was; of a write it is not. */
function fatesOf({ method, path }: { method: string; path: string }): Fate[] {
  const isWrite =
    method === 'PUT' || method === 'DELETE' || /_bulk|_doc|_create|_refresh/.test(path)
  return isWrite && method !== 'GET' ? ['drop', 'lose'] : ['drop']
}

describe('a commit that is interrupted', () => {
  test('at any request, before it or before its answer: nothing is lost, doubled or visible early', {
    timeout: 600_000,
  }, async () => {
    let territories = 0
    const next = () => territoryNumber(territories++)
    const dayBefore = (territory: string): Day => ({
      territory,
      register: BEFORE,
      observedAt: DAY_1,
    })
    const dayAfter = (territory: string): Day => ({ territory, register: AFTER, observedAt: DAY_2 })

    const first = next()
    await loadUndisturbed(dayBefore(first))
    const start = await registry.state()
    wire.passed.length = 0
    expect(await loadInterrupted(dayAfter(first))).toMatchObject({ status: 'committed' })
    const requests = [...wire.passed]
    const undisturbed = await outcome(first, start)

    for (const [cut, { method, path }] of requests.entries()) {
      for (const fate of fatesOf({ method, path })) {
        const label = `${fate} at request ${cut}: ${method} ${path}`
        const territory = next()
        const baseline = await loadUndisturbed(dayBefore(territory))
        const since = await registry.state()
        wire.passed.length = 0
        wire.decide(({ index }) => {
          if (index < cut) return 'pass'
          return index === cut ? fate : 'drop'
        })
        const interrupted = await loadInterrupted(dayAfter(territory))

        const hasCommitted = (await registry.state()).committed_run !== baseline.run
        if (!hasCommitted) {
          const ids = [...(await registry.current(territory)).keys()]
          expect(ids, label).toEqual(BEFORE.map(({ id }) => id))
          expect(interrupted, label).not.toMatchObject({ status: 'committed' })
        }
        const repeated = await loadUndisturbed(dayAfter(territory))
        expect(repeated, label).toMatchObject({ status: hasCommitted ? 'unchanged' : 'committed' })
        expect(await outcome(territory, since), label).toEqual(undisturbed)
        expect(await registry.broken(), label).toEqual([])
      }
    }
  })
})

describe('a first load', () => {
  /** Two ids are listed twice, each time with more in the second row: it is the second that counts. */
  const LISTED: Listed[] = [
    ...BEFORE,
    aListed('P105', { postalCode: '28099', state: 'C', name: 'FARMACIA QUE VALE' }),
    aListed('P102', { postalCode: '28099', city: 'Otravilla' }),
  ]
  const TRUE = BEFORE.map((listed) => LISTED.findLast(({ id }) => id === listed.id) as Listed)
  const requestFor = (territory: string, register: readonly Listed[]) => {
    const request = requestOf({ territory, register, observedAt: DAY_1 })
    const duplicates = { conflicting: { prefer: 'cp', order: 'max' as const } }
    return { ...request, definition: { ...request.definition, duplicates } }
  }
  const contentOf = async (territory: string) => {
    const records = [...(await registry.current(territory)).values()]
    return records.map(({ external_id, name, city, is_active }) => [
      external_id,
      name,
      city,
      is_active,
    ])
  }
  const expected = TRUE.map(({ id, name, city, state }) => [id, name, city, state === 'A'])

  test('writes what wins where rows contradict each other, and one change for each', async () => {
    const since = await registry.state()
    const [run] = await registry.load(requestFor('ES-YA', LISTED))
    expect(run).toMatchObject({
      status: 'committed',
      counts: { read: 14, added: 12, duplicates: 2 },
    })
    expect(await contentOf('ES-YA')).toEqual(expected)
    const state = await registry.state()
    expect(state.territories['ES-YA']).toMatchObject({ active: 11, inactive: 1 })
    const changes = await registry.changesOfRun(state.committed_run)
    expect(changes.map(({ id }) => id - since.last_change_id)).toEqual(TRUE.map((_, n) => n + 1))
    expect(changes.map(({ payload }) => payload.name)).toEqual(TRUE.map(({ name }) => name))
    expect(await registry.broken()).toEqual([])
  })

  test('is invisible and swept away when its file turns out to be unfit at its end', async () => {
    const unfit = [...BEFORE, ...BEFORE.map((listed) => ({ ...listed, id: '' }))]
    const [failed] = await registry.load(requestFor('ES-YB', unfit))
    expect(failed).toMatchObject({ status: 'failed', reasons: [{ code: 'too_many_rejected' }] })
    expect(await contentOf('ES-YB')).toEqual([])
    expect((await registry.state()).territories).not.toHaveProperty('ES-YB')
    expect(await registry.broken()).toEqual([])
    const [run] = await registry.load(requestFor('ES-YB', LISTED))
    expect(run?.status).toBe('committed')
    expect(await contentOf('ES-YB')).toEqual(expected)
    expect(await registry.broken()).toEqual([])
  })

  test.each(['lose', 'drop', 'refuse'] as const)(
    'is whole when every other request of its writing meets %s and is sent again',
    async (fate) => {
      const territory = { lose: 'ES-YC', drop: 'ES-YD', refuse: 'ES-YE' }[fate]
      let writes = 0
      wire.decide(({ path }) => {
        if (!path.startsWith('/_bulk')) return 'pass'
        writes += 1
        return writes % 2 === 1 ? fate : 'pass'
      })
      const run = await loadOverWire(registry, wire, {
        request: requestFor(territory, LISTED),
        patience: { attempts: 5, firstDelayMs: 1 },
        owner: 'patient',
      })
      wire.decide(() => 'pass')
      expect(run).toMatchObject({ status: 'committed' })
      // Twice each: what was read, and what replaced some of it.
      expect(writes).toBe(4)
      expect(await contentOf(territory)).toEqual(expected)
      expect(await registry.broken()).toEqual([])
    },
  )

  test('that is large is made searchable as it goes; where that fails, before the commit', {
    timeout: 120_000,
  }, async () => {
    const large = Array.from({ length: 76_000 }, (_, at) => aListed(`G${at}`))
    /** what it asks for once it writes: before that it sweeps, which refreshes too */
    const writing = () => {
      const created = wire.passed.findIndex(
        ({ method, path }) => method === 'PUT' && path.includes('-runs/'),
      )
      return wire.passed.slice(created + 1).map(({ path }) => /_bulk|_refresh/.exec(path)?.[0])
    }
    const since = await registry.state()
    wire.passed.length = 0
    let refused = 0
    wire.decide(({ path }) => {
      const isAlong = path.includes('_refresh') && writing().includes('_bulk') && refused === 0
      if (isAlong) refused += 1
      return isAlong ? 'refuse' : 'pass'
    })
    const run = await loadOverWire(registry, wire, {
      request: requestFor('ES-YF', large),
      patience: NO_PATIENCE,
      owner: 'large',
    })
    wire.decide(() => 'pass')
    expect(run).toMatchObject({ status: 'committed' })
    expect(refused).toBe(1)
    expect(writing().filter((name) => name === '_refresh')).toHaveLength(2)
    expect(writing().indexOf('_refresh')).toBeLessThan(writing().lastIndexOf('_bulk'))
    const state = await registry.state()
    expect(state.territories['ES-YF']).toMatchObject({ active: 76_000 })
    expect(state.last_change_id - since.last_change_id).toBe(76_000)
    expect(await registry.broken()).toEqual([])
  })

  test('that is cut at any request leaves nothing, and the next one is whole', {
    timeout: 300_000,
  }, async () => {
    let territories = 0
    const next = () => `ES-X${String.fromCharCode(65 + territories++)}`
    wire.passed.length = 0
    const uncut = { request: requestFor(next(), LISTED), patience: NO_PATIENCE }
    await loadOverWire(registry, wire, { ...uncut, leaseTtlMs: SHORT_LEASE_MS, owner: 'uncut' })
    const requests = [...wire.passed]
    for (const [cut, { method, path }] of requests.entries()) {
      for (const fate of fatesOf({ method, path })) {
        const label = `${fate} at request ${cut}: ${method} ${path}`
        const territory = next()
        wire.passed.length = 0
        wire.decide(({ index }) => {
          if (index < cut) return 'pass'
          return index === cut ? fate : 'drop'
        })
        const request = requestFor(territory, LISTED)
        const more = { leaseTtlMs: SHORT_LEASE_MS, owner: 'cut' }
        await loadOverWire(registry, wire, { request, patience: NO_PATIENCE, ...more })
        wire.decide(() => 'pass')
        await registry.load(request)
        expect(await contentOf(territory), label).toEqual(expected)
      }
    }
    // A gap, a repeat or two versions at once would stay: what every cut left is looked through together.
    expect(await registry.broken()).toEqual([])
  })
})

describe('an approval that is interrupted', () => {
  /** A quarantined run of a territory of its own. */
  const quarantine = async (territory: string): Promise<RunDocument> => {
    await loadUndisturbed({ territory, register: BEFORE, observedAt: DAY_1 })
    const request = requestOf({ territory, register: AFTER, observedAt: DAY_2 })
    const guards = { max_growth_ratio: 0.05, max_removed_ratio: 0.05, floor: 0 }
    const definition = { ...request.definition, guards }
    const [run] = await registry.load({ ...request, definition })
    return run as RunDocument
  }
  const journal = async ({ run_id }: RunDocument) =>
    (await getRun(registry.db, run_id)) as RunDocument
  const isCommit = ({ method, path }: Passing, writes: number) =>
    method === 'PUT' && path.includes('-state/') && writes > 0

  test.each([
    ['at its first bulk', 'ES-ZA', 'drop', ({ path }: Passing) => path.startsWith('/_bulk')],
    [
      'at its commit record',
      'ES-ZB',
      'lose',
      ({ path }: Passing, bulks: number) => bulks > 0 && path.includes('-runs/'),
    ],
    ['before its commit', 'ES-ZC', 'drop', isCommit],
  ] as const)(
    '%s: the run waits as before, and can be approved again',
    async (_when, territory, fate, isIt) => {
      const waiting = await quarantine(territory)
      expect(waiting.status).toBe('quarantined')
      let bulks = 0
      let isCut = false
      wire.decide((passing) => {
        if (isCut) return 'drop'
        isCut = isIt(passing, bulks)
        if (passing.path.startsWith('/_bulk')) bulks += 1
        return isCut ? fate : 'pass'
      })
      const db = openOverWire(registry, wire, NO_PATIENCE)
      const context = { ...registry.context, db, leaseTtlMs: SHORT_LEASE_MS, owner: 'interrupted' }
      await approveRun(context, waiting)
      await db.client.close()
      wire.decide(() => 'pass')
      expect(isCut).toBe(true)

      // Whoever loads next settles what the dead attempt left.
      await loadUndisturbed({ territory: 'ES-ZZ', register: BEFORE, observedAt: DAY_1 })
      const { raw, status, reasons } = await journal(waiting)
      expect({ raw, status, reasons }).toEqual({
        raw: waiting.raw,
        status: 'quarantined',
        reasons: waiting.reasons,
      })
      expect(await registry.broken()).toEqual([])
      const { status: approved, events } = await approveRun(
        registry.context,
        await journal(waiting),
      )
      expect({ approved, events }).toEqual({ approved: 'committed', events: waiting.events })
      expect(await registry.broken()).toEqual([])
    },
  )
})
