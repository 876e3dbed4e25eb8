import { LoadFailure } from '../domain/problem.ts'
import { instantOf } from '../domain/time.ts'
import { type RunLease, takeLease } from '../store/lease.ts'
import { type RunDocument, writeRun } from '../store/runs.ts'
import type { RegistryState, TerritoryState } from '../store/state.ts'
import { readState } from '../store/state-document.ts'
import { sweep } from '../store/sweep.ts'
import { applySnapshot } from './apply-snapshot.ts'
import type { LoadContext, LoadRequest } from './context.ts'
import { type Input, openInput } from './input.ts'
import { beginEntry, settleDeadEntries } from './journal.ts'
import { RunRefused, reasonsOf } from './outcome.ts'

export interface TerritoryLoad extends LoadRequest {
  territory: string
  input: Input
  /** the quarantined run that an operator's word turns committed */
  approves?: RunDocument
}

/** A run while it is going on: what the steps of a load read and fill in. */
export interface Attempt {
  load: TerritoryLoad
  lease: RunLease
  state: RegistryState
  territory: TerritoryState | undefined
  entry: RunDocument
  /** set once documents may have been written under this run's number */
  dirty: boolean
}

/**
 * One run for one territory, under its own lease and run number; before it, a run of its own that applies a
 * changed definition to the last snapshot, so that the change itself makes no events.
 */
export async function* runLoad(
  context: LoadContext,
  load: TerritoryLoad,
): AsyncGenerator<RunDocument> {
  const { state } = await readState(context.db)
  const known = state.territories[load.territory]
  if (
    known &&
    known.definition_version !== load.definition.version &&
    known.source_slug === load.definition.slug
  ) {
    const renormalised = await attempt(context, await archivedInput(context, load, known), {
      renormalised: true,
    })
    yield renormalised
    if (renormalised.status === 'failed') return
  }
  yield await attempt(context, load, { renormalised: false })
}

/** The last applied snapshot, to be read again with the definition as it is now. */
async function archivedInput(
  context: LoadContext,
  load: TerritoryLoad,
  known: TerritoryState,
): Promise<TerritoryLoad> {
  const raw = {
    sha256: known.raw_sha256,
    bytes: known.raw_bytes,
    http_etag: known.http_etag,
    http_last_modified: known.http_last_modified,
    download_key: known.download_key,
    dataset_modified_at: known.dataset_modified_at,
  }
  const input = openInput({
    definition: load.definition,
    folder: context.workDir,
    fetch: async () => ({
      kind: 'file',
      startedAt: known.applied_observed_at,
      path: await context.archive.restore(known.raw_sha256, context.workDir),
      raw,
    }),
  })
  // A run of its own in the journal also before an approval: the approved run keeps its identity for itself.
  const { approves: _approves, ...request } = load
  return { ...request, input, observedAt: known.applied_observed_at }
}

async function attempt(
  context: LoadContext,
  load: TerritoryLoad,
  { renormalised }: { renormalised: boolean },
): Promise<RunDocument> {
  const lease = await takeLease(context.db, {
    owner: context.owner,
    waitMs: context.leaseWaitMs,
    ...(context.leaseTtlMs ? { ttlMs: context.leaseTtlMs } : {}),
    ...(context.signal ? { signal: context.signal } : {}),
  })
  let state: RegistryState
  try {
    state = await stateUnder(context, lease)
  } catch (cause) {
    await lease.release({ dirty: false })
    throw cause
  }
  const work: Attempt = {
    load,
    lease,
    state,
    territory: state.territories[load.territory],
    entry: newEntry(context, load, { run: lease.run, renormalised }),
    dirty: false,
  }
  let ended: RunDocument
  try {
    await writeRun(context.db, { ...work.entry, ...foundBefore(load) })
    ended = await applySnapshot(context, work)
  } catch (cause) {
    ended = await endedBy(context, work, cause)
  }
  return finish(context, work, ended)
}

function newEntry(
  context: LoadContext,
  load: TerritoryLoad,
  { run, renormalised }: { run: number; renormalised: boolean },
): RunDocument {
  const now = context.now()
  const entry = beginEntry({
    run,
    territory: load.territory,
    slug: load.definition.slug,
    observedAt: load.observedAt ?? instantOf(now),
    now,
    renormalised,
  })
  if (!load.approves) return entry
  // An approved run keeps its identity and its place in the journal; only its number is new. With the reasons and
  // the raw bytes in its entry it waits again, should the loader die before it commits.
  const { run_id, reasons, raw } = load.approves
  return { ...entry, run_id, reasons, raw }
}

/** What was found when an approved run was quarantined: in the journal until it is found again. */
function foundBefore({ approves }: TerritoryLoad): Partial<RunDocument> {
  if (!approves) return {}
  const { counts, events, warnings } = approves
  return { counts, events, warnings }
}

/** The state once the lease is ours, after the traces of dead attempts have been settled and swept. */
async function stateUnder({ db, now, log }: LoadContext, lease: RunLease): Promise<RegistryState> {
  const { state } = await readState(db)
  await settleDeadEntries(db, state, now())
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
  if (work.dirty && (await hasCommitted(context, work))) return { ...entry, status: 'committed' }
  if (!(cause instanceof RunRefused) && !(cause instanceof LoadFailure)) {
    context.log.error({ err: cause, run_id: entry.run_id }, 'run failed')
  }
  const reasons = [...reasonsOf(cause)]
  const ended: RunDocument = {
    ...entry,
    status: cause instanceof RunRefused ? cause.status : 'failed',
    reasons,
    committed_at: null,
    error: reasons.map(({ detail }) => detail).join(' '),
  }
  if (!work.load.approves) return ended
  return {
    ...work.load.approves,
    reasons: [...work.load.approves.reasons, ...reasons],
    error: ended.error,
  }
}

/** A commit whose answer was lost may have been applied all the same. */
async function hasCommitted({ db, log }: LoadContext, { lease }: Attempt): Promise<boolean> {
  try {
    const { state } = await readState(db)
    return state.committed_run >= lease.run && !state.abandoned.includes(lease.run)
  } catch (err) {
    log.error(
      { err, run: lease.run },
      'could not tell whether the run committed; the next load will',
    )
    return false
  }
}

async function finish(
  context: LoadContext,
  work: Attempt,
  ended: RunDocument,
): Promise<RunDocument> {
  const isGood = ended.status === 'committed' || ended.status === 'unchanged'
  const run: RunDocument = {
    ...ended,
    ...(isGood ? { reasons: [] } : {}),
    finished_at: instantOf(context.now()),
  }
  try {
    await writeRun(context.db, run)
    await work.lease.release({ dirty: work.dirty })
  } catch (err) {
    // The lease runs out by itself, and the next load settles this entry.
    context.log.error({ err, run_id: run.run_id }, 'could not record how the run ended')
  }
  return run
}
