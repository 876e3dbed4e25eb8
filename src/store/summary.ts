import type { estypes } from '@elastic/elasticsearch'
import type { Calendar } from '../domain/calendar.ts'
import { type Db, search } from './db.ts'
import type { Pin } from './state.ts'
import {
  bucketCountsQuery,
  type GroupKey,
  groupCountsQuery,
  type SummaryCriteria,
} from './summary-queries.ts'

/** The count of one group; `group` is the canonical key, null for events without one. */
export interface GroupCount {
  group: string | null
  count: number
  /** the newest spelling, for provinces and cities */
  label: string | null
}

/** The count of one group inside one calendar bucket; `start` in milliseconds. */
export interface BucketCount {
  start: number
  group: string | null
  count: number
}

/** Bounded because each group of a page may bring its newest event along. */
const GROUPS_PER_PAGE = 1000
const BUCKETS_PER_PAGE = 5000

/** Exact counts per group, in no particular order. */
export async function countGroups(
  db: Db,
  criteria: SummaryCriteria,
  pin: Pin,
): Promise<{ total: number; groups: GroupCount[] }> {
  let total = 0
  const groups: GroupCount[] = []
  for await (const page of pages(db, (after) =>
    groupCountsQuery(criteria, pin, { size: GROUPS_PER_PAGE, after }),
  )) {
    total = page.total
    for (const { key, doc_count, newest } of page.buckets) {
      groups.push({ group: key.group, count: doc_count, label: labelOf(newest) })
    }
  }
  return { total, groups }
}

/** Exact counts per calendar bucket and group, in no particular order; empty combinations are absent. */
export async function countBuckets(
  db: Db,
  criteria: SummaryCriteria,
  calendar: Calendar,
  pin: Pin,
): Promise<BucketCount[]> {
  const counts: BucketCount[] = []
  for await (const page of pages(db, (after) =>
    bucketCountsQuery(criteria, calendar, pin, { size: BUCKETS_PER_PAGE, after }),
  )) {
    for (const { key, doc_count } of page.buckets) {
      counts.push({ start: Number(key.start), group: key.group, count: doc_count })
    }
  }
  return counts
}

interface CompositeBucket {
  key: GroupKey
  doc_count: number
  newest?: estypes.AggregationsTopHitsAggregate
}

interface CompositePage {
  total: number
  buckets: CompositeBucket[]
}

/** Walks a composite aggregation: `after_key` is absent exactly when a page is empty. */
async function* pages(
  db: Db,
  queryAfter: (after: GroupKey | undefined) => estypes.SearchRequest,
): AsyncGenerator<CompositePage> {
  let after: GroupKey | undefined
  do {
    const answer = await search<unknown, { groups: Groups }>(db, 'events', queryAfter(after))
    const { hits, aggregations } = answer
    const total = typeof hits.total === 'object' ? hits.total.value : 0
    yield { total, buckets: aggregations?.groups.buckets ?? [] }
    after = aggregations?.groups.after_key
  } while (after)
}

interface Groups {
  buckets: CompositeBucket[]
  after_key?: GroupKey
}

function labelOf(newest: estypes.AggregationsTopHitsAggregate | undefined): string | null {
  const fields = (newest?.hits.hits[0]?.fields ?? {}) as Record<string, string[]>
  return Object.values(fields)[0]?.[0] ?? null
}
