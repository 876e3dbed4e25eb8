import { type Db, search } from './db.ts'
import type { StoredEvent } from './events.ts'
import {
  type IncrementalCriteria,
  type IncrementalKind,
  type IncrementalList,
  incrementalCountsQuery,
  incrementalListQuery,
} from './incremental-queries.ts'
import type { Pin } from './state.ts'

export interface Incremental {
  counts: Record<IncrementalKind, number>
  lists: Record<IncrementalList, StoredEvent[]>
}

/** Counts and newest events per list at one pin; all four searches see the same committed state. */
export async function readIncremental(
  db: Db,
  criteria: IncrementalCriteria,
  pin: Pin,
): Promise<Incremental> {
  const [counts, opened, closed, relocated] = await Promise.all([
    countKinds(db, criteria, pin),
    newest(db, criteria, pin, 'opened'),
    newest(db, criteria, pin, 'closed'),
    newest(db, criteria, pin, 'relocated'),
  ])
  return { counts, lists: { opened, closed, relocated } }
}

async function countKinds(
  db: Db,
  criteria: IncrementalCriteria,
  pin: Pin,
): Promise<Incremental['counts']> {
  const body = incrementalCountsQuery(criteria, pin)
  const answer = await search<unknown, { kinds: Kinds }>(db, 'events', body)
  const counts = { opened: 0, closed_hard: 0, closed_soft: 0, relocated: 0 }
  for (const { key, doc_count } of answer.aggregations?.kinds.buckets ?? []) {
    counts[key] = doc_count
  }
  return counts
}

interface Kinds {
  buckets: { key: IncrementalKind; doc_count: number }[]
}

async function newest(
  db: Db,
  criteria: IncrementalCriteria,
  pin: Pin,
  list: IncrementalList,
): Promise<StoredEvent[]> {
  const body = incrementalListQuery(criteria, pin, list)
  const answer = await search<StoredEvent>(db, 'events', body)
  return answer.hits.hits.map((hit) => hit._source as StoredEvent)
}
