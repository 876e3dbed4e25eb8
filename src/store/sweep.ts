import type { estypes } from '@elastic/elasticsearch'
import { type BulkItem, writeItems } from './bulk.ts'
import { type Db, refresh, search } from './db.ts'
import { OPEN_RUN } from './documents.ts'

const BATCH = 5_000

/**
 * Removes what dead attempts left under the given run numbers, and opens again the versions they had closed.
 * Hygiene only: readers never see these documents. Repeatable, and harmless if a dead writer wakes up meanwhile.
 */
export async function sweep(db: Db, runs: readonly number[]): Promise<number> {
  if (runs.length === 0) return 0
  await refresh(db, ['pharmacies', 'events', 'changes'])
  let swept = await reopen(db, runs)
  swept += await remove(db, 'pharmacies', { terms: { from_run: [...runs] } })
  swept += await remove(db, 'events', { terms: { run: [...runs] } })
  swept += await remove(db, 'changes', { terms: { run: [...runs] } })
  return swept
}

async function remove(
  db: Db,
  index: 'pharmacies' | 'events' | 'changes',
  query: estypes.QueryDslQueryContainer,
): Promise<number> {
  return eachBatch(db, index, query, (hit) => ({
    action: JSON.stringify({ delete: { _index: db.alias(index), _id: hit._id } }),
  }))
}

async function reopen(db: Db, runs: readonly number[]): Promise<number> {
  return eachBatch(db, 'pharmacies', { terms: { to_run: [...runs] } }, (hit) => ({
    // A conflict means that somebody else closed this version again: theirs counts, ours is not needed.
    action: JSON.stringify({
      update: {
        _index: db.alias('pharmacies'),
        _id: hit._id,
        if_seq_no: hit._seq_no,
        if_primary_term: hit._primary_term,
      },
    }),
    document: JSON.stringify({ doc: { to_run: OPEN_RUN } }),
  }))
}

async function eachBatch(
  db: Db,
  index: 'pharmacies' | 'events' | 'changes',
  query: estypes.QueryDslQueryContainer,
  itemOf: (hit: estypes.SearchHit) => BulkItem,
): Promise<number> {
  let done = 0
  for (;;) {
    const answer = await search(db, index, {
      size: BATCH,
      _source: false,
      seq_no_primary_term: true,
      query: { bool: { filter: [query] } },
      sort: ['_doc'],
    })
    const hits = answer.hits.hits
    if (hits.length === 0) return done
    await writeItems(db, hits.map(itemOf))
    await refresh(db, [index])
    done += hits.length
  }
}
