import { type ChildProcess, spawn } from 'node:child_process'
import type { Account, Environment } from './places.ts'

/**
 * Stands between this program and Elasticsearch, because a program that is killed outright can stop nothing itself.
 * It holds the reading end of a pipe whose only writing end is ours: when we stop, or die in whatever way, the
 * pipe closes and it ends Elasticsearch. A shell and not a script file: it must run as a user that may be
 * unable to reach this program's folder, costs a megabyte, and `sh` is everywhere.
 * It has a session of its own, so that a Ctrl-C meant for the program does not take Elasticsearch from under it.
 */
const SUPERVISOR = `
log=$1; leftovers=$2; shift 2
exec 3<&0
"$@" </dev/null 3<&- >"$log" 2>&1 &
es=$!
{
  cat <&3
  pause=
  trap 'kill "$pause"; exit' TERM
  kill -TERM "$es"
  sleep 30 & pause=$!
  wait "$pause"
  kill -KILL "$es"
} >/dev/null 2>&1 &
watch=$!
exec 3<&- </dev/null
wait "$es"
code=$?
kill "$watch"
[ -z "$leftovers" ] || rm -rf "$leftovers"
exit "$code"
`
/** A little more than the supervisor itself waits. */
const STOP_LIMIT_MS = 40_000

export interface Supervised {
  pid: number
  /** undefined while it runs, then its exit code (or -1) */
  readonly exitCode: number | undefined
  stop(): Promise<void>
}

/** Starts `command` so that it ends with this program. `leftovers`: a folder to remove when it has ended. */
export function supervise(options: {
  command: readonly string[]
  env: Environment
  folder: string
  logFile: string
  account: Account | undefined
  leftovers?: string | undefined
}): Supervised {
  const { command, env, folder, logFile, account, leftovers } = options
  const child = spawn('sh', ['-c', SUPERVISOR, 'sh', logFile, leftovers ?? '', ...command], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    ...account,
  })
  let exitCode: number | undefined
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  }).then(() => {
    exitCode = child.exitCode ?? -1
    child.stdin.destroy()
  })
  // Neither may keep this program alive: when it ends, the pipe closes and Elasticsearch ends too.
  child.unref()
  child.stdin.on('error', () => undefined) // the supervisor ended first: `exitCode` tells
  return {
    pid: child.pid ?? -1,
    get exitCode() {
      return exitCode
    },
    stop: () => stopGroup(child, ended),
  }
}

async function stopGroup(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.ref()
  child.stdin?.end()
  const limit = setTimeout(() => killGroup(child), STOP_LIMIT_MS)
  await ended
  clearTimeout(limit)
}

function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}
