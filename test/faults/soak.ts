import { setTimeout as sleep } from 'node:timers/promises'
import { openKeys } from '../../src/store/keys.ts'
import { seededRandom } from '../support/random.ts'
import { startApi } from './support/api.ts'
import { checkRecovered, checkSeen } from './support/checks.ts'
import { openHistories } from './support/histories.ts'
import { openNode } from './support/node.ts'
import { startReaders } from './support/readers.ts'
import { openRegistry } from './support/registry.ts'
import type { Figure, Scenario, Scene } from './support/scenario.ts'

const TERRITORIES = ['ES-MD', 'ES-CT', 'ES-AN']
const LOAD_EVERY_MS = 5_000
const SAMPLE_EVERY_MS = 5_000
/** The collector takes its time: the first part of the run only warms up. */
const WARM_UP = 0.25
const GROWTH_MB = 64

/** Mixed reads with a load every few seconds, for as long as is asked: nothing grows, nothing fails. */
export const soak: Scenario = {
  name: 'soak',
  hasOwnNodes: true,
  isByNameOnly: true,
  async run(scene) {
    const node = await openNode({ heapMb: 1024 })
    try {
      return await soakFor(scene, node.url)
    } finally {
      await node.stop()
    }
  },
}

async function soakFor(scene: Scene, url: string): Promise<Figure[]> {
  const { violations, minutes } = scene
  const registry = await openRegistry({ url })
  const histories = openHistories({
    folder: registry.folder,
    seed: 11,
    territories: TERRITORIES,
    sizes: [400, 800],
  })
  const load = (territory: string) => registry.load(histories.request(histories.next(territory)))
  for (const territory of TERRITORIES) await load(territory)
  const api = await startApi({ url, prefix: registry.db.prefix })
  const request = { name: 'cliente', territories: null, expires_at: null }
  const { key } = await openKeys(registry.db).issue(request)
  const readers = startReaders({
    urls: [api.url],
    key,
    histories,
    violations,
    mayRefuse: false,
    pauseMs: 100,
  })
  const random = seededRandom(11)
  const samples: number[] = []
  const end = Date.now() + minutes * 60_000
  let loads = 0
  let sampledAt = 0
  while (Date.now() < end) {
    const began = Date.now()
    const run = await load(random.pick(TERRITORIES))
    violations.check(run.status === 'committed', `load ${loads + 1} ended ${run.status}`)
    loads += 1
    if (Date.now() - sampledAt >= SAMPLE_EVERY_MS) {
      samples.push(await api.memoryMb())
      sampledAt = Date.now()
    }
    await sleep(Math.max(0, LOAD_EVERY_MS - (Date.now() - began)))
  }
  await readers.stop()
  await checkSeen(registry, { seen: readers.seen, violations, label: 'soak' })
  await checkRecovered(registry, { histories, violations, label: 'soak' })
  await api.stop()
  await registry.close()

  const steady = samples.slice(Math.floor(samples.length * WARM_UP))
  const half = Math.floor(steady.length / 2)
  const [before, after] = [median(steady.slice(0, half)), median(steady.slice(half))]
  violations.check(after - before < GROWTH_MB, `soak: memory grew from ${before} to ${after} MB`)
  return [
    {
      fault: `none: ${minutes} min of reads with a load every ${LOAD_EVERY_MS / 1000} s`,
      times: loads,
      outcome:
        `${readers.figures.answers} answers, ${readers.figures.refused + readers.figures.hungUp} failed; ` +
        `API memory ${before} MB in the first half, ${after} MB in the second, at most ${Math.max(0, ...samples)} MB; verify holds`,
    },
  ]
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
