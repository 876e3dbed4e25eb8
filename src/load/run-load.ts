import { LoadFailure } from '../domain/problem.ts'
import { instantOf } from '../domain/time.ts'
import { patiently } from '../store/db.ts'
import { type RunLease, takeLease } from '../store/lease.ts'
import { getRun, type RunDocument, writeRun } from '../store/runs.ts'
import type { RegistryState } from '../store/state.ts'
import { readState } from '../store/state-document.ts'
import { sweep } from '../store/sweep.ts'
import { applySnapshot } from './apply-snapshot.ts'
import { approvedEntry, foundBefore, readApprovable } from './approval.ts'
import { type ClosableLoad, ofLastApplied, openLastApplied } from './archived-input.ts'
import type { Attempt, TerritoryLoad } from './attempt.ts'
import type { LoadContext } from './context.ts'
import { beginEntry, settleDeadEntries } from './journal.ts'
import { logApplied } from './log-applied.ts'
import { isOfSnapshot, RunRefused, reasonsOf } from './outcome.ts'

/**
 * One run for one territory, under its own lease and run number; before it, a run of its own that applies a
 * changed definition to the last snapshot, so that the change itself makes no events.
 */
export async function* runLoad(
  context: LoadContext,
  load: TerritoryLoad,
): AsyncGenerator<RunDocument> {
  for (;;) {
    const ended = await attempt(context, load)
    yield ended
    if (!ended.renormalised || !isGood(ended)) return
  }
}

function attempt(context: LoadContext, load: TerritoryLoad): Promise<RunDocument> {
  const work = () => attemptUnderLease(context, load)
  if (!context.around) return work()
  const { territory: territory_code, definition } = load
  return context.around({ territory_code, source_slug: definition.slug }, work)
}

async function attemptUnderLease(context: LoadContext, load: TerritoryLoad): Promise<RunDocument> {
  const lease = await takeLease(context.db, {
    owner: context.owner,
    waitMs: context.leaseWaitMs,
    ...(context.leaseTtlMs ? { ttlMs: context.leaseTtlMs } : {}),
    ...(context.signal ? { signal: context.signal } : {}),
  })
  let task: Task
  try {
    task = await taskUnder(context, lease, load)
  } catch (cause) {
    await lease.release({ dirty: false })
    throw cause
  }
  try {
    return await perform(context, lease, task)
  } finally {
    await task.close()
  }
}

/** What one lease is used for. */
interface Task extends ClosableLoad {
  state: RegistryState
  renormalised: boolean
  approved: RunDocument | null
}

/**
 * What is to be done, judged by what stands once the lease is ours: while we waited for it others may have applied a
 * newer snapshot, or the same definition, or decided about the run that is to be approved.
 */
async function taskUnder(
  context: LoadContext,
  lease: RunLease,
  load: TerritoryLoad,
): Promise<Task> {
  const state = await stateUnder(context, lease)
  const approved =
    load.approves === undefined
      ? null
      : await readApprovable(context.db, { state, runId: load.approves })
  const known = state.territories[load.territory]
  if (
    known &&
    known.definition_version !== load.definition.version &&
    known.source_slug === load.definition.slug
  ) {
    // A run of its own in the journal also before an approval: the approved run keeps its identity for itself.
    const lastApplied = await openLastApplied(context, { load, known })
    return { ...lastApplied, state, renormalised: true, approved: null }
  }
  return { load, close: async () => undefined, state, renormalised: false, approved }
}

async function perform(
  context: LoadContext,
  lease: RunLease,
  { load, state, renormalised, approved }: Task,
): Promise<RunDocument> {
  const now = context.now()
  const entry = beginEntry({
    run: lease.run,
    territory: load.territory,
    slug: load.definition.slug,
    observedAt: load.observedAt ?? instantOf(now),
    now,
    renormalised,
  })
  const work: Attempt = {
    load,
    lease,
    state,
    territory: state.territories[load.territory],
    approved,
    entry: approved ? approvedEntry(approved, entry) : entry,
    dirty: false,
    isUnsettled: false,
  }
  let ended: RunDocument
  try {
    await writeRun(context.db, { ...work.entry, ...foundBefore(approved) }, lease.run)
    ended = await applySnapshot(context, work)
  } catch (cause) {
    ended = await endedBy(context, work, cause)
  }
  return finish(context, work, ended)
}

/** The state once the lease is ours, after the traces of dead attempts have been settled and swept. */
async function stateUnder(context: LoadContext, lease: RunLease): Promise<RegistryState> {
  const { db, now, log } = context
  const { state } = await patiently(db, () => readState(db))
  for (const run of await settleDeadEntries(db, state, now())) await logApplied(context, run)
  if (state.unswept.length === 0) return state
  const documents = await sweep(db, state.unswept)
  log.info({ runs: state.unswept, documents }, 'swept what dead attempts left')
  const swept = new Set(state.unswept)
  await lease.update(
    (current) => ({ ...current, unswept: current.unswept.filter((run) => !swept.has(run)) }),
    () => false,
  )
  return (await readState(db)).state
}

/** What a run that ended early looks like in the journal. A quarantined approval stays what it was. */
async function endedBy(context: LoadContext, work: Attempt, cause: unknown): Promise<RunDocument> {
  const { entry } = work
  if (work.dirty) {
    const committed = await commitRecord(context, work)
    if (committed) return committed
  }
  if (!(cause instanceof RunRefused) && !(cause instanceof LoadFailure)) {
    context.log.error({ err: cause, run_id: entry.run_id }, 'run failed')
  }
  const reasons =
    entry.renormalised && isOfSnapshot(cause)
      ? ofLastApplied(work, reasonsOf(cause))
      : reasonsOf(cause)
  const ended: RunDocument = {
    ...entry,
    status: cause instanceof RunRefused ? cause.status : 'failed',
    reasons: [...reasons],
    committed_at: null,
    error: reasons.map(({ detail }) => detail).join(' '),
  }
  if (!work.approved) return ended
  return {
    ...work.approved,
    reasons: [...work.approved.reasons, ...reasons],
    error: ended.error,
  }
}

/**
 * What the journal holds of a run whose commit was applied though its answer was lost; null when it was not. While
 * neither can be told, `work.isUnsettled` keeps the journal as it is: only the next load will know.
 */
async function commitRecord({ db, log }: LoadContext, work: Attempt): Promise<RunDocument | null> {
  const { lease, entry } = work
  try {
    await fence(lease)
    const { state } = await patiently(db, () => readState(db))
    if (state.committed_run < lease.run || state.abandoned.includes(lease.run)) return null
    const record = await patiently(db, () => getRun(db, entry.run_id))
    return record && { ...record, status: 'committed' }
  } catch (err) {
    work.isUnsettled = true
    log.error(
      { err, run: lease.run },
      'could not tell whether the run committed; the next load will',
    )
    return null
  }
}

/** A commit may still be on its way when we stop waiting for it: after one more write of ours it cannot apply. */
async function fence(lease: RunLease): Promise<void> {
  try {
    await lease.update(
      (state) => state,
      () => false,
    )
  } catch (cause) {
    if (!(cause instanceof LoadFailure)) throw cause
  }
}

async function finish(
  context: LoadContext,
  work: Attempt,
  ended: RunDocument,
): Promise<RunDocument> {
  const run: RunDocument = {
    ...ended,
    ...(isGood(ended) ? { reasons: [] } : {}),
    finished_at: instantOf(context.now()),
  }
  if (work.isUnsettled) {
    work.lease.leave()
    return run
  }
  try {
    await writeRun(context.db, run, work.lease.run)
    await logApplied(context, run)
    await work.lease.release({ dirty: work.dirty })
  } catch (err) {
    // The lease runs out by itself, and the next load settles this entry.
    work.lease.leave()
    context.log.error({ err, run_id: run.run_id }, 'could not record how the run ended')
  }
  return run
}

function isGood({ status }: RunDocument): boolean {
  return status === 'committed' || status === 'unchanged'
}
