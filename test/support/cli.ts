import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** How a command ended. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface Running {
  child: ChildProcess
  /** resolves with what was found once standard error holds it; throws when the command ends before */
  said(pattern: RegExp): Promise<RegExpMatchArray>
  ended: Promise<Ended>
}

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

/** Starts an operator command in a process of its own, with these settings and no others. */
export function startCli(args: readonly string[], settings: Record<string, string>): Running {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { PATH, HOME, NODE_NO_WARNINGS: '1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    stdout,
    stderr,
  }))
  return {
    child,
    ended,
    async said(pattern) {
      for (;;) {
        const found = stderr.match(pattern)
        if (found) return found
        if (child.exitCode !== null) throw new Error(`${args[0]} ended: ${stderr}`)
        await Promise.race([once(child.stderr, 'data'), ended])
      }
    },
  }
}

export function runCli(args: readonly string[], settings: Record<string, string>): Promise<Ended> {
  return startCli(args, settings).ended
}
