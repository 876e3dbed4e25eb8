import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/store/client.ts'
import { openDb } from '../../src/store/db.ts'
import type { RunDocument } from '../../src/store/runs.ts'
import { seededRandom } from '../support/random.ts'
import { serveRegistry } from '../support/service.ts'
import { checkRecovered, checkSeen } from './support/checks.ts'
import { openHistories } from './support/histories.ts'
import { type BreakableNode, freePort, openNode } from './support/node.ts'
import { startReaders } from './support/readers.ts'
import { openRegistry, type Registry } from './support/registry.ts'
import type { Figure, Scenario, Scene } from './support/scenario.ts'

const TERRITORIES = ['ES-MD', 'ES-CT']
const NODES = 3
const ROUNDS = { short: 1, long: 3 }
const LEASE_MS = 5_000
const REQUEST_TIMEOUT_MS = 10_000
const GREEN_WITHIN_MS = 180_000
const USED_WITHIN_MS = 120_000

/** Three nodes with a replica each; every one is killed in turn in the middle of a load and of reads, and returns. */
export const cluster: Scenario = {
  name: 'cluster',
  hasOwnNodes: true,
  isLongOnly: true,
  async run(scene) {
    const nodes = await openCluster()
    try {
      return await loseNodes(scene, nodes)
    } finally {
      await Promise.all(nodes.map((node) => node.stop()))
    }
  },
}

async function openCluster(): Promise<BreakableNode[]> {
  const transports = await Promise.all(Array.from({ length: NODES }, () => freePort()))
  const names = transports.map((_, at) => `node-${at + 1}`)
  const id = `faults-cluster-${process.pid}`
  return Promise.all(
    names.map((name, at) =>
      openNode({
        name,
        heapMb: 512,
        isMember: true,
        settings: {
          'cluster.name': id,
          'transport.port': transports[at],
          'discovery.seed_hosts': transports.map((port) => `127.0.0.1:${port}`),
          'cluster.initial_master_nodes': names,
          // One machine stands for three: its disk is shared, its failures are seen quickly.
          'cluster.fault_detection.follower_check.timeout': '3s',
          'cluster.fault_detection.leader_check.timeout': '3s',
        },
      }),
    ),
  )
}

async function loseNodes(scene: Scene, nodes: BreakableNode[]): Promise<Figure[]> {
  const { violations } = scene
  const wrongBefore = violations.list.length
  const url = nodes.map((node) => node.url).join(',')
  const registry = await openRegistry({
    url,
    shards: 2,
    replicas: 1,
    leaseTtlMs: LEASE_MS,
    leaseWaitMs: 60_000,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  })
  await untilGreen(registry)
  const histories = openHistories({
    folder: registry.folder,
    seed: Date.now() % 1_000_000,
    territories: TERRITORIES,
    sizes: [2_000, 3_000],
  })
  const load = (territory: string) => registry.load(histories.request(histories.next(territory)))
  for (const territory of TERRITORIES) await load(territory)

  // Two API processes' worth of connections: readers go from one to the other, as behind a load balancer.
  const clients = [url, url].map((all) =>
    connect({ url: all, requestTimeoutMs: REQUEST_TIMEOUT_MS }),
  )
  const services = []
  for (const client of clients)
    services.push(await serveRegistry(openDb(client, registry.db.prefix)))
  const [first] = services
  if (!first) throw new Error('no service')
  const readers = startReaders({
    urls: services.map((service) => service.url),
    key: await first.key(),
    histories,
    violations,
    mayRefuse: true,
    pauseMs: 100,
  })
  const random = seededRandom(Date.now() % 1_000_000)
  const outcomes: string[] = []
  let slowestMs = 0
  let kills = 0
  const rounds = scene.isLong ? ROUNDS.long : ROUNDS.short
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, node] of nodes.entries()) {
      const label = `node ${at + 1} killed, round ${round + 1}`
      const loading: Promise<RunDocument | Error> = load(random.pick(TERRITORIES)).catch(
        (error: Error) => error,
      )
      await sleep(random.number() * 1_500)
      await node.kill()
      kills += 1
      const began = performance.now()
      const ended = await loading
      outcomes.push(ended instanceof Error ? 'refused' : ended.status)
      if (ended instanceof Error) scene.say(`${label}: ${ended.message}`)
      // With two of three nodes everything goes on: reads, and a repeated load.
      const isServed = await readers.untilServed(120_000)
      slowestMs = Math.max(slowestMs, Math.round(performance.now() - began))
      violations.check(isServed, `${label}: two nodes do not serve`)
      const repeated = await load(random.pick(TERRITORIES))
      violations.check(repeated.status === 'committed', `${label}: repeated ${repeated.error}`)
      await checkRecovered(registry, { histories, violations, label })
      await node.start()
      await untilGreen(registry)
      await checkRecovered(registry, { histories, violations, label: `${label}, returned` })
      scene.say(`${label}: the load ended ${outcomes.at(-1)}`)
    }
  }
  await readers.stop()
  await checkSeen(registry, { seen: readers.seen, violations, label: 'cluster' })
  await checkAllUsed(scene, nodes, registry)
  for (const service of services) await service.close()
  for (const client of clients) await client.close()
  await registry.close()
  const { answers, refused, hungUp } = readers.figures
  const finished = outcomes.filter((outcome) => outcome === 'committed').length
  return [
    {
      fault: 'one of three nodes killed in the middle of a load, then returned',
      times: kills,
      outcome: `${finished} loads finished, ${kills - finished} repeated; 0 lost; served again after ≤ ${slowestMs} ms`,
    },
    {
      fault: '  answers read meanwhile',
      times: answers,
      outcome: `${violations.list.length - wrongBefore} wrong; ${refused} were 503 with Retry-After, ${hungUp} cut off`,
    },
  ]
}

async function untilGreen({ db }: Registry): Promise<void> {
  const deadline = Date.now() + GREEN_WITHIN_MS
  for (;;) {
    const health = await db.client.cluster
      .health({ wait_for_status: 'green', wait_for_nodes: String(NODES), timeout: '5s' })
      .catch(() => null)
    if (health?.status === 'green' && !health.timed_out) return
    if (Date.now() > deadline)
      throw new Error(`the cluster is ${health?.status} after all this time`)
    await sleep(500)
  }
}

/** The client speaks to every node that is listed, not to the first alone. */
async function checkAllUsed(
  { violations }: Scene,
  nodes: BreakableNode[],
  { db }: Registry,
): Promise<void> {
  const used = new Set<string>()
  db.client.diagnostic.on('response', (_error, result) => {
    const url = result?.meta.connection?.url
    if (url) used.add(url.origin)
  })
  // A node that was away is tried again by and by.
  const deadline = Date.now() + USED_WITHIN_MS
  while (used.size < nodes.length && Date.now() < deadline) {
    await db.client.cluster.health()
    await sleep(50)
  }
  violations.check(used.size === nodes.length, `the client used ${[...used].join(', ')} only`)
}
