import type { Judged } from '../delta/normalise.ts'
import { type Comparison, createComparison } from '../delta/snapshot.ts'
import { type WarningTally, warningTally } from '../domain/run.ts'
import { previousHashes } from '../store/previous.ts'
import { pinOf, type TerritoryState } from '../store/state.ts'
import type { Attempt } from './attempt.ts'
import { breathing, forEachPaced } from './breathing.ts'
import type { LoadContext } from './context.ts'
import type { Spool } from './spool.ts'
import type { Straight } from './straight.ts'

type Accepted = Extract<Judged, { kind: 'record' }>

/** Where content goes that is new or other than before. */
export interface Sinks {
  spool: Spool
  /** of a first load: new content goes here, and only what contradicts it to the spool */
  straight: Straight | null
}

/**
 * One pass over the previous hashes and one over the rows; new or other content goes to its sink. Rows are read
 * a second time only when ids contradict themselves.
 */
export async function compareRows(
  context: LoadContext,
  work: Attempt,
  { tally, ...sinks }: Sinks & { tally: WarningTally },
): Promise<Comparison> {
  const { load, territory } = work
  const expected = (territory?.active ?? 0) + (territory?.inactive ?? 0)
  const comparison = createComparison({ definition: load.definition, expected, tally })
  if (territory) await feedPrevious(context, { work, territory, comparison })
  await feedRows(context, work, { ...sinks, tally, comparison })
  await sinks.spool.end()
  if (comparison.unresolved) await resolveContests(work, comparison)
  return comparison
}

async function feedPrevious(
  { db, hashes, log }: LoadContext,
  {
    work: { load, state },
    territory,
    comparison,
  }: { work: Attempt; territory: TerritoryState; comparison: Comparison },
): Promise<void> {
  const leaving = { territory: load.territory, state: territory }
  const why = await hashes.recall(leaving, (entries) => comparison.previousPacked(entries))
  if (why === null) return
  log.info({ territory_code: load.territory, why }, 'reading what is known from Elasticsearch')
  for await (const batch of previousHashes(db, load.territory, pinOf(state))) {
    for (const { external_id, content_hash } of batch) {
      comparison.previous(external_id, content_hash)
    }
  }
}

async function feedRows(
  context: LoadContext,
  work: Attempt,
  { tally, comparison, ...sinks }: Sinks & { tally: WarningTally; comparison: Comparison },
): Promise<void> {
  const { load, lease, entry } = work
  const keep = keeper(work, sinks)
  const breathe = breathing()
  let done = 0
  for await (const batch of load.input.judged(load.territory, entry.observed_at, tally)) {
    context.signal?.throwIfAborted()
    await lease.check()
    await forEachPaced(
      batch,
      (judged) => {
        const says = comparison.row(judged)
        return says === 'skip' || judged.kind !== 'record' ? undefined : keep(judged, says)
      },
      breathe,
    )
    done += batch.length
    context.progress?.({ territory_code: load.territory, stage: 'reading', done })
  }
}

function keeper(work: Attempt, { spool, straight }: Sinks) {
  return ({ record, hash }: Accepted, says: 'new' | 'contradicting'): Promise<void> | undefined => {
    if (!straight || says === 'contradicting') return spool.add(record, hash)
    work.dirty = true
    return straight.write(record, hash)
  }
}

/** Reads the rows once more, for the ids that contradict themselves; the warnings were counted the first time. */
async function resolveContests({ load, entry }: Attempt, comparison: Comparison): Promise<void> {
  const rows = load.input.judged(load.territory, entry.observed_at, warningTally())
  const breathe = breathing()
  for await (const batch of rows) {
    for (const judged of batch) comparison.resolve(judged)
    await breathe()
  }
}
