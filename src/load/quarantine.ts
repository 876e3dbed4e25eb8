import { OperatorError } from '../domain/problem.ts'
import { instantOf } from '../domain/time.ts'
import { takeLease } from '../store/lease.ts'
import { getRun, type RunDocument, writeRun } from '../store/runs.ts'
import { readState } from '../store/state-document.ts'
import type { LoadContext } from './context.ts'
import { openInput } from './input.ts'
import { runLoad } from './run-load.ts'
import { openWorkFolder } from './work-folder.ts'

/**
 * Applies the archived snapshot of a quarantined run: the same run becomes committed, with the events that were
 * withheld. Refused when a newer snapshot of the territory has been applied or confirmed meanwhile.
 */
export async function approveRun(context: LoadContext, run: RunDocument): Promise<RunDocument> {
  const raw = requireQuarantined(run)
  const { state } = await readState(context.db)
  const newest = state.territories[run.territory_code]?.confirmed_observed_at
  if (newest !== undefined && newest >= run.observed_at) {
    throw new OperatorError(
      `${run.run_id} observed ${run.observed_at} is superseded: ${run.territory_code} has a good snapshot of ${newest}. ` +
        'Reject it instead.',
    )
  }
  const folder = await openWorkFolder(context.workDir, 'approve')
  try {
    const path = await context.archive.restore(raw.sha256, folder.path)
    const input = openInput({
      definition: raw.definition,
      folder: folder.path,
      fetch: async () => ({ kind: 'file', startedAt: run.observed_at, path, raw }),
    })
    let result: RunDocument = run
    for await (const ended of runLoad(context, {
      definition: raw.definition,
      territory: run.territory_code,
      input,
      observedAt: run.observed_at,
      force: true,
      approves: run,
    })) {
      result = ended
    }
    return result
  } finally {
    await folder.remove()
  }
}

/** Drops a quarantined run for good; the served data was never touched by it. */
export async function rejectRun(context: LoadContext, run: RunDocument): Promise<RunDocument> {
  requireQuarantined(run)
  const lease = await takeLease(context.db, { owner: context.owner, waitMs: context.leaseWaitMs })
  try {
    const now = await getRun(context.db, run.run_id)
    requireQuarantined(now ?? run)
    const rejected: RunDocument = {
      ...run,
      status: 'rejected',
      finished_at: instantOf(context.now()),
    }
    await writeRun(context.db, rejected, lease.run)
    return rejected
  } finally {
    await lease.release({ dirty: false })
  }
}

function requireQuarantined(run: RunDocument) {
  if (run.status === 'quarantined' && run.raw) return run.raw
  throw new OperatorError(
    `${run.run_id} is ${run.status}: only a quarantined run can be approved or rejected.`,
  )
}
