import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../domain/problem.ts'
import type { Log } from '../log.ts'
import { lastLines } from './command.ts'
import { type Distribution, ELASTICSEARCH_VERSION } from './distribution.ts'
import { clusterNameAt } from './health.ts'
import type { Jdk } from './jdk.ts'
import type { Account, Environment } from './places.ts'
import { type Supervised, supervise } from './supervise.ts'

const START_LIMIT_MS = 3 * 60_000
const LOOK_MS = 250
const REPORT_MS = 5000

export interface LocalNode {
  url: string
  pid: number
  stop(): Promise<void>
}

interface NodeOptions {
  distribution: Distribution
  /** undefined: the distribution's own */
  jdk: Jdk | undefined
  /** everything the node writes goes below it */
  folder: string
  clusterName: string
  heapMb: number
  account: Account | undefined
  env: Environment
  /** the folder is removed when the node has ended */
  isEphemeral: boolean
  log: Log
}

/** Starts a single node on a free loopback port and waits until it answers. */
export async function startLocalNode(options: NodeOptions): Promise<LocalNode> {
  const { distribution, folder, account, isEphemeral, log } = options
  prepare(options)
  log.info({ version: ELASTICSEARCH_VERSION, folder }, 'starting Elasticsearch')
  const supervised = supervise({
    command: [join(distribution.home, 'bin', 'elasticsearch')],
    env: nodeEnvironment(options),
    folder,
    logFile: consoleFile(folder),
    account,
    leftovers: isEphemeral ? folder : undefined,
  })
  const stop = async () => {
    await supervised.stop()
    if (isEphemeral) rmSync(folder, { recursive: true, force: true })
  }
  try {
    const url = await untilItAnswers(options, supervised)
    return { url, pid: supervised.pid, stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}

function prepare({ distribution, folder, account, ...options }: NodeOptions): void {
  const config = join(folder, 'config')
  rmSync(config, { recursive: true, force: true })
  rmSync(portsFile(folder), { force: true })
  for (const name of ['config', 'data', 'logs', 'tmp', 'backups']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  cpSync(join(distribution.home, 'config'), config, { recursive: true })
  writeFileSync(
    join(config, 'elasticsearch.yml'),
    settings(distribution, folder, options.clusterName),
  )
  mkdirSync(join(config, 'jvm.options.d'), { recursive: true })
  writeFileSync(join(config, 'jvm.options.d', 'local.options'), jvmOptions(options))
  if (account) {
    for (const name of ['', 'config', 'config/jvm.options.d', 'data', 'logs', 'tmp', 'backups']) {
      chownSync(join(folder, name), account.uid, account.gid)
    }
  }
}

/**
 * Security is off because only this machine can connect; `discovery.type` skips the production checks.
 * The disk watermarks are absolute: their defaults are shares of the disk, so that on a laptop that is merely well
 * filled Elasticsearch would refuse to write with tens of gigabytes free. They are not off, because a
 * disk that really runs full damages indices.
 */
function settings(distribution: Distribution, folder: string, clusterName: string): string {
  const lines = {
    'cluster.name': clusterName,
    'node.name': clusterName,
    'discovery.type': 'single-node',
    'xpack.security.enabled': false,
    'network.host': '127.0.0.1',
    'http.port': 0,
    'transport.port': 0,
    'node.portsfile': true,
    'path.data': join(folder, 'data'),
    'path.logs': join(folder, 'logs'),
    'path.repo': [join(folder, 'backups')],
    'cluster.routing.allocation.disk.watermark.low': '3gb',
    'cluster.routing.allocation.disk.watermark.high': '2gb',
    'cluster.routing.allocation.disk.watermark.flood_stage': '1gb',
    // The Maven artifact lacks these modules and refuses their settings.
    ...(hasModule(distribution, 'x-pack-ml') && { 'xpack.ml.enabled': false }),
    ...(hasModule(distribution, 'ingest-geoip') && { 'ingest.geoip.downloader.enabled': false }),
  }
  return Object.entries(lines)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join('')
}

function hasModule({ home }: Distribution, name: string): boolean {
  return existsSync(join(home, 'modules', name))
}

/** Garbage collection logs of up to 2 GB and heap dumps are for servers. ES_JAVA_OPTS has the last word on the heap. */
function jvmOptions({ heapMb, env }: Pick<NodeOptions, 'heapMb' | 'env'>): string {
  const heap = /-Xm[sx]/.test(env.ES_JAVA_OPTS ?? '') ? [] : [`-Xms${heapMb}m`, `-Xmx${heapMb}m`]
  return [...heap, '-Xlog:disable', '-XX:-HeapDumpOnOutOfMemoryError', ''].join('\n')
}

/** Only what Elasticsearch needs: this program's credentials are none of its business. */
function nodeEnvironment({ jdk, folder, env }: NodeOptions): Environment {
  return {
    PATH: env.PATH,
    LANG: env.LANG,
    HOME: folder,
    ES_PATH_CONF: join(folder, 'config'),
    ES_TMPDIR: join(folder, 'tmp'),
    ES_JAVA_OPTS: env.ES_JAVA_OPTS,
    ES_JAVA_HOME: jdk?.home,
  }
}

async function untilItAnswers(
  { folder, clusterName, log }: NodeOptions,
  supervised: Supervised,
): Promise<string> {
  const started = Date.now()
  let reported = started
  for (;;) {
    if (supervised.exitCode !== undefined) throw notStarted('ended while it was starting', folder)
    const url = boundAddress(folder)
    if (url && (await clusterNameAt(url)) === clusterName) {
      log.info({ url, ms: Date.now() - started }, 'Elasticsearch is ready')
      return url
    }
    if (Date.now() - started > START_LIMIT_MS) {
      throw notStarted(`did not answer within ${START_LIMIT_MS / 1000} s`, folder)
    }
    if (Date.now() - reported >= REPORT_MS) {
      reported = Date.now()
      log.info({ seconds: Math.round((reported - started) / 1000) }, 'waiting for Elasticsearch')
    }
    await sleep(LOOK_MS)
  }
}

/** The node picks free ports itself and writes them down, so no other program can take one in between. */
function boundAddress(folder: string): string | undefined {
  if (!existsSync(portsFile(folder))) return undefined
  const address = readFileSync(portsFile(folder), 'utf8')
    .split('\n')
    .find((line) => line.startsWith('127.0.0.1:'))
  return address && `http://${address.trim()}`
}

function notStarted(what: string, folder: string): OperatorError {
  const file = consoleFile(folder)
  const tail = existsSync(file) ? lastLines(readFileSync(file, 'utf8'), 15) : '(no output)'
  return new OperatorError(`Elasticsearch ${what}. Its last lines, from ${file}:\n${tail}`)
}

const consoleFile = (folder: string) => join(folder, 'logs', 'console.log')
const portsFile = (folder: string) => join(folder, 'logs', 'http.ports')
