import { join } from 'node:path'
import { judgeDelta } from '../delta/guards.ts'
import type { Comparison } from '../delta/snapshot.ts'
import { LoadFailure } from '../domain/problem.ts'
import { warningTally } from '../domain/run.ts'
import { type Commit, openCommit } from '../store/commit.ts'
import type { RawSnapshot, RunDocument } from '../store/runs.ts'
import type { TerritoryState } from '../store/state.ts'
import type { Attempt } from './attempt.ts'
import { compareRows, type Sinks } from './compare-rows.ts'
import type { LoadContext } from './context.ts'
import type { Gained } from './gained.ts'
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

async function applyNext(
  context: LoadContext,
  work: Attempt,
  { spool, raw, archived }: Steps,
): Promise<RunDocument> {
  const { comparison, counts, tally } = await judgedRows(context, work, { spool, straight: null })
  const { added, updated, removed } = counts
  if (added + updated + removed === 0) {
    await archived
    return confirm(context, work, raw)
  }

  const modifications = openModifications(context, work, { spool, comparison })
  const foreseen = await modifications.foresee(tally)
  work.entry = { ...work.entry, events: foreseen.events, warnings: tally.list() }
  const previousTotal = (work.territory?.active ?? 0) + (work.territory?.inactive ?? 0)
  if (!work.entry.renormalised && !work.load.force) {
    const doubts = judgeDelta(
      { ...foreseen, previousTotal, added, removed },
      work.load.definition.guards ?? {},
    )
    if (doubts.length > 0) {
      await archived
      throw new RunRefused('quarantined', doubts)
    }
  }
  work.dirty = true
  const writer = openWriter(context, work)
  const gained = await modifications.write(writer)
  return commit(context, work, { writer, gained, raw, archived, comparison })
}

/** The first snapshot of a territory: without events, and without doubts, since there is nothing to compare it with. */
async function applyFirst(
  context: LoadContext,
  work: Attempt,
  { spool, raw, archived }: Steps,
): Promise<RunDocument> {
  const writer = openWriter(context, work)
  const straight = openStraight(writer)
  const { comparison } = await judgedRows(context, work, { spool, straight })
  await straight.amend(spool, comparison)
  return commit(context, work, { writer, gained: straight.gained, raw, archived, comparison })
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

/** Unchanged bytes end a run before parsing, unless another definition reads them now. */
function hasSameBytes(
  { load, territory, entry }: Attempt,
  source: Fetched & { kind: 'file' },
): boolean {
  return (
    territory !== undefined &&
    !entry.renormalised &&
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

/**
 * The run found the state it knows. The check itself counts: nothing older is accepted after it. `raw` is given
 * when the bytes differ and only the content is the same.
 */
async function confirm(
  context: LoadContext,
  work: Attempt,
  raw: RawSnapshot | null,
): Promise<RunDocument> {
  const { lease, load, entry } = work
  const total = (work.territory?.active ?? 0) + (work.territory?.inactive ?? 0)
  const now = new Date(context.now()).toISOString()
  await lease.update(
    (state) => {
      const known = state.territories[load.territory]
      if (!known) return state
      const observed = earlier(entry.observed_at, now)
      const confirmed: TerritoryState = {
        ...known,
        ...(raw ? rawFacts(raw) : {}),
        confirmed_observed_at: later(observed, known.confirmed_observed_at),
        last_checked_at: now,
      }
      return { ...state, territories: { ...state.territories, [load.territory]: confirmed } }
    },
    () => false,
  )
  const counts = raw ? entry.counts : { ...entry.counts, unchanged: total }
  return { ...entry, status: 'unchanged', counts }
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

async function commit(
  context: LoadContext,
  work: Attempt,
  {
    writer,
    gained,
    raw,
    archived,
    comparison,
  }: {
    writer: Commit
    gained: Gained
    raw: RawSnapshot
    archived: Promise<void>
    comparison: Comparison
  },
): Promise<RunDocument> {
  const { load, lease, territory: known, entry } = work
  // What is committed can be read again from the archive, always.
  await archived
  context.progress?.({ territory_code: load.territory, stage: 'committing', done: 0 })
  context.signal?.throwIfAborted()
  const stateAt = (committedAt: string): TerritoryState => ({
    source_slug: load.definition.slug,
    baseline_at: known?.baseline_at ?? entry.observed_at,
    last_run: lease.run,
    applied_observed_at: entry.observed_at,
    confirmed_observed_at: later(known?.confirmed_observed_at ?? '', entry.observed_at),
    last_checked_at: committedAt,
    last_changed_at: committedAt,
    active: (known?.active ?? 0) + gained.active,
    inactive: (known?.inactive ?? 0) + gained.inactive,
    ...rawFacts(raw),
  })
  const committed = await writer.finish(entry, stateAt)
  await remember(context, work, { state: stateAt(committed.committed_at ?? ''), comparison })
  return committed
}

/** For the next load. The run is committed whether this succeeds or not. */
async function remember(
  { hashes, log }: LoadContext,
  { load: { territory } }: Attempt,
  { state, comparison }: { state: TerritoryState; comparison: Comparison },
): Promise<void> {
  try {
    await hashes.remember({ territory, state }, comparison.packed())
  } catch (err) {
    log.warn({ err, territory_code: territory }, 'the next load will have to ask Elasticsearch')
  }
}

/** Instants are of one form, so that the order of their texts is that of time. */
function later(a: string, b: string): string {
  return [a, b].sort()[1] as string
}

function earlier(a: string, b: string): string {
  return [a, b].sort()[0] as string
}

function rawFacts(raw: RawSnapshot) {
  return {
    raw_sha256: raw.sha256,
    raw_bytes: raw.bytes,
    dataset_modified_at: raw.dataset_modified_at,
    definition_version: raw.definition.version,
    download_key: raw.download_key,
    http_etag: raw.http_etag,
    http_last_modified: raw.http_last_modified,
  }
}
