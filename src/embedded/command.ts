import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Environment } from './places.ts'

const run = promisify(execFile)
const LAST_LINES = 6

/** Runs a program to its end. A failure says which program, and the last lines it printed. */
export async function runCommand(
  program: string,
  args: readonly string[],
  { env, timeoutMs }: { env: Environment; timeoutMs: number },
): Promise<void> {
  try {
    await run(program, [...args], { env, timeout: timeoutMs, maxBuffer: 16 * 1024 * 1024 })
  } catch (cause) {
    throw new Error(`${program}: ${reasonOf(cause, timeoutMs)}`, { cause })
  }
}

function reasonOf(cause: unknown, timeoutMs: number): string {
  if (!(cause instanceof Error)) return String(cause)
  const failure: Error & { code?: unknown; killed?: boolean; stdout?: string; stderr?: string } =
    cause
  if (failure.code === 'ENOENT') return 'not installed'
  if (failure.killed) return `not finished after ${timeoutMs / 1000} s`
  return (
    lastLines(`${failure.stdout ?? ''}\n${failure.stderr ?? ''}`, LAST_LINES) || failure.message
  )
}

export function lastLines(text: string, count: number): string {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .join('\n')
}
