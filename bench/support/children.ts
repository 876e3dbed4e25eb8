import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Once: a second one ends the bench as it stands.
  process.once(signal, () => stopping.abort())
}

/** Set when the bench is asked to end. */
export const stopped = stopping.signal

/** A process that is ended when the bench is asked to end, which then fails for want of it and clears up. */
export function ours<T extends ChildProcess>(child: T): T {
  const end = () => void child.kill()
  if (stopped.aborted) end()
  stopped.addEventListener('abort', end)
  child.once('exit', () => stopped.removeEventListener('abort', end))
  return child
}

/** Waits for the end of a process, which may be long past. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
