import type { estypes } from '@elastic/elasticsearch'
import type { Scope } from '../domain/scope.ts'
import { territoryFilters } from './event-queries.ts'
import type { Pin } from './state.ts'
import { visibleRecords } from './visible.ts'

/** A question about changes, with the key's scope already inside `territories`. */
export interface ChangeCriteria {
  /** the first run whose changes count: `since`, resolved */
  fromRun: number
  territories: Scope
  /** only ids above this one */
  afterId: number
}

/** One page of changes by ascending id, with one more than asked for to learn whether another page follows. */
export function changePageQuery(
  criteria: ChangeCriteria,
  pin: Pin,
  limit: number,
): estypes.SearchRequest {
  const { fromRun, territories, afterId } = criteria
  return {
    size: limit + 1,
    query: {
      bool: {
        filter: [
          { range: { id: { gt: afterId } } },
          { range: { run: { gte: fromRun } } },
          ...visibleRecords(pin),
          ...territoryFilters(territories),
        ],
      },
    },
    sort: [{ id: 'asc' }],
  }
}

/**
 * The same page where nothing but the cursor leaves any out: since ids have no gap, it is known which they are, and
 * Elasticsearch need not look through all that follow. Null where some may be left out, and at the end; without a
 * cursor it is `since` that says where the page begins. Says nothing of runs: what comes has to be looked at, and to be
 * asked for with `changePageQuery` if it is not the whole page.
 */
export function wholeChangePageQuery(
  { territories, afterId }: ChangeCriteria,
  { limit, lastId }: { limit: number; lastId: number },
): estypes.SearchRequest | null {
  const upToId = afterId + limit
  if (territories !== 'all' || afterId === 0 || upToId >= lastId) return null
  return {
    size: limit,
    query: { range: { id: { gt: afterId, lte: upToId } } },
    sort: [{ id: 'asc' }],
  }
}
