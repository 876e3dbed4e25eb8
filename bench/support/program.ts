import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Db } from '../../src/store/db.ts'
import { ours } from './children.ts'
import type { Setting } from './setting.ts'

/** How a process ran, as the operating system and its own event loop tell it. */
export interface Ran {
  stdout: string
  seconds: number
  peakBytes: number
  /** the longest time its event loop was held up */
  blockedMs: number
}

const TELL = fileURLToPath(new URL('./tell-on-exit.ts', import.meta.url))
const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

/** Runs a script of ours to its end, in a process of its own. */
export async function runScript(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const began = performance.now()
  const child = ours(
    spawn(process.execPath, ['--import', TELL, script, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  const { stdout, stderr, code } = await outputOf(child)
  const seconds = (performance.now() - began) / 1000
  const told = /^told (\d+) (\d+(?:\.\d+)?)$/m.exec(stderr)
  if (code !== 0 || !told) throw new Error(`${script} ended with ${code}: ${stderr}${stdout}`)
  return {
    stdout,
    seconds,
    peakBytes: Number(told[1]) * 1024,
    blockedMs: Number(told[2]),
  }
}

/** Runs any program to its end. */
export async function runProgram(command: string, args: readonly string[]): Promise<number> {
  const began = performance.now()
  const child = ours(spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] }))
  const { stderr, code } = await outputOf(child)
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr}`)
  return (performance.now() - began) / 1000
}

async function outputOf(child: ChildProcess) {
  const texts = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    texts.stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    texts.stderr += chunk
  })
  const [code] = await once(child, 'close')
  return { ...texts, code }
}

/** The settings of a process of the product that works on this registry. */
export function environmentFor(setting: Setting, db: Db): NodeJS.ProcessEnv {
  return {
    ELASTICSEARCH_URL: setting.url,
    INDEX_PREFIX: db.prefix,
    INDEX_REPLICAS: '0',
    DATA_DIR: dataDirOf(setting, db),
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
  }
}

export function dataDirOf(setting: Setting, db: Db): string {
  return `${setting.folder}/${db.prefix}`
}

/** One `cli load`, from the start of its process to its end; it must commit. */
export async function load(
  setting: Setting,
  db: Db,
  snapshot: { sources: string; slug: string; file: string; observedAt: string; ends?: string },
): Promise<Ran> {
  const { sources, slug, file, observedAt, ends = 'committed' } = snapshot
  const args = ['load', '--sources', sources, '--source', slug, '--json']
  const ran = await runScript(
    CLI,
    [...args, '--file', file, '--observed-at', observedAt],
    environmentFor(setting, db),
  )
  const runs = ran.stdout.split('\n').filter((line) => line !== '')
  for (const line of runs) {
    const run = JSON.parse(line) as { status: string }
    if (run.status !== ends) throw new Error(`the load ended ${line}`)
  }
  return ran
}

/** `cli verify` on a registry, after what was measured on it: fast and wrong is not fast. */
export async function verify(setting: Setting, db: Db): Promise<void> {
  await runScript(CLI, ['verify'], environmentFor(setting, db))
}
