import { type Comparison, createComparison } from '../delta/snapshot.ts'
import { type WarningTally, warningTally } from '../domain/run.ts'
import { previousHashes } from '../store/previous.ts'
import { pinOf } from '../store/state.ts'
import type { Attempt } from './attempt.ts'
import type { LoadContext } from './context.ts'
import type { Spool } from './spool.ts'

/**
 * One pass over the previous hashes and one over the rows; new or other content goes to the spool. Rows are read
 * a second time only when ids contradict themselves.
 */
export async function compareRows(
  context: LoadContext,
  work: Attempt,
  { spool, tally }: { spool: Spool; tally: WarningTally },
): Promise<Comparison> {
  const { load, territory } = work
  const expected = (territory?.active ?? 0) + (territory?.inactive ?? 0)
  const comparison = createComparison({ definition: load.definition, expected, tally })
  if (territory) await feedPrevious(context, work, comparison)
  await feedRows(context, work, { spool, tally, comparison })
  await spool.end()
  if (comparison.unresolved) await resolveContests(work, comparison)
  return comparison
}

async function feedPrevious(
  { db }: LoadContext,
  { load, state }: Attempt,
  comparison: Comparison,
): Promise<void> {
  for await (const batch of previousHashes(db, load.territory, pinOf(state))) {
    for (const { external_id, content_hash } of batch) {
      comparison.previous(external_id, content_hash)
    }
  }
}

async function feedRows(
  context: LoadContext,
  { load, lease, entry }: Attempt,
  { spool, tally, comparison }: { spool: Spool; tally: WarningTally; comparison: Comparison },
): Promise<void> {
  let done = 0
  for await (const batch of load.input.judged(load.territory, entry.observed_at, tally)) {
    context.signal?.throwIfAborted()
    await lease.check()
    for (const judged of batch) {
      if (comparison.row(judged) === 'skip' || judged.kind !== 'record') continue
      // A promise only when the spool wants to be flushed: no await per row.
      const flushed = spool.add(judged.record, judged.hash)
      if (flushed !== undefined) await flushed
    }
    done += batch.length
    context.progress?.({ territory_code: load.territory, stage: 'reading', done })
  }
}

/** Reads the rows once more, for the ids that contradict themselves; the warnings were counted the first time. */
async function resolveContests({ load, entry }: Attempt, comparison: Comparison): Promise<void> {
  const rows = load.input.judged(load.territory, entry.observed_at, warningTally())
  for await (const batch of rows) {
    for (const judged of batch) comparison.resolve(judged)
  }
}
