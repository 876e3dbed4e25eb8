import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Log } from '../log.ts'
import { runCommand } from './command.ts'
import { withLock } from './lock.ts'
import type { Environment } from './places.ts'

export const ELASTICSEARCH_VERSION = '9.2.0'

const MAVEN_ARTIFACT = `org.elasticsearch.distribution.integ-test-zip:elasticsearch:${ELASTICSEARCH_VERSION}:zip`
const ARCHIVES = 'https://artifacts.elastic.co/downloads/elasticsearch'
const FETCH_LIMIT_MS = 15 * 60_000
const UNPACK_LIMIT_MS = 5 * 60_000

/** Where a distribution came from. The vendor's archive carries a JDK of its own, the Maven artifact needs one. */
export type Origin = 'maven' | 'archive'

export interface Distribution {
  home: string
  hasJdk: boolean
}

interface Fetching {
  cache: string
  env: Environment
  log: Log
  /** for its `jar` tool, where `unzip` is not installed */
  javaHome?: string | undefined
}

/** A distribution that is unpacked already; one that brings its own JDK is preferred. */
export function cachedDistribution(
  cache: string,
  { canUseMaven }: { canUseMaven: boolean },
): Distribution | undefined {
  if (existsSync(homeOf(cache, 'archive'))) return distributionAt(homeOf(cache, 'archive'))
  if (canUseMaven && existsSync(homeOf(cache, 'maven')))
    return distributionAt(homeOf(cache, 'maven'))
  return undefined
}

export async function distributionFromMaven(fetching: Fetching): Promise<Distribution> {
  return unpackedOnce(fetching, 'maven', async (folder) => {
    const { env, log, javaHome } = fetching
    log.info({ artifact: MAVEN_ARTIFACT }, 'fetching Elasticsearch through Maven')
    await runCommand(
      'mvn',
      [
        '-q',
        '-B',
        'dependency:copy',
        `-Dartifact=${MAVEN_ARTIFACT}`,
        `-DoutputDirectory=${folder}`,
      ],
      { env, timeoutMs: FETCH_LIMIT_MS },
    )
    await unzip(join(folder, `elasticsearch-${ELASTICSEARCH_VERSION}.zip`), folder, env, javaHome)
  })
}

export async function distributionFromArchive(fetching: Fetching): Promise<Distribution> {
  const archive = archiveName()
  return unpackedOnce(fetching, 'archive', async (folder) => {
    fetching.log.info({ url: `${ARCHIVES}/${archive}` }, 'downloading Elasticsearch')
    const file = join(folder, archive)
    await download(`${ARCHIVES}/${archive}`, file)
    await compareChecksum(`${ARCHIVES}/${archive}.sha512`, file)
    await runCommand('tar', ['-xzf', file, '-C', folder], {
      env: fetching.env,
      timeoutMs: UNPACK_LIMIT_MS,
    })
  })
}

/**
 * Fetches into a folder of its own and renames at the end: what carries the final name is complete, whenever
 * the program was stopped.
 */
async function unpackedOnce(
  { cache, env }: Fetching,
  origin: Origin,
  fetchInto: (folder: string) => Promise<void>,
): Promise<Distribution> {
  const home = homeOf(cache, origin)
  await withLock(join(cache, `${origin}.lock`), async () => {
    if (existsSync(home)) return
    const folder = join(cache, `fetching-${origin}`)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    try {
      await fetchInto(folder)
      const unpacked = join(folder, `elasticsearch-${ELASTICSEARCH_VERSION}`)
      // Whatever unpacked it and whatever the umask: readable by the user that will run it, programs executable.
      const limits = { env, timeoutMs: UNPACK_LIMIT_MS }
      await runCommand('chmod', ['-R', 'a+rX', unpacked], limits)
      await runCommand('chmod', ['a+x', ...programsOf(unpacked)], limits)
      renameSync(unpacked, home)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
  return distributionAt(home)
}

async function unzip(
  file: string,
  folder: string,
  env: Environment,
  javaHome: string | undefined,
): Promise<void> {
  const limits = { env, timeoutMs: UNPACK_LIMIT_MS }
  try {
    await runCommand('unzip', ['-q', '-o', file, '-d', folder], limits)
  } catch (cause) {
    if (!javaHome) throw cause
    // `jar` unpacks into the current folder, and every JDK has it.
    await runCommand(
      'sh',
      ['-c', 'cd "$1" && exec "$2" xf "$3"', 'sh', folder, join(javaHome, 'bin', 'jar'), file],
      limits,
    )
  }
}

function programsOf(home: string): string[] {
  return readdirSync(join(home, 'bin')).map((name) => join(home, 'bin', name))
}

function homeOf(cache: string, origin: Origin): string {
  return join(cache, `elasticsearch-${ELASTICSEARCH_VERSION}-${origin}`)
}

function distributionAt(home: string): Distribution {
  return { home, hasJdk: existsSync(join(home, 'jdk')) || existsSync(join(home, 'jdk.app')) }
}

function archiveName(): string {
  const platform = { linux: 'linux', darwin: 'darwin' }[process.platform as string]
  const architecture = { x64: 'x86_64', arm64: 'aarch64' }[process.arch as string]
  if (!platform || !architecture) {
    throw new Error(
      `there is no archive this program can unpack for ${process.platform} ${process.arch}`,
    )
  }
  return `elasticsearch-${ELASTICSEARCH_VERSION}-${platform}-${architecture}.tar.gz`
}

async function download(url: string, file: string): Promise<void> {
  const body = (await answerOf(url)).body
  if (!body) throw new Error(`${url} answered without a body`)
  await pipeline(Readable.fromWeb(body), createWriteStream(file))
}

async function compareChecksum(url: string, file: string): Promise<void> {
  const expected = (await (await answerOf(url)).text()).split(/\s/)[0]
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  if (hash.digest('hex') !== expected)
    throw new Error('the downloaded archive does not match its checksum')
}

async function answerOf(url: string): Promise<Response> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_LIMIT_MS) })
    if (answer.ok) return answer
    throw new Error(`HTTP ${answer.status}`)
  } catch (cause) {
    throw new Error(`${url}: ${deepestMessage(cause)}`, { cause })
  }
}

/** `fetch failed` says nothing; the reason is in its cause. */
function deepestMessage(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error ? deepestMessage(cause.cause) : cause.message
}
