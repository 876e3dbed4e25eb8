import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Snapshot } from './histories.ts'

/** What a loader in a process of its own is told. */
export interface ChildOrders {
  url: string
  prefix: string
  folder: string
  leaseTtlMs: number
  leaseWaitMs: number
  requestTimeoutMs: number
  patience: { attempts: number; firstDelayMs: number }
  snapshots: Snapshot[]
}

/** What it says, one JSON line each. */
export type ChildWord =
  | { said: 'ready' }
  | { said: 'run'; run_id: string; status: string; codes: string[] }
  | { said: 'error'; name: string; message: string }
  | { said: 'done' }

export interface LoadChild {
  /** resolves when its program is loaded and its first load begins */
  ready: Promise<void>
  /** resolves with everything it said, when it has ended in whatever way */
  ended: Promise<ChildWord[]>
  said: ChildWord[]
  kill(): void
  pause(): void
  resume(): void
}

const SCRIPT = fileURLToPath(new URL('./load-child.ts', import.meta.url))

/** Starts a loader that applies the snapshots one after the other. */
export function startChild(orders: ChildOrders): LoadChild {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', SCRIPT, JSON.stringify(orders)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const said: ChildWord[] = []
  const ready = Promise.withResolvers<void>()
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  lines.on('line', (line) => {
    const word = JSON.parse(line) as ChildWord
    said.push(word)
    if (word.said === 'ready') ready.resolve()
  })
  const ended = new Promise<ChildWord[]>((resolve) => {
    child.once('close', () => {
      ready.resolve()
      resolve(said)
    })
  })
  return {
    ready: ready.promise,
    ended,
    said,
    kill: () => child.kill('SIGKILL'),
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
  }
}
