import { setTimeout as sleep } from 'node:timers/promises'
import { countByRun } from '../../src/store/scan.ts'
import { type Random, seededRandom } from '../support/random.ts'
import { serveRegistry } from '../support/service.ts'
import { checkRecovered, checkSeen } from './support/checks.ts'
import { startChild } from './support/children.ts'
import { type Histories, openHistories } from './support/histories.ts'
import type { BreakableNode } from './support/node.ts'
import { startReaders } from './support/readers.ts'
import { openRegistry, type Registry } from './support/registry.ts'
import type { Figure, Scenario, Scene } from './support/scenario.ts'

const KILLS = { short: 15, long: 220 }
/** A registry grows with every kill, and with it the time to verify it. */
const KILLS_PER_REGISTRY = 20
const TERRITORIES = ['ES-MD', 'ES-CT', 'ES-AN']
const LEASE_MS = 300
const SNAPSHOTS_PER_CHILD = 12
const LONGEST_LIFE_MS = 1_500
const PATIENCE = { attempts: 6, firstDelayMs: 50 }

/** Where a killed loader was, as its traces tell. */
const STAGES = [
  'between two runs, or before the first',
  'before anything was written',
  'with documents written',
  'after the commit, before it was recorded',
] as const
type Stage = (typeof STAGES)[number]

/** Loaders in processes of their own, killed at random moments while clients read. */
export const kills: Scenario = {
  name: 'kills',
  async run(scene) {
    const node = await scene.node()
    return killMany(scene, node)
  },
}

async function killMany(scene: Scene, node: BreakableNode): Promise<Figure[]> {
  const seed = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000)
  scene.say(`seed ${seed}`)
  const random = seededRandom(seed)
  const wanted = scene.isLong ? KILLS.long : KILLS.short
  const stages = new Map<Stage, number>(STAGES.map((stage) => [stage, 0]))
  let killed = 0
  let recovered = 0
  let answers = 0
  for (let batch = 0; killed < wanted; batch += 1) {
    const target = Math.min(wanted, killed + KILLS_PER_REGISTRY)
    const registry = await openRegistry({ url: node.url, leaseTtlMs: LEASE_MS, patience: PATIENCE })
    const sizes: [number, number] = batch % 3 === 2 ? [800, 1_500] : [20, 200]
    const histories = openHistories({
      folder: registry.folder,
      seed: random.integer(1_000_000),
      territories: TERRITORIES,
      sizes,
    })
    const service = await serveRegistry(registry.db)
    for (const territory of TERRITORIES) {
      await registry.load(histories.request(histories.next(territory)))
    }
    const readers = startReaders({
      urls: [service.url],
      key: await service.key(),
      histories,
      violations: scene.violations,
      mayRefuse: false,
      pauseMs: 150,
    })
    while (killed < target) {
      const label = `kill ${killed + 1}, batch ${batch}, seed ${seed}`
      const stage = await killOne(node, { registry, histories, random })
      if (stage === null) continue
      killed += 1
      stages.set(stage, (stages.get(stage) ?? 0) + 1)
      const snapshot = histories.next(random.pick(TERRITORIES))
      const run = await registry.load(histories.request(snapshot))
      if (run.status === 'committed') recovered += 1
      else scene.violations.add(`${label}: the next load ended ${run.status}: ${run.error}`)
      await checkRecovered(registry, { histories, violations: scene.violations, label })
      if (killed % 10 === 0) scene.say(`${killed} kills, ${recovered} recoveries`)
    }
    await readers.stop()
    answers += readers.figures.answers
    await checkSeen(registry, {
      seen: readers.seen,
      violations: scene.violations,
      label: `batch ${batch}, seed ${seed}`,
    })
    await service.close()
    await registry.close()
  }
  scene.say(`${killed} kills, ${recovered} recoveries; ${answers} answers read meanwhile`)
  return [
    { fault: 'loader killed (SIGKILL)', times: killed, outcome: `${recovered} recovered` },
    ...STAGES.map((stage) => ({
      fault: `  ${stage}`,
      times: stages.get(stage) ?? 0,
      outcome: 'next load recovered',
    })),
  ]
}

/** Where the loader was when it died; null when it had finished before. */
async function killOne(
  node: BreakableNode,
  { registry, histories, random }: { registry: Registry; histories: Histories; random: Random },
): Promise<Stage | null> {
  const snapshots = Array.from({ length: SNAPSHOTS_PER_CHILD }, () =>
    histories.next(random.pick(TERRITORIES)),
  )
  const child = startChild({
    url: node.url,
    prefix: registry.db.prefix,
    folder: registry.folder,
    leaseTtlMs: LEASE_MS,
    leaseWaitMs: 20_000,
    requestTimeoutMs: 30_000,
    patience: PATIENCE,
    snapshots,
  })
  await child.ready
  await sleep(random.number() * LONGEST_LIFE_MS)
  child.kill()
  const said = await child.ended
  if (said.some((word) => word.said === 'done')) return null
  return stageOf(registry)
}

async function stageOf({ db, state }: Registry): Promise<Stage> {
  const { lease, committed_run } = await state()
  if (lease === null) return 'between two runs, or before the first'
  if (lease.run <= committed_run) return 'after the commit, before it was recorded'
  // Also makes what the dead run wrote searchable: readers must not see it all the same.
  await db.client.indices.refresh({ index: [db.alias('pharmacies'), db.alias('changes')] })
  const left = await countByRun(db, 'changes', 'run')
  return left.has(lease.run) ? 'with documents written' : 'before anything was written'
}
