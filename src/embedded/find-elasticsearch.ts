import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../domain/problem.ts'
import type { Log } from '../log.ts'
import {
  cachedDistribution,
  type Distribution,
  distributionFromArchive,
  distributionFromMaven,
} from './distribution.ts'
import { startInDocker } from './docker.ts'
import { clusterNameAt } from './health.ts'
import { findJdk, type Jdk } from './jdk.ts'
import { startLocalNode } from './local-node.ts'
import { isAlive, withLock } from './lock.ts'
import { clearLeftovers, ephemeralFolder, lastingFolder } from './node-folders.ts'
import {
  type Account,
  canReach,
  type Environment,
  elasticsearchAccount,
  openCache,
} from './places.ts'
import { type NodeRecord, openRecord, writeRecord } from './record.ts'

export type Kind = 'external' | 'running' | 'cache' | 'docker' | 'maven' | 'archive'

export interface FoundElasticsearch {
  /** what the client connects to; several nodes separated by commas */
  node: string
  kind: Kind
  /** Ends what was started here; does nothing to a node that somebody else runs. */
  stop(): Promise<void>
}

export interface FindOptions {
  /** ELASTICSEARCH_URL */
  url?: string | undefined
  dataDir: string
  /** the machine's environment: PATH, HOME, ES_JAVA_HOME, JAVA_HOME, ES_JAVA_OPTS, ELASTICSEARCH_CACHE_DIR */
  env: Environment
  log: Log
  /** a node of its own that leaves nothing behind, for tests */
  isEphemeral?: boolean
  /** where such a node has its folder; beside the distributions where it is left out */
  ephemeralIn?: string | undefined
  heapMb?: number
  /** try this rung alone */
  only?: Kind
}

/** Everything the rungs share. */
interface Climb extends FindOptions {
  cache: string
  account: Account | undefined
  jdk: Jdk | undefined
  record: NodeRecord
  clusterName: string
}

/** A node, or why this rung gave none. */
type Outcome = FoundElasticsearch | string

const LASTING_HEAP_MB = 1024
const EPHEMERAL_HEAP_MB = 512
const ENDING_LOOK_MS = 100

/** The ladder of "Which Elasticsearch", in its order; the first that gives a node wins. */
const RUNGS: readonly [Kind, (climb: Climb) => Promise<Outcome>][] = [
  ['running', findRunning],
  ['cache', startCached],
  ['docker', startDocker],
  ['maven', (climb) => startFetched(climb, 'maven', distributionFromMaven)],
  ['archive', (climb) => startFetched(climb, 'archive', distributionFromArchive)],
]

/** Finds or starts an Elasticsearch. When nothing works, one OperatorError says what was tried and what to do. */
export async function findElasticsearch(options: FindOptions): Promise<FoundElasticsearch> {
  if (options.url) return { node: options.url, kind: 'external', stop: async () => undefined }
  if (options.isEphemeral) return climb(options, { id: `process-${process.pid}` })
  const dataDir = resolve(options.dataDir)
  mkdirSync(dataDir, { recursive: true })
  return withLock(join(dataDir, 'elasticsearch.lock'), () =>
    climb({ ...options, dataDir }, openRecord(dataDir)),
  )
}

async function climb(options: FindOptions, record: NodeRecord): Promise<FoundElasticsearch> {
  const account = elasticsearchAccount()
  const ladder: Climb = {
    ...options,
    account,
    record,
    cache: openCache(options.env),
    jdk: findJdk(options.env, (home) => canReach(account, home)),
    clusterName: `pharmacy-registry-${record.id}`,
  }
  const tried: string[] = []
  for (const [kind, rung] of RUNGS) {
    if (options.only && options.only !== kind) continue
    const outcome = await rung(ladder)
    if (typeof outcome !== 'string') return outcome
    tried.push(`  ${kind}: ${outcome}`)
    options.log.debug({ kind, reason: outcome }, 'no Elasticsearch there')
  }
  throw new OperatorError(nothingWorked(tried, ladder))
}

async function findRunning({ isEphemeral, record, clusterName }: Climb): Promise<Outcome> {
  if (isEphemeral || !record.running) return 'none was started earlier'
  const { url, pid, owner } = record.running
  // Its program was killed a moment ago: it is about to end, and its data can only be opened after that.
  while (!isAlive(owner) && isAlive(pid)) await sleep(ENDING_LOOK_MS)
  if (!isAlive(pid)) return 'the one started earlier has ended'
  if ((await clusterNameAt(url)) !== clusterName) return 'the one started earlier does not answer'
  return { node: url, kind: 'running', stop: async () => undefined }
}

async function startCached(climb: Climb): Promise<Outcome> {
  if (livesInDocker(climb)) return IN_DOCKER
  const distribution = cachedDistribution(climb.cache, { canUseMaven: climb.jdk !== undefined })
  if (!distribution) return `nothing usable is unpacked in ${climb.cache}`
  return startLocal(climb, 'cache', distribution)
}

async function startFetched(
  climb: Climb,
  kind: 'maven' | 'archive',
  fetchDistribution: typeof distributionFromMaven,
): Promise<Outcome> {
  if (livesInDocker(climb)) return IN_DOCKER
  if (kind === 'maven' && !climb.jdk) return NO_JDK
  let distribution: Distribution
  try {
    distribution = await fetchDistribution({ ...climb, javaHome: climb.jdk?.home })
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
  return startLocal(climb, kind, distribution)
}

/** A node that fails to start ends the climb: the rungs above would come up with an empty registry instead. */
async function startLocal(
  climb: Climb,
  kind: Kind,
  distribution: Distribution,
): Promise<FoundElasticsearch> {
  const { account, cache, dataDir, record, isEphemeral = false } = climb
  const ephemeralIn = climb.ephemeralIn ?? cache
  for (const parent of new Set([cache, ephemeralIn])) clearLeftovers(parent)
  const folder = isEphemeral
    ? ephemeralFolder(ephemeralIn)
    : (record.folder ?? lastingFolder({ cache, dataDir, id: record.id, account }))
  const node = await startLocalNode({
    ...climb,
    distribution,
    folder,
    isEphemeral,
    jdk: distribution.hasJdk ? undefined : climb.jdk,
    heapMb: climb.heapMb ?? (isEphemeral ? EPHEMERAL_HEAP_MB : LASTING_HEAP_MB),
  })
  const forget = remember(climb, { home: 'local', folder }, node)
  return { node: node.url, kind, stop: () => node.stop().finally(forget) }
}

async function startDocker(climb: Climb): Promise<Outcome> {
  const { record, clusterName, isEphemeral } = climb
  if (!isEphemeral && record.home === 'local')
    return 'the data of this DATA_DIR belongs to a local node'
  try {
    const node = await startInDocker({
      ...climb,
      volume: isEphemeral ? undefined : clusterName,
      heapMb: climb.heapMb ?? (isEphemeral ? EPHEMERAL_HEAP_MB : LASTING_HEAP_MB),
    })
    if (typeof node === 'string') return node
    const forget = remember(climb, { home: 'docker' }, { url: node.url, pid: process.pid })
    return { node: node.url, kind: 'docker', stop: () => node.stop().finally(forget) }
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

function remember(
  { dataDir, isEphemeral, record }: Climb,
  place: Pick<NodeRecord, 'home' | 'folder'>,
  { url, pid }: { url: string; pid: number },
): () => void {
  if (isEphemeral) return () => undefined
  writeRecord(dataDir, { id: record.id, ...place, running: { url, pid, owner: process.pid } })
  return () => writeRecord(dataDir, { id: record.id, ...place })
}

function livesInDocker({ isEphemeral, record }: Climb): boolean {
  return !isEphemeral && record.home === 'docker'
}

const IN_DOCKER = 'the data of this DATA_DIR lives in a Docker volume'
const NO_JDK =
  'it needs a JDK 21 or newer, and none was found in ES_JAVA_HOME, JAVA_HOME or the usual places'

function nothingWorked(tried: readonly string[], ladder: Climb): string {
  const wayOut = livesInDocker(ladder)
    ? 'start Docker, or choose another DATA_DIR'
    : 'start Docker, or install Maven and a JDK 21 or newer, or set ELASTICSEARCH_URL to a cluster that runs'
  return [
    'No Elasticsearch was found and none could be started. Tried:',
    ...tried,
    `Shortest way out: ${wayOut}.`,
  ].join('\n')
}
