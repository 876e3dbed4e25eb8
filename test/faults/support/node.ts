import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lastLines } from '../../../src/embedded/command.ts'
import {
  cachedDistribution,
  type Distribution,
  distributionFromMaven,
} from '../../../src/embedded/distribution.ts'
import { findJdk } from '../../../src/embedded/jdk.ts'
import { clearLeftovers, ephemeralFolder } from '../../../src/embedded/node-folders.ts'
import { canReach, elasticsearchAccount, openCache } from '../../../src/embedded/places.ts'
import { supervise } from '../../../src/embedded/supervise.ts'
import { buildLog } from '../../../src/log.ts'

/** A local Elasticsearch that can be hurt: killed, paused, started again on the same data and the same port. */
export interface BreakableNode {
  url: string
  /** where snapshots may be stored */
  backups: string
  /** SIGKILL: nothing is flushed, nobody is told */
  kill(): Promise<void>
  pause(): void
  resume(): void
  /** starts it again on the data it left, and waits until it answers */
  start(): Promise<void>
  /** ends it and removes its folder */
  stop(): Promise<void>
}

export interface NodeOptions {
  name?: string
  heapMb?: number
  /** more lines of elasticsearch.yml */
  settings?: Record<string, unknown>
  /** more files of the config folder, by name */
  config?: Record<string, string>
  /** for a node with security on */
  credentials?: { username: string; password: string }
  port?: number
  /** a cluster's node is ready when the cluster is, which its maker waits for */
  isMember?: boolean
}

const START_LIMIT_MS = 180_000
const LOOK_MS = 200

export async function openNode(options: NodeOptions = {}): Promise<BreakableNode> {
  const cache = openCache(process.env)
  const account = elasticsearchAccount()
  const jdk = findJdk(process.env, (home) => canReach(account, home))
  const distribution =
    cachedDistribution(cache, { canUseMaven: jdk !== undefined }) ??
    (await distributionFromMaven({
      cache,
      env: process.env,
      log: buildLog({ level: 'warn' }),
      javaHome: jdk?.home,
    }))
  clearLeftovers(cache)
  const folder = ephemeralFolder(cache)
  const port = options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  prepare({ distribution, folder, port, options, account })
  const pidFile = join(folder, 'tmp', 'pid')
  let running: ReturnType<typeof supervise> | undefined

  const serverPid = () => Number(readFileSync(pidFile, 'utf8'))
  const start = async () => {
    rmSync(pidFile, { force: true })
    running = supervise({
      command: [join(distribution.home, 'bin', 'elasticsearch'), '-p', pidFile],
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        ES_PATH_CONF: join(folder, 'config'),
        ES_TMPDIR: join(folder, 'tmp'),
        ES_JAVA_HOME: distribution.hasJdk ? undefined : jdk?.home,
      },
      folder,
      logFile: join(folder, 'logs', 'console.log'),
      account,
    })
    await untilItAnswers(url, { options, folder, hasEnded: () => running?.exitCode !== undefined })
  }
  const untilEnded = async () => {
    while (running && running.exitCode === undefined) await sleep(20)
  }

  await start()
  return {
    url,
    backups: join(folder, 'backups'),
    start,
    async kill() {
      process.kill(serverPid(), 'SIGKILL')
      await untilEnded()
    },
    pause: () => process.kill(serverPid(), 'SIGSTOP'),
    resume: () => process.kill(serverPid(), 'SIGCONT'),
    async stop() {
      // Nothing of it is kept, so it need not end in good order, nor be awake.
      if (running?.exitCode === undefined) process.kill(serverPid(), 'SIGKILL')
      await untilEnded()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function prepare(node: {
  distribution: Distribution
  folder: string
  port: number
  options: NodeOptions
  account: { uid: number; gid: number } | undefined
}): void {
  const { distribution, folder, port, options, account } = node
  const config = join(folder, 'config')
  const folders = ['config', 'config/jvm.options.d', 'data', 'logs', 'tmp', 'backups']
  for (const name of folders) mkdirSync(join(folder, name), { recursive: true })
  cpSync(join(distribution.home, 'config'), config, { recursive: true })
  const settings = {
    'cluster.name': `faults-${process.pid}-${port}`,
    'node.name': options.name ?? `node-${port}`,
    ...(options.isMember ? {} : { 'discovery.type': 'single-node' }),
    'xpack.security.enabled': false,
    'network.host': '127.0.0.1',
    'http.port': port,
    'transport.port': 0,
    'path.data': join(folder, 'data'),
    'path.logs': join(folder, 'logs'),
    'path.repo': [join(folder, 'backups')],
    'cluster.routing.allocation.disk.watermark.low': '3gb',
    'cluster.routing.allocation.disk.watermark.high': '2gb',
    'cluster.routing.allocation.disk.watermark.flood_stage': '1gb',
    ...options.settings,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  writeFileSync(join(config, 'elasticsearch.yml'), `${lines.join('\n')}\n`)
  const heap = options.heapMb ?? 512
  const jvm = [`-Xms${heap}m`, `-Xmx${heap}m`, '-Xlog:disable', '-XX:-HeapDumpOnOutOfMemoryError']
  writeFileSync(join(config, 'jvm.options.d', 'faults.options'), `${jvm.join('\n')}\n`)
  for (const [name, text] of Object.entries(options.config ?? {})) {
    writeFileSync(join(config, name), text)
  }
  if (!account) return
  const owned = [
    '',
    ...folders,
    ...Object.keys(options.config ?? {}).map((name) => `config/${name}`),
  ]
  for (const name of owned) chownSync(join(folder, name), account.uid, account.gid)
}

async function untilItAnswers(
  url: string,
  { options, folder, hasEnded }: { options: NodeOptions; folder: string; hasEnded: () => boolean },
): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS
  const { credentials, isMember } = options
  const headers = credentials && {
    authorization: `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`,
  }
  while (Date.now() < deadline && !hasEnded()) {
    try {
      const path = isMember
        ? '/_nodes/_local/http'
        : '/_cluster/health?wait_for_status=yellow&timeout=1s'
      const answer = await fetch(`${url}${path}`, {
        ...(headers ? { headers } : {}),
        signal: AbortSignal.timeout(3_000),
      })
      await answer.arrayBuffer()
      if (answer.status === 200) return
    } catch {
      // Nobody listens yet: asked again until the deadline.
    }
    await sleep(LOOK_MS)
  }
  const log = join(folder, 'logs', 'console.log')
  const tail = existsSync(log) ? lastLines(readFileSync(log, 'utf8'), 20) : '(no output)'
  throw new Error(`Elasticsearch did not start:\n${tail}`)
}

/** A port that was free a moment ago; a node that is started again must be where it was. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
