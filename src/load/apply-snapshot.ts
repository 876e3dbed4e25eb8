import { join } from 'node:path'
import { type DeltaCounts, judgeDelta } from '../delta/guards.ts'
import { isJudgedByDate } from '../domain/definition.ts'
import { LoadFailure } from '../domain/problem.ts'
import { type Reason, warningTally } from '../domain/run.ts'
import { type Commit, openCommit } from '../store/commit.ts'
import type { RawSnapshot, RunDocument } from '../store/runs.ts'
import type { Attempt } from './attempt.ts'
import { compareRows, type Sinks } from './compare-rows.ts'
import { commit, confirm } from './conclude.ts'
import type { LoadContext } from './context.ts'
import type { Fetched } from './input.ts'
import { openModifications } from './modifications.ts'
import { RunRefused } from './outcome.ts'
import { openSpool, type Spool } from './spool.ts'
import { openStraight } from './straight.ts'

const MAX_AHEAD_MS = 5 * 60_000

/**
 * Brings one territory to one snapshot: fetch, compare, judge, commit. Fills in `work.entry` as it goes, so that
 * a run that ends early shows what it had found. Throws RunRefused or LoadFailure when it must not be applied.
 */
export async function applySnapshot(context: LoadContext, work: Attempt): Promise<RunDocument> {
  const { load } = work
  context.progress?.({ territory_code: load.territory, stage: 'fetching', done: 0 })
  const source = await load.input.fetched()
  const observedAt = load.observedAt ?? source.startedAt
  work.entry = { ...work.entry, observed_at: observedAt, baseline: !work.territory }
  if (source.kind === 'not_modified' || hasSameBytes(work, source))
    return confirm(context, work, null)
  refuseWrongDate(context, work, observedAt)
  const raw: RawSnapshot = { ...source.raw, definition: load.definition }
  work.entry.raw = raw

  const spool = openSpool(join(context.workDir, `spool-${work.lease.run}.ndjson`))
  // Beside the reading of the rows, which leaves the other processors to it.
  const archived = context.archive.store(source.path, raw)
  // Whether it succeeded is asked where it matters, before the run ends well; until then it is no unhandled failure.
  archived.catch(() => undefined)
  try {
    const apply = work.entry.baseline ? applyFirst : applyNext
    return await apply(context, work, { spool, raw, archived })
  } finally {
    // The file that is archived goes away with the load.
    await Promise.allSettled([archived, spool.remove()])
  }
}

interface Steps {
  spool: Spool
  raw: RawSnapshot
  /** settles when the raw bytes are in the archive, or cannot be put there */
  archived: Promise<void>
}

async function applyNext(context: LoadContext, work: Attempt, steps: Steps): Promise<RunDocument> {
  const { spool, raw, archived } = steps
  const { comparison, counts, tally } = await judgedRows(context, work, { spool, straight: null })
  const { added, updated, removed } = counts
  if (added + updated + removed === 0) {
    await archived
    return confirm(context, work, raw)
  }

  // Beside the work of Elasticsearch.
  const remembered = context.hashes.prepare(comparison.packed())
  try {
    const modifications = openModifications(context, work, { spool, comparison })
    const foreseen = await modifications.foresee(tally)
    work.entry = { ...work.entry, events: foreseen.events, warnings: tally.list() }
    const doubts = doubtsOf(work, { ...foreseen, added, removed })
    if (doubts.length > 0) {
      await archived
      throw new RunRefused('quarantined', doubts)
    }
    work.dirty = true
    const writer = openWriter(context, work)
    const gained = await modifications.write(writer)
    return await commit(context, work, { writer, gained, raw, archived, remembered })
  } finally {
    await remembered.drop()
  }
}

/** Why an operator should look at this delta before it is applied. */
function doubtsOf(
  { territory, entry, load }: Attempt,
  delta: Omit<DeltaCounts, 'previousTotal'>,
): Reason[] {
  if (entry.renormalised || load.force) return []
  const previousTotal = (territory?.active ?? 0) + (territory?.inactive ?? 0)
  return judgeDelta({ ...delta, previousTotal }, load.definition.guards ?? {})
}

/** The first snapshot of a territory: without events, and without doubts, since there is nothing to compare it with. */
async function applyFirst(context: LoadContext, work: Attempt, steps: Steps): Promise<RunDocument> {
  const { spool, raw, archived } = steps
  const writer = openWriter(context, work)
  const straight = openStraight(writer)
  const { comparison } = await judgedRows(context, work, { spool, straight })
  const remembered = context.hashes.prepare(comparison.packed())
  try {
    await straight.amend(spool, comparison)
    const { gained } = straight
    return await commit(context, work, { writer, gained, raw, archived, remembered })
  } finally {
    await remembered.drop()
  }
}

/** Compares all rows, and throws RunRefused when they are not fit to be applied. */
async function judgedRows(context: LoadContext, work: Attempt, sinks: Sinks) {
  const tally = warningTally()
  const comparison = await compareRows(context, work, { ...sinks, tally })
  const { counts, reasons } = comparison.finish()
  work.entry = { ...work.entry, counts, warnings: tally.list() }
  if (reasons.length > 0) throw new RunRefused('failed', reasons)
  return { comparison, counts, tally }
}

/** Unchanged bytes end a run before parsing, unless another definition reads them now, or a later day. */
function hasSameBytes(
  { load, territory, entry }: Attempt,
  source: Fetched & { kind: 'file' },
): boolean {
  return (
    territory !== undefined &&
    !entry.renormalised &&
    !(isJudgedByDate(load.definition) && entry.observed_at > territory.confirmed_observed_at) &&
    territory.raw_sha256 === source.raw.sha256 &&
    territory.definition_version === load.definition.version &&
    territory.source_slug === load.definition.slug
  )
}

function refuseWrongDate(
  { now }: LoadContext,
  { territory, entry }: Attempt,
  observedAt: string,
): void {
  if (entry.renormalised) return
  if (Date.parse(observedAt) > now() + MAX_AHEAD_MS) {
    throw new LoadFailure(
      'future_snapshot',
      `The snapshot is dated ${observedAt}, more than five minutes ahead of now: applied, it would shut out every later one.`,
    )
  }
  if (territory && observedAt <= territory.confirmed_observed_at) {
    throw new LoadFailure(
      'older_snapshot',
      `The snapshot is dated ${observedAt}, not later than the good one of ${territory.confirmed_observed_at}.`,
    )
  }
}

function openWriter({ db }: LoadContext, { lease, state, load, entry }: Attempt): Commit {
  return openCommit(db, {
    lease,
    state,
    territory: load.territory,
    runId: entry.run_id,
    observedAt: entry.observed_at,
  })
}
