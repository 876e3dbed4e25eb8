import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { UNFINISHED } from '../../src/http/export-folder.ts'
import type { Db } from '../../src/store/db.ts'
import { openKeys } from '../../src/store/keys.ts'
import { ended, ours } from './children.ts'
import { dataDirOf, environmentFor } from './program.ts'
import type { Setting } from './setting.ts'

/** `cli serve` as a process of its own, with a key for everything. */
export interface Api {
  url: string
  headers: Record<string, string>
  /** resident memory in bytes */
  memoryBytes(): number
  /** forgets every finished export */
  forgetExports(): Promise<void>
  stop(): Promise<void>
}

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

export async function serve(
  setting: Setting,
  db: Db,
  { args = [] }: { args?: string[] } = {},
): Promise<Api> {
  const env = { ...process.env, ...environmentFor(setting, db) }
  const child = ours(
    spawn(process.execPath, [CLI, 'serve', '--port', '0', ...args], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  )
  const url = await addressIn(child)
  const { key } = await openKeys(db).issue({ name: 'bench', territories: null, expires_at: null })
  return {
    url,
    headers: { 'X-API-Key': key },
    memoryBytes: () => memoryOf(child.pid as number),
    forgetExports: () => forgetAll(join(dataDirOf(setting, db), 'exports')),
    stop: () => stop(child),
  }
}

/** What is on its way to the disk gets there first: without its folder a server does without the disk for a minute. */
async function forgetAll(folder: string): Promise<void> {
  const isUnfinished = (name: string) => name.endsWith(UNFINISHED)
  while (existsSync(folder) && (await readdir(folder)).some(isUnfinished)) await sleep(LOOK_MS)
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
}

const LOOK_MS = 20
const BARE_ROUTE = fileURLToPath(new URL('./bare-route.ts', import.meta.url))

/** A process that only passes searches on, for comparison. */
export async function serveBare(setting: Setting): Promise<{ url: string; stop(): Promise<void> }> {
  const child = ours(
    spawn(process.execPath, [BARE_ROUTE, setting.url], { stdio: ['ignore', 'ignore', 'pipe'] }),
  )
  const url = await addressIn(child)
  return { url, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await ended(child)
}

async function addressIn(child: ChildProcess): Promise<string> {
  const said: string[] = []
  for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
    said.push(line)
    const url = /Serving on (\S+)/.exec(line)?.[1]
    if (!url) continue
    child.stderr?.resume()
    return url
  }
  throw new Error(`the API did not start: ${said.join('\n')}`)
}

function memoryOf(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kb) * 1024
}
