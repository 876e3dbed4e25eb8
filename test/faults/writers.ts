import { setTimeout as sleep } from 'node:timers/promises'
import { serveRegistry } from '../support/service.ts'
import { openWire, type Passing, type Wire } from '../support/wire.ts'
import { checkRecovered, checkSeen } from './support/checks.ts'
import { type LoadChild, startChild } from './support/children.ts'
import { type Histories, openHistories } from './support/histories.ts'
import { type BreakableNode, openNode } from './support/node.ts'
import { startReaders } from './support/readers.ts'
import { openRegistry, type Registry } from './support/registry.ts'
import type { Figure, Scenario, Scene } from './support/scenario.ts'

const TERRITORY = 'ES-MD'
const LEASE_MS = 300
const SETTLE_MS = 150

/** A writer paused at every one of its requests in turn, while another takes over, commits, and more. */
export const pausedWriters: Scenario = {
  name: 'writers',
  async run(scene) {
    const node = await openNode()
    const wire = await openWire(node.url)
    try {
      return await pauseEverywhere(scene, { node, wire })
    } finally {
      await wire.close()
      await node.stop()
    }
  },
}

async function pauseEverywhere(
  scene: Scene,
  { node, wire }: { node: BreakableNode; wire: Wire },
): Promise<Figure[]> {
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
  const steps = await stepsOf(stage)
  // A renewal can come in between; the steps of the commit are all among these.
  const paused = new Map<string, number>()
  const endings = new Map<string, number>()
  for (const [at, step] of steps.entries()) {
    if (!scene.isLong && !isWrite(step)) continue
    const { name, ending } = await pauseAt(stage, { at, step })
    scene.say(`${name}: ${ending}`)
    paused.set(name, (paused.get(name) ?? 0) + 1)
    endings.set(ending, (endings.get(ending) ?? 0) + 1)
  }
  await readers.stop()
  await checkSeen(registry, { seen: readers.seen, violations: scene.violations, label: 'writers' })
  await service.close()
  await registry.close()
  const times = [...paused.values()].reduce((all, count) => all + count, 0)
  scene.say(`${times} pauses: ${[...paused].map(([name, count]) => `${name} ${count}`).join(', ')}`)
  return [
    {
      fault: 'writer paused past its lease, another committed, then woken',
      times,
      outcome: [...endings].map(([ending, count]) => `${ending} ${count}`).join(', '),
    },
  ]
}

interface Stage {
  scene: Scene
  node: BreakableNode
  wire: Wire
  registry: Registry
  histories: Histories
}

/** The requests of one undisturbed load, in order. */
async function stepsOf(stage: Stage): Promise<Passing[]> {
  stage.wire.passed.length = 0
  const child = startLoader(stage)
  const words = await child.ended
  stage.scene.violations.check(
    words.some((word) => word.said === 'run' && word.status === 'committed'),
    `undisturbed: ${JSON.stringify(words)}`,
  )
  return [...stage.wire.passed]
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
async function pauseAt(
  stage: Stage,
  { at, step }: { at: number; step: Passing },
): Promise<{ name: string; ending: string }> {
  const { scene, wire, registry, histories } = stage
  const name = nameOf(step)
  const label = `paused at request ${at}: ${name}`
  wire.passed.length = 0
  let seen = 0
  const held = wire.hold(() => {
    seen += 1
    return seen === at + 1
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
  return { name, ending: `sleeper ${ended ?? 'gave up'}` }
}

function isWrite({ method, path }: Passing): boolean {
  return method !== 'GET' && /_bulk|_doc|_create|_refresh/.test(path)
}

function nameOf({ method, path }: Passing): string {
  return `${method} ${path.split('?')[0]?.replace(/^\/[^/]*-(pharmacies|events|changes|runs|state)/, '/$1')}`
}
