import { Problem } from '../domain/problem.ts'
import type { RegistryState } from '../store/state.ts'

/** Lets requests wait for the next commit. One look at the state serves all who wait, and nothing else is held. */
export interface CommitWatch {
  /**
   * Waits until the committed state is another than `seen`, at most `withinMs`; gives that state, or null when the
   * time is over. Refused when too many wait already, of this key or of all.
   */
  next(seen: RegistryState, wait: Wait): Promise<RegistryState | null>
  /** ends all waiting as if its time were over; from then on nobody waits */
  close(): void
}

export interface Wait {
  keyId: string
  withinMs: number
  /** the caller left, or the answer may not take longer */
  signal: AbortSignal
}

export interface WatchLimits {
  all: number
  perKey: number
  /** nobody waits longer, whatever was asked for */
  longestMs?: number
}

/** A waiting request costs a connection and a few hundred bytes; a key needs one per mirror. */
const WATCH_LIMITS: WatchLimits = { all: 2000, perKey: 20 }

/** The state reader keeps its answer for a second, so a look in between costs no request. */
const LOOK_EVERY_MS = 200

interface Waiter {
  keyId: string
  seen: number
  settle(state: RegistryState | null): void
}

export function watchCommits(
  readState: () => Promise<RegistryState>,
  limits: WatchLimits = WATCH_LIMITS,
): CommitWatch {
  const waiters = new Set<Waiter>()
  let timer: NodeJS.Timeout | null = null
  let closed = false

  async function look(): Promise<void> {
    // A store that is away for a moment ends nobody's waiting: the answer that follows will tell.
    const state = await readState().catch(() => null)
    for (const waiter of waiters) {
      if (state && state.committed_run !== waiter.seen) waiter.settle(state)
    }
    timer = waiters.size > 0 ? setTimeout(look, LOOK_EVERY_MS) : null
  }

  return {
    next(seen, wait) {
      if (closed) return Promise.resolve(null)
      refuseCrowd(waiters, wait.keyId, limits)
      return new Promise((resolve, reject) => {
        const waiter: Waiter = { keyId: wait.keyId, seen: seen.committed_run, settle }
        const withinMs = Math.min(wait.withinMs, limits.longestMs ?? wait.withinMs)
        const over = setTimeout(settle, withinMs, null)
        const left = () => {
          leave()
          reject(wait.signal.reason)
        }
        function leave(): void {
          clearTimeout(over)
          wait.signal.removeEventListener('abort', left)
          waiters.delete(waiter)
        }
        function settle(state: RegistryState | null): void {
          leave()
          resolve(state)
        }
        if (wait.signal.aborted) return left()
        wait.signal.addEventListener('abort', left, { once: true })
        waiters.add(waiter)
        timer ??= setTimeout(look, LOOK_EVERY_MS)
      })
    },
    close() {
      closed = true
      for (const waiter of waiters) waiter.settle(null)
      if (timer) clearTimeout(timer)
    },
  }
}

function refuseCrowd(waiters: ReadonlySet<Waiter>, keyId: string, limits: WatchLimits): void {
  if (waiters.size >= limits.all) {
    throw new Problem('overloaded', 'Too many requests wait for changes; poll without wait.', {
      retryAfterSeconds: 5,
    })
  }
  let own = 0
  for (const waiter of waiters) if (waiter.keyId === keyId) own += 1
  if (own < limits.perKey) return
  throw new Problem(
    'rate_limited',
    `${limits.perKey} requests of this key wait for changes already; let one end first.`,
    { retryAfterSeconds: 5 },
  )
}
