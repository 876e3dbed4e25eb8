import { OperatorError } from '../domain/problem.ts'
import type { Db } from '../store/db.ts'
import { getRun, type RawSnapshot, type RunDocument } from '../store/runs.ts'
import type { RegistryState } from '../store/state.ts'

/** A run that waits for an operator's word, with the snapshot that the word is about. */
export type WaitingRun = RunDocument & { raw: RawSnapshot }

/**
 * The run as the journal has it now; throws OperatorError unless it is quarantined. What was read before the lease may
 * have been decided by somebody else meanwhile: only what is read under it counts.
 */
export async function readWaiting(db: Db, runId: string): Promise<WaitingRun> {
  const run = await getRun(db, runId)
  if (run?.status === 'quarantined' && run.raw) return { ...run, raw: run.raw }
  throw new OperatorError(
    `${runId} is ${run?.status ?? 'not in the journal'}: only a quarantined run can be approved or rejected. ` +
      '"runs list" shows what became of it.',
  )
}

/** The same for a run that is to be applied: it must also be newer than what its territory is known to be. */
export async function readApprovable(
  db: Db,
  { state, runId }: { state: RegistryState; runId: string },
): Promise<WaitingRun> {
  const run = await readWaiting(db, runId)
  const newest = state.territories[run.territory_code]?.confirmed_observed_at
  if (newest === undefined || newest < run.observed_at) return run
  throw new OperatorError(
    `${runId} observed ${run.observed_at} is superseded: ${run.territory_code} has a good snapshot of ${newest}. ` +
      'Reject it instead.',
  )
}

/**
 * An approved run keeps its identity and its place in the journal; only its number is new. With the reasons and the
 * raw bytes in its entry it waits again, should the loader die before it commits.
 */
export function approvedEntry(
  { run_id, reasons, raw }: RunDocument,
  entry: RunDocument,
): RunDocument {
  return { ...entry, run_id, reasons, raw }
}

/** What was found when an approved run was quarantined: in the journal until it is found again. */
export function foundBefore(approved: RunDocument | null): Partial<RunDocument> {
  if (!approved) return {}
  const { counts, events, warnings } = approved
  return { counts, events, warnings }
}
