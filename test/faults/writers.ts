import { setTimeout as sleep } from 'node:timers/promises'
import { serveRegistry } from '../support/service.ts'
import type { Passing } from '../support/wire.ts'
import { checkRecovered, checkSeen } from './support/checks.ts'
import { type LoadChild, startChild } from './support/children.ts'
import { type Histories, openHistories } from './support/histories.ts'
import { overWire, type Place } from './support/over-wire.ts'
import { startReaders } from './support/readers.ts'
import { openRegistry, type Registry } from './support/registry.ts'
import type { Figure, Scenario, Scene } from './support/scenario.ts'

const TERRITORY = 'ES-MD'
/** Longer than an undisturbed load takes, so that no renewal comes in between. */
const LEASE_MS = 2_000
const ROUNDS_LONG = 4
const SETTLE_MS = 150

/** A writer paused at every step of its commit in turn, while another takes over and commits. */
export const pausedWriters: Scenario = {
  name: 'writers',
  run: (scene) => overWire(scene, (place) => pauseEverywhere(scene, place)),
}

async function pauseEverywhere(scene: Scene, { node, wire }: Place): Promise<Figure[]> {
  const registry = await openRegistry({ url: node.url, leaseTtlMs: LEASE_MS })
  const histories = openHistories({
    folder: registry.folder,
    seed: Date.now() % 1_000_000,
    territories: [TERRITORY],
    sizes: [30, 60],
  })
  const service = await serveRegistry(registry.db)
  await registry.load(histories.request(histories.next(TERRITORY)))
  const readers = startReaders({
    urls: [service.url],
    key: await service.key(),
    histories,
    violations: scene.violations,
    mayRefuse: false,
    pauseMs: 150,
  })
  const stage = { scene, node, wire, registry, histories }
  const endings = new Map<string, number>()
  const rounds = scene.isLong ? ROUNDS_LONG : 1
  for (let round = 0; round < rounds; round += 1) {
    for (const step of STEPS) {
      const ending = await pauseAt(stage, step)
      endings.set(ending, (endings.get(ending) ?? 0) + 1)
      scene.say(`${step.name}: ${ending}`)
    }
  }
  await readers.stop()
  await checkSeen(registry, { seen: readers.seen, violations: scene.violations, label: 'writers' })
  await service.close()
  await registry.close()
  return [
    {
      fault: 'writer paused past its lease, another committed, then woken',
      times: rounds * STEPS.length,
      outcome: [...endings].map(([ending, count]) => `${ending} ${count}`).join(', '),
    },
  ]
}

interface Stage extends Place {
  scene: Scene
  registry: Registry
  histories: Histories
}

function startLoader({ wire, registry, histories }: Stage): LoadChild {
  return startChild({
    url: wire.url,
    prefix: registry.db.prefix,
    folder: registry.folder,
    leaseTtlMs: LEASE_MS,
    leaseWaitMs: 20_000,
    requestTimeoutMs: 60_000,
    patience: { attempts: 4, firstDelayMs: 50 },
    snapshots: [histories.next(TERRITORY)],
  })
}

/**
 * The loader is stopped with one request on its way: held on the wire, as by a network that stalls. When another has
 * committed twice, the request arrives, the loader wakes, and whatever it still does must not be seen.
 */
async function pauseAt(stage: Stage, { name, isIt }: Step): Promise<string> {
  const { scene, wire, registry, histories } = stage
  const label = `paused at "${name}"`
  const counts = { runs: 0, state: 0, bulks: 0, refreshes: 0 }
  const held = wire.hold((passing) => {
    const kind = kindOf(passing)
    if (kind === null) return false
    counts[kind] += 1
    return isIt(kind, counts)
  })
  const child = startLoader(stage)
  await Promise.race([held.reached, child.ended])
  child.pause()
  const before = await registry.state()
  // As a loader on a machine of its own would: it waits until the lease has run out, takes over and commits.
  const first = await registry.load(histories.request(histories.next(TERRITORY)))
  const second = await registry.load(histories.request(histories.next(TERRITORY)))
  for (const run of [first, second]) {
    scene.violations.check(run.status === 'committed', `${label}: the other ended ${run.status}`)
  }
  const after = await registry.state()
  held.release()
  await sleep(SETTLE_MS)
  child.resume()
  const words = await child.ended
  const ended = words.flatMap((word) => (word.said === 'run' ? [word.status] : []))[0]
  // What the sleeper wrote after it was swept stays invisible; nobody is told to sweep it again.
  const state = await registry.state()
  const isOvertaken = before.lease !== null && before.lease.run > before.committed_run
  if (isOvertaken) {
    scene.violations.check(ended !== 'committed', `${label}: the sleeper says it committed`)
    scene.violations.check(
      state.committed_run === after.committed_run,
      `${label}: run ${state.committed_run} was committed after ${after.committed_run}`,
    )
  }
  wire.decide(() => 'pass')
  const next = await registry.load(histories.request(histories.next(TERRITORY)))
  scene.violations.check(next.status === 'committed', `${label}: the next ended ${next.status}`)
  await checkRecovered(registry, { histories, violations: scene.violations, label })
  return `sleeper ${ended ?? 'gave up'}`
}

type Kind = 'runs' | 'state' | 'bulks' | 'refreshes'

/** One step of a load that writes, told from the order of its writes. */
interface Step {
  name: string
  isIt(kind: Kind, counts: Record<Kind, number>): boolean
}

const STEPS: readonly Step[] = [
  { name: 'take the lease', isIt: (kind) => kind === 'state' },
  { name: 'begin the journal entry', isIt: (kind) => kind === 'runs' },
  { name: 'write versions, events and changes', isIt: (kind) => kind === 'bulks' },
  { name: 'refresh', isIt: (kind) => kind === 'refreshes' },
  { name: 'write the commit record', isIt: (kind, { runs }) => kind === 'runs' && runs === 2 },
  { name: 'commit', isIt: (kind, { runs }) => kind === 'state' && runs === 2 },
  { name: 'record the end', isIt: (kind, { runs }) => kind === 'runs' && runs === 3 },
  { name: 'release the lease', isIt: (kind, { runs }) => kind === 'state' && runs === 3 },
]

function kindOf({ method, path }: Passing): Kind | null {
  if (path.includes('_bulk')) return 'bulks'
  if (path.includes('_refresh')) return 'refreshes'
  if (method !== 'PUT') return null
  return path.includes('-state/') ? 'state' : 'runs'
}
