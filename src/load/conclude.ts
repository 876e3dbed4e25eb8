import type { Commit } from '../store/commit.ts'
import type { RawSnapshot, RunDocument } from '../store/runs.ts'
import type { TerritoryState } from '../store/state.ts'
import type { Attempt } from './attempt.ts'
import type { LoadContext } from './context.ts'
import type { Gained } from './gained.ts'
import type { Leaving, Prepared } from './remembered-hashes.ts'

/** The two ways in which a run ends well: nothing was new, or what was new is committed. */

/**
 * The run found the state it knows. The check itself counts: nothing older is accepted after it. `raw` is given
 * when the bytes differ and only the content is the same.
 */
export async function confirm(
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

/** What a commit ends: documents under the run's number, the raw bytes, and what the next load is to know. */
interface Written {
  writer: Commit
  gained: Gained
  raw: RawSnapshot
  archived: Promise<void>
  remembered: Prepared
}

/** Makes what was written visible. */
export async function commit(
  context: LoadContext,
  work: Attempt,
  { writer, gained, raw, archived, remembered }: Written,
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
  const leaving = { territory: load.territory, state: stateAt(committed.committed_at ?? '') }
  await remember(context, remembered, leaving)
  return committed
}

/** For the next load. The run is committed whether this succeeds or not. */
async function remember(
  { log }: LoadContext,
  remembered: Prepared,
  leaving: Leaving,
): Promise<void> {
  try {
    await remembered.keep(leaving)
  } catch (err) {
    const { territory: territory_code } = leaving
    log.warn({ err, territory_code }, 'the next load will have to ask Elasticsearch')
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
