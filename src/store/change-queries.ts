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
  return {
    size: limit + 1,
    query: {
      bool: {
        filter: [
          { range: { id: { gt: criteria.afterId } } },
          { range: { run: { gte: criteria.fromRun } } },
          ...visibleRecords(pin),
          ...territoryFilters(criteria.territories),
        ],
      },
    },
    sort: [{ id: 'asc' }],
  }
}
