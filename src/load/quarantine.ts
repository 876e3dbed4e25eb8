import { instantOf } from '../domain/time.ts'
import { takeLease } from '../store/lease.ts'
import { type RunDocument, writeRun } from '../store/runs.ts'
import { readState } from '../store/state-document.ts'
import { readApprovable, readWaiting } from './approval.ts'
import type { LoadContext } from './context.ts'
import { openInput } from './input.ts'
import { runLoad } from './run-load.ts'
import { openWorkFolder } from './work-folder.ts'

/**
 * Applies the archived snapshot of a quarantined run: the same run becomes committed, with the events that were
 * withheld. Throws OperatorError, also when that is found only under the lease, where somebody else has decided it or a
 * newer snapshot of the territory has been applied or confirmed meanwhile.
 */
export async function approveRun(
  context: LoadContext,
  { run_id }: Pick<RunDocument, 'run_id'>,
): Promise<RunDocument> {
  const { state } = await readState(context.db)
  const run = await readApprovable(context.db, { state, runId: run_id })
  const { raw } = run
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
      approves: run_id,
    })) {
      result = ended
    }
    return result
  } finally {
    await folder.remove()
  }
}

/** Drops a quarantined run for good; the served data was never touched by it. Throws OperatorError like approveRun. */
export async function rejectRun(
  context: LoadContext,
  { run_id }: Pick<RunDocument, 'run_id'>,
): Promise<RunDocument> {
  await readWaiting(context.db, run_id)
  const lease = await takeLease(context.db, { owner: context.owner, waitMs: context.leaseWaitMs })
  try {
    const rejected: RunDocument = {
      ...(await readWaiting(context.db, run_id)),
      status: 'rejected',
      finished_at: instantOf(context.now()),
    }
    await writeRun(context.db, rejected, lease.run)
    return rejected
  } finally {
    await lease.release({ dirty: false })
  }
}
