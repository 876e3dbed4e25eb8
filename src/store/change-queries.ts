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
  /** only ids up to this one */
  upToId?: number
}

/** One page of changes by ascending id, with one more than asked for to learn whether another page follows. */
export function changePageQuery(
  criteria: ChangeCriteria,
  pin: Pin,
  limit: number,
): estypes.SearchRequest {
  const { fromRun, territories, afterId, upToId } = criteria
  return {
    size: limit + 1,
    query: {
      bool: {
        filter: [
          { range: { id: { gt: afterId, ...(upToId === undefined ? {} : { lte: upToId }) } } },
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
 * The same page among the ids that it must lie in when nothing but the cursor leaves any out, since ids have no gap:
 * Elasticsearch then need not look through all that follow. Null where it could not be much quicker. A page that is not
 * full says nothing, and must be asked for without that bound.
 */
export function boundedChangePage(
  criteria: ChangeCriteria,
  pin: Pin,
  { limit, lastId }: { limit: number; lastId: number },
): estypes.SearchRequest | null {
  const upToId = criteria.afterId + limit + 1
  if (criteria.territories !== 'all' || upToId >= lastId) return null
  return changePageQuery({ ...criteria, upToId }, pin, limit)
}
