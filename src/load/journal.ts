import { noCounts, noEvents } from '../domain/run.ts'
import { instantOf } from '../domain/time.ts'
import type { Db } from '../store/db.ts'
import { listRuns, type RunDocument, writeRun } from '../store/runs.ts'
import type { RegistryState } from '../store/state.ts'

/** A fresh journal entry. The run id is the territory and the number under which the attempt began. */
export function beginEntry(at: {
  run: number
  territory: string
  slug: string
  observedAt: string
  now: number
  renormalised?: boolean
}): RunDocument {
  return {
    run_id: `${at.territory.toLowerCase()}-${at.run}`,
    run: at.run,
    source_slug: at.slug,
    territory_code: at.territory,
    status: 'running',
    observed_at: at.observedAt,
    started_at: instantOf(at.now),
    finished_at: null,
    committed_at: null,
    last_change_id: null,
    last_seq: null,
    baseline: false,
    renormalised: at.renormalised ?? false,
    counts: noCounts(),
    events: noEvents(),
    reasons: [],
    warnings: [],
    error: null,
    raw: null,
  }
}

const MAX_DEAD = 100

/**
 * Whoever holds the lease is the only one who loads, so an entry that still says `running` belongs to an attempt
 * that died: committed if its number did, else abandoned, or quarantined as it was before it was approved. Gives
 * them back as they are now.
 */
export async function settleDeadEntries(
  db: Db,
  state: RegistryState,
  now: number,
): Promise<RunDocument[]> {
  const writer = state.lease?.run
  if (writer === undefined) return []
  const { items } = await listRuns(db, { territories: 'all', limit: MAX_DEAD, status: 'running' })
  const settled: RunDocument[] = []
  for (const entry of items) {
    if (entry.run === writer) continue
    const committed =
      entry.committed_at !== null &&
      entry.run <= state.committed_run &&
      !state.abandoned.includes(entry.run)
    const run = committed ? committedAfterAll(entry) : interrupted(entry, now)
    await writeRun(db, run, writer)
    settled.push(run)
  }
  return settled
}

function committedAfterAll(entry: RunDocument): RunDocument {
  return {
    ...entry,
    status: 'committed',
    finished_at: entry.committed_at,
    reasons: [],
    error: null,
  }
}

/** Only an approved run has reasons while it runs: interrupted, it waits again. Any other attempt is over. */
function interrupted(entry: RunDocument, now: number): RunDocument {
  const waits = entry.raw !== null && entry.reasons.length > 0
  return {
    ...entry,
    status: waits ? 'quarantined' : 'abandoned',
    finished_at: instantOf(now),
    error: waits
      ? entry.reasons.map(({ detail }) => detail).join(' ')
      : 'The loader ended before this run did.',
  }
}
