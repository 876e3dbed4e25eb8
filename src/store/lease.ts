import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { LoadFailure } from '../domain/problem.ts'
import { instantOf } from '../domain/time.ts'
import { type Db, patiently } from './db.ts'
import type { Lease, RegistryState } from './state.ts'
import { compareAndSet, readState } from './state-document.ts'

export interface LeaseOptions {
  /** shown to whoever has to wait: host and process */
  owner: string
  waitMs: number
  ttlMs?: number
  signal?: AbortSignal
}

/** Somebody else holds the right to write. */
export class LeaseHeld extends Error {
  readonly owner: string

  constructor(owner: string, expiresAt: string) {
    super(`Another loader holds the lease: ${owner} (until ${expiresAt} unless it renews).`)
    this.name = 'LeaseHeld'
    this.owner = owner
  }
}

/**
 * The right to write under one fresh run number (design section 3, step 1). Time only decides when others may
 * try to take over; what makes a paused holder harmless is that its token no longer stands in the state document.
 */
export interface RunLease {
  readonly run: number
  /** throws LoadFailure lease_lost once the lease has passed on; renews it when it is getting old */
  check(): Promise<void>
  /**
   * Compare-and-set on the condition that the state still holds our token; retried while it does. `done` tells
   * from a state whether an attempt of unknown outcome (time-out) was applied after all.
   */
  update(change: Change, done: (state: RegistryState) => boolean): Promise<void>
  /** ends the lease; `dirty` when documents may have been written under a number that did not commit */
  release(options: { dirty: boolean }): Promise<void>
  /** stops renewing without ending it: it runs out, and whoever takes it next settles what we left */
  leave(): void
}

type Change = (state: RegistryState) => RegistryState

const TTL_MS = 30_000
const POLL_MS = 250

export async function takeLease(db: Db, options: LeaseOptions): Promise<RunLease> {
  const ttlMs = options.ttlMs ?? TTL_MS
  const deadline = Date.now() + options.waitMs
  const token = randomUUID()
  for (;;) {
    options.signal?.throwIfAborted()
    const held = await patiently(db, () => tryToTake(db, { ...options, token, ttlMs }))
    if (held?.token === token) return openLease(db, { run: held.run, token, ttlMs })
    if (held) await waitForHolder(held, deadline, options.signal)
  }
}

/**
 * One try: the lease as it stands now, ours when we got it; null when the state changed meanwhile. An attempt whose
 * answer was lost is found by its token at the next try.
 */
async function tryToTake(
  db: Db,
  ours: { owner: string; token: string; ttlMs: number },
): Promise<Lease | null> {
  const read = await readState(db)
  const held = read.state.lease
  if (held?.token === ours.token) return held
  if (held && Date.parse(held.expires_at) > Date.now()) return held
  const next = withLease(read.state, ours)
  return (await compareAndSet(db, read, next)) ? next.lease : null
}

async function waitForHolder(held: Lease, deadline: number, signal?: AbortSignal): Promise<void> {
  const left = deadline - Date.now()
  if (left <= 0) throw new LeaseHeld(held.owner, held.expires_at)
  await sleep(Math.min(POLL_MS, left), undefined, signal ? { signal } : {})
}

function withLease(
  state: RegistryState,
  { owner, token, ttlMs }: { owner: string; token: string; ttlMs: number },
): RegistryState {
  // A lease that was never released belonged to a holder that died or sleeps: unless its run committed just
  // before, that number can no longer commit.
  const dead = state.lease && state.lease.run > state.committed_run ? [state.lease.run] : []
  return {
    ...state,
    next_run: state.next_run + 1,
    abandoned: [...state.abandoned, ...dead],
    unswept: [...state.unswept, ...dead],
    lease: { owner, token, run: state.next_run, expires_at: instantOf(Date.now() + ttlMs) },
  }
}

function openLease(
  db: Db,
  { run, token, ttlMs }: { run: number; token: string; ttlMs: number },
): RunLease {
  const owned = ownedState(db, { run, token })
  let renewedAt = Date.now()

  let renewing: Promise<void> | null = null
  // One at a time: with slow answers renewals would queue up, and our own commit behind them.
  const renew = (): Promise<void> => {
    const at = Date.now()
    renewing ??= owned
      .change(
        (state) => withExpiry(state, instantOf(Date.now() + ttlMs)),
        () => false,
      )
      .then(() => {
        renewedAt = at
      })
      .finally(() => {
        renewing = null
      })
    return renewing
  }

  const heartbeat = setInterval(() => {
    // A failed renewal is no fault of its own: check() repeats it before the next write and reports it there.
    if (!owned.lost()) renew().catch(() => undefined)
  }, ttlMs / 3)
  heartbeat.unref()

  return {
    run,
    async check() {
      const lost = owned.lost()
      if (lost) throw lost
      if (Date.now() - renewedAt > ttlMs / 2) await renew()
    },
    update: owned.change,
    leave: () => clearInterval(heartbeat),
    async release({ dirty }) {
      clearInterval(heartbeat)
      if (owned.lost()) return
      await owned.change(
        (state) => withoutLease(state, { run, dirty }),
        (state) => state.lease?.token !== token,
      )
    },
  }
}

function withExpiry(state: RegistryState, expires_at: string): RegistryState {
  return { ...state, lease: state.lease && { ...state.lease, expires_at } }
}

function withoutLease(
  state: RegistryState,
  { run, dirty }: { run: number; dirty: boolean },
): RegistryState {
  const dead = dirty && state.committed_run < run ? [run] : []
  return {
    ...state,
    abandoned: [...state.abandoned, ...dead],
    unswept: [...state.unswept, ...dead],
    lease: null,
  }
}

/** Changes of the state document that only the holder of a token can make. */
function ownedState(db: Db, { run, token }: { run: number; token: string }) {
  let lost: LoadFailure | null = null
  let writing: Promise<unknown> = Promise.resolve()

  const attempt: Attempt = async (change, done) => {
    const read = await readState(db)
    if (done(read.state)) return true
    if (read.state.lease?.token === token) return compareAndSet(db, read, change(read.state))
    lost = new LoadFailure('lease_lost', `The lease of run ${run} has passed on to another loader.`)
    throw lost
  }

  return {
    lost: () => lost,
    /** One at a time, so that renewals never make our own commit conflict. */
    change: ((change, done) => {
      const mine = writing.then(async () => {
        // A compare-and-set that met another write is repeated at once.
        while (!(await patiently(db, () => attempt(change, done))));
      })
      writing = mine.catch(() => undefined)
      return mine
    }) satisfies RunLease['update'],
  }
}

type Attempt = (change: Change, done: (state: RegistryState) => boolean) => Promise<boolean>
