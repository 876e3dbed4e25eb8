import type { estypes } from '@elastic/elasticsearch'
import { Problem } from '../domain/problem.ts'
import type { Scope } from '../domain/scope.ts'
import type { Instant } from '../domain/time.ts'
import { type Db, search } from './db.ts'
import { territoryFilters } from './event-queries.ts'
import type { RunDocument } from './runs.ts'
import type { Pin } from './state.ts'
import { visibleRecords } from './visible.ts'

type Commit = Pick<RunDocument, 'run' | 'committed_at' | 'last_change_id' | 'observed_at'>

const FIELDS = ['run', 'committed_at', 'last_change_id', 'observed_at']

/**
 * The commit records: which instant each committed run became visible. They are written just before the
 * compare-and-set that commits, and count only once the state document has reached their number.
 */
export interface Commits {
  committedAt(runs: readonly number[]): Promise<ReadonlyMap<number, Instant>>
  firstRunSince(since: Instant, pin: Pin): Promise<number | null>
  runAsOf(
    territory: string,
    asOf: Instant,
    pin: Pin,
  ): Promise<{ run: number; last_change_id: number } | null>
  /** the run each territory showed at an instant; without those that had no baseline yet */
  runsAsOf(territories: Scope, asOf: Instant, pin: Pin): Promise<ReadonlyMap<string, number>>
}

const MAX_REMEMBERED = 50_000

export function openCommits(db: Db): Commits {
  // Immutable once committed, so remembering them is safe for ever.
  const instants = new Map<number, Instant>()
  /** of an instant, the first run since: a mirror asks with the same one at every poll */
  const firsts = new Map<Instant, number>()
  const known = (run: number): Instant => {
    const instant = instants.get(run)
    if (instant !== undefined) return instant
    // A visible run has its record; only a copy of the index that lags behind can lack it for a moment.
    throw new Problem(
      'store_unavailable',
      `The commit record of run ${run} is not to be found yet.`,
    )
  }

  return {
    async committedAt(runs) {
      const unknown = [...new Set(runs)].filter((run) => !instants.has(run))
      for (let at = 0; at < unknown.length; at += 1000) {
        const batch = unknown.slice(at, at + 1000)
        const answer = await search<Commit>(db, 'runs', {
          size: batch.length,
          _source: FIELDS,
          query: {
            bool: { filter: [{ terms: { run: batch } }, { exists: { field: 'committed_at' } }] },
          },
        })
        if (instants.size > MAX_REMEMBERED) instants.clear()
        for (const hit of answer.hits.hits) {
          const commit = hit._source as Commit
          instants.set(commit.run, commit.committed_at as Instant)
        }
      }
      return new Map(runs.map((run) => [run, known(run)]))
    },

    async firstRunSince(since, pin) {
      const remembered = firsts.get(since)
      if (remembered !== undefined && remembered <= pin.run) return remembered
      const commit = await one(db, {
        filter: [{ range: { committed_at: { gte: since } } }, ...visibleRecords(pin)],
        order: 'asc',
      })
      if (firsts.size >= MAX_REMEMBERED) firsts.clear()
      // Later commits are later than it; where there is none yet, the next one will be it.
      if (commit) firsts.set(since, commit.run)
      return commit?.run ?? null
    },

    async runAsOf(territory, asOf, pin) {
      const commit = await one(db, {
        filter: [
          { term: { territory_code: territory } },
          { range: { observed_at: { lte: asOf } } },
          { exists: { field: 'committed_at' } },
          ...visibleRecords(pin),
        ],
        order: 'desc',
      })
      return commit && { run: commit.run, last_change_id: commit.last_change_id ?? 0 }
    },

    runsAsOf: (territories, asOf, pin) => runsAsOf(db, { territories, asOf, pin }),
  }
}

/** More than there can be codes of the form ES-XX. */
const MAX_TERRITORIES = 26 * 26

async function runsAsOf(
  db: Db,
  { territories, asOf, pin }: { territories: Scope; asOf: Instant; pin: Pin },
): Promise<ReadonlyMap<string, number>> {
  const answer = await search<unknown, { territories: Newest }>(db, 'runs', {
    size: 0,
    query: {
      bool: {
        filter: [
          { range: { observed_at: { lte: asOf } } },
          { exists: { field: 'committed_at' } },
          ...territoryFilters(territories),
          ...visibleRecords(pin),
        ],
      },
    },
    aggregations: {
      territories: {
        terms: { field: 'territory_code', size: MAX_TERRITORIES },
        aggregations: { run: { max: { field: 'run' } } },
      },
    },
  })
  const buckets = answer.aggregations?.territories.buckets ?? []
  return new Map(buckets.map(({ key, run }) => [key, run.value]))
}

interface Newest {
  buckets: { key: string; run: { value: number } }[]
}

async function one(
  db: Db,
  { filter, order }: { filter: estypes.QueryDslQueryContainer[]; order: 'asc' | 'desc' },
): Promise<Commit | null> {
  const answer = await search<Commit>(db, 'runs', {
    size: 1,
    _source: FIELDS,
    query: { bool: { filter } },
    sort: [{ run: order }],
  })
  return (answer.hits.hits[0]?._source as Commit | undefined) ?? null
}
