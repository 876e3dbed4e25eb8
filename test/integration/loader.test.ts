import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SourceDefinition } from '../../src/domain/definition.ts'
import type { LoadContext } from '../../src/load/context.ts'
import { loadAll } from '../../src/load/load-all.ts'
import { type Loader, startLoader } from '../../src/load/schedule.ts'
import { LeaseHeld } from '../../src/store/lease.ts'
import { listRuns, type RunDocument } from '../../src/store/runs.ts'
import { openTestRegistry, type TestRegistry } from '../support/loading.ts'
import { NO_PATIENCE, openOverWire } from '../support/over-wire.ts'
import { aListed, type Listed, registerDefinition, writeRegister } from '../support/register.ts'
import { elasticsearchUrl } from '../support/registry.ts'
import { openWire, type Passing, type Wire } from '../support/wire.ts'

/** Once a year: nothing that a test waits for. */
const HARDLY_EVER = '0 5 1 1 *'
const EVERY_SECOND = '* * * * * *'

let folder: string
let registry: TestRegistry
let wire: Wire
/** the registry as the loaders of these tests reach it */
let overWire: LoadContext
let lines: string[]
let running: Loader[]
let territories = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pharmacy-registry-loader-'))
  registry = await openTestRegistry()
  wire = await openWire(elasticsearchUrl())
  overWire = { ...registry.context, db: openOverWire(registry, wire, NO_PATIENCE) }
})
afterAll(async () => {
  await overWire.db.client.close()
  await registry.close()
  await wire.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  lines = []
  running = []
  wire.decide(() => 'pass')
})
afterEach(async () => {
  wire.decide(() => 'pass')
  await Promise.all(running.map((loader) => loader.stop()))
})

/** A source of a territory of its own, whose file holds these pharmacies. */
function source(
  rows: readonly Listed[],
  schedule = HARDLY_EVER,
): SourceDefinition & { territory: string } {
  const territory = `ES-${String.fromCharCode(65 + Math.floor(territories / 26), 65 + (territories % 26))}`
  territories += 1
  writeRegister(folder, territory, rows)
  const fetch = { kind: 'file', path: `./${territory}.csv` } as const
  return { ...registerDefinition(folder, { territory, schedule, fetch }), territory }
}

const SOME = [aListed('P1'), aListed('P2')]
const MORE = [...SOME, aListed('P3')]

function start(definitions: readonly SourceDefinition[], more: Partial<LoadContext> = {}): Loader {
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) })
  const loader = startLoader({ ...overWire, leaseWaitMs: 0, log, ...more }, definitions)
  running.push(loader)
  return loader
}

/** What the journal says of a territory, oldest first. */
async function journal({ territory }: { territory: string }): Promise<RunDocument[]> {
  const { items } = await listRuns(registry.db, { territories: [territory], limit: 100 })
  return items.reverse()
}

async function statuses(of: { territory: string }): Promise<string[]> {
  return (await journal(of)).map(({ status }) => status)
}

async function idsOf({ territory }: { territory: string }): Promise<string[]> {
  return [...(await registry.current(territory)).keys()]
}

async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isTrue()) return
    await sleep(50)
  }
  throw new Error(`never happened: ${what}; log: ${lines.join('')}`)
}

const isBulk = ({ path }: Passing) => path.startsWith('/_bulk')
const isLogged = (text: string) => lines.some((line) => line.includes(text))
const hasEnded = async (of: { territory: string }) => {
  const all = await statuses(of)
  return all.length > 0 && !all.includes('running')
}

/** Longer than it takes: clocks are waited for, and the machine may be busy. */
const PATIENT = { timeout: 180_000 }

describe('the schedule', PATIENT, () => {
  test('a territory that was never loaded is loaded at once, any other when its time comes', async () => {
    const known = source(SOME)
    const fresh = source(SOME)
    await registry.load({ definition: known })
    start([known, fresh])
    await until(() => isLogged('run ended'), 'the first load')
    expect(await statuses(fresh)).toEqual(['committed'])
    expect(await statuses(known)).toEqual(['committed'])
    await sleep(200)
    expect(await statuses(known)).toEqual(['committed'])
  })

  test('a disabled source is left alone', async () => {
    const off = { ...source(SOME), enabled: false }
    const on = source(SOME)
    start([off, on])
    await until(() => hasEnded(on), 'the load of the other')
    expect(await statuses(off)).toEqual([])
  })

  test('a source that fails does not stop the next one, and is tried again on schedule', async () => {
    const broken = source([], EVERY_SECOND)
    const sound = source(SOME)
    start([broken, sound])
    await until(
      async () => (await statuses(sound)).includes('committed'),
      'the load of the sound one',
    )
    writeRegister(folder, broken.territory, SOME)
    await until(
      async () => (await statuses(broken)).includes('committed'),
      'the load of the mended one',
    )
    const [first] = await journal(broken)
    expect(first).toMatchObject({ status: 'failed', reasons: [{ code: 'empty_dataset' }] })
  })

  test('a definition waits once, however often its time comes while another is loading', async () => {
    const slow = source(SOME)
    const ticking = source(SOME)
    await registry.load({ definition: ticking })
    const held = wire.hold(isBulk)
    // Seconds of the clock, so that it comes exactly twice while the other one is held.
    const second = new Date().getSeconds()
    const schedule = `${(second + 2) % 60},${(second + 3) % 60} * * * * *`
    start([slow, { ...ticking, schedule }])
    await held.reached
    await sleep(3_500)
    held.release()
    await until(async () => (await journal(ticking)).length > 1, 'the load that waited')
    await sleep(700)
    expect(await statuses(slow)).toEqual(['committed'])
    expect(await statuses(ticking)).toEqual(['committed', 'unchanged'])
  })
})

describe('stop', PATIENT, () => {
  test('in the middle of a run: it ends failed, nothing of it is served, and the next load is fine', async () => {
    const definition = source(SOME)
    await registry.load({ definition })
    writeRegister(folder, definition.territory, MORE)
    const held = wire.hold(({ method, path }) => method === 'PUT' && path.includes('-runs/'))
    const loader = start([{ ...definition, schedule: EVERY_SECOND }])
    await held.reached
    const stopped = loader.stop()
    held.release()
    await stopped
    expect((await journal(definition)).at(-1)).toMatchObject({
      status: 'failed',
      reasons: [{ code: 'stopped', detail: 'The loader was stopped while this run was going on.' }],
    })
    expect((await registry.state()).lease).toBe(null)
    expect(await idsOf(definition)).toEqual(['P1', 'P2'])
    expect(await registry.broken()).toEqual([])
    expect(await registry.load({ definition })).toMatchObject([{ status: 'committed' }])
    expect(await idsOf(definition)).toEqual(['P1', 'P2', 'P3'])
  })

  test('while a large load is writing: what it wrote is never seen, and is swept by the next', async () => {
    const many = Array.from({ length: 6_000 }, (_, at) => aListed(`P${10_000 + at}`))
    const definition = source(many)
    const written = Promise.withResolvers<'pass'>()
    const reached = Promise.withResolvers<void>()
    wire.decide((passing) => {
      if (!isBulk(passing)) return 'pass'
      reached.resolve()
      return written.promise
    })
    const loader = start([definition])
    await reached.promise
    const stopped = loader.stop()
    written.resolve('pass')
    await stopped
    const [run] = await journal(definition)
    expect(run).toMatchObject({ status: 'failed', reasons: [{ code: 'stopped' }] })
    const { abandoned, lease } = await registry.state()
    expect({ lease, isAbandoned: abandoned.includes(run?.run ?? 0) }).toEqual({
      lease: null,
      isAbandoned: true,
    })
    expect(await idsOf(definition)).toEqual([])
    expect(await registry.broken()).toEqual([])
    expect(await registry.load({ definition })).toMatchObject([
      { status: 'committed', baseline: true },
    ])
    expect(await idsOf(definition)).toHaveLength(many.length)
    expect((await registry.state()).unswept).toEqual([])
    expect(await registry.broken()).toEqual([])
  })

  test('twice, or with nothing going on, is no matter', async () => {
    const loader = start([])
    await loader.stop()
    await loader.stop()
  })
})

describe('the lease', PATIENT, () => {
  /** A load that is held while it writes, under a name of its own. */
  const holding = async (definition: SourceDefinition) => {
    const held = wire.hold(isBulk)
    const first = collect({ ...overWire, owner: 'the first loader' }, definition)
    await held.reached
    return { release: held.release, first }
  }
  const collect = async (context: LoadContext, definition: SourceDefinition) => {
    const runs: RunDocument[] = []
    for await (const run of loadAll(context, [{ definition }])) runs.push(run)
    return runs
  }

  test('a second loader skips while it is held, says by whom, and loads when its time comes again', async () => {
    const waiting = source(SOME, EVERY_SECOND)
    const { release, first } = await holding(source(SOME))
    start([waiting], { db: registry.db })
    await until(() => isLogged('skipped: another loader is at work'), 'the skipped load')
    const skipped = lines
      .map((line) => JSON.parse(line))
      .find(({ msg }) => msg.startsWith('skipped'))
    expect(skipped).toMatchObject({ source: waiting.slug, owner: 'the first loader' })
    expect(await statuses(waiting)).toEqual([])
    release()
    expect(await first).toMatchObject([{ status: 'committed' }])
    await until(async () => (await statuses(waiting)).includes('committed'), 'the load after all')
  })

  test('a load waits for it, and gives up with the name of its holder', async () => {
    const definition = source(SOME)
    const { release, first } = await holding(source(SOME))
    const began = performance.now()
    const impatient = collect({ ...registry.context, leaseWaitMs: 400 }, definition)
    await expect(impatient).rejects.toThrow(LeaseHeld)
    await expect(impatient).rejects.toMatchObject({ owner: 'the first loader' })
    expect(performance.now() - began).toBeGreaterThanOrEqual(400)

    const patient = collect({ ...registry.context, leaseWaitMs: 20_000 }, definition)
    release()
    expect(await first).toMatchObject([{ status: 'committed' }])
    expect(await patient).toMatchObject([{ status: 'committed' }])
  })

  test('a load that waits for it can be stopped', async () => {
    const { release, first } = await holding(source(SOME))
    const stopping = new AbortController()
    const waiting = collect(
      { ...registry.context, leaseWaitMs: 20_000, signal: stopping.signal },
      source(SOME),
    )
    setTimeout(() => stopping.abort(), 100)
    await expect(waiting).rejects.toThrow('aborted')
    release()
    await first
  })
})

describe('Elasticsearch away for a while', PATIENT, () => {
  const SHORT_LEASE_MS = 600

  let isWritten = false
  const isCommit = ({ method, path }: Passing) => {
    isWritten ||= path.endsWith('/_refresh')
    return isWritten && method === 'PUT' && path.includes('-state/')
  }

  test.each([
    ['between loads', () => true],
    ['from the middle of a run on', isBulk],
    ['from the commit of a run on', isCommit],
  ])('%s: the schedule goes on, and the loader recovers by itself', async (_when, begins) => {
    const definition = source(SOME, EVERY_SECOND)
    await registry.load({ definition })
    start([definition], { leaseTtlMs: SHORT_LEASE_MS })
    await until(() => isLogged('run ended'), 'a load on schedule')
    let isAway = false
    let isBack = false
    wire.decide((passing) => {
      isAway ||= begins(passing)
      return isAway && !isBack ? 'drop' : 'pass'
    })
    writeRegister(folder, definition.territory, MORE)
    await until(() => lines.some((line) => JSON.parse(line).level >= 50), 'the fault in the log')
    await sleep(SHORT_LEASE_MS)
    expect(await idsOf(definition)).toEqual(['P1', 'P2'])
    isBack = true
    await until(async () => (await idsOf(definition)).length === 3, 'the load after all')
    await Promise.all(running.map((loader) => loader.stop()))
    expect((await journal(definition)).map(({ status }) => status)).not.toContain('running')
    expect((await registry.state()).lease).toBe(null)
    expect(await registry.broken()).toEqual([])
  })
})
