import type { estypes } from '@elastic/elasticsearch'
import type { EventType } from '../domain/event.ts'
import type { Scope } from '../domain/scope.ts'
import type { Window } from '../domain/time.ts'
import { EVENT_FIELDS, eventFilters, NEWEST_FIRST } from './event-queries.ts'
import type { Pin } from './state.ts'

/** The lists of the incremental feed and the kinds of event each shows; the other kinds do not count here. */
export const INCREMENTAL_LISTS = {
  opened: ['opened'],
  closed: ['closed_hard', 'closed_soft'],
  relocated: ['relocated'],
} as const satisfies Record<string, readonly EventType[]>
export type IncrementalList = keyof typeof INCREMENTAL_LISTS
export type IncrementalKind = (typeof INCREMENTAL_LISTS)[IncrementalList][number]

export interface IncrementalCriteria {
  window: Window
  territories: Scope
  limitPerType: number
}

const COUNTED: readonly EventType[] = Object.values(INCREMENTAL_LISTS).flat()

/** Exact counts over the whole window, by kind: the aggregation has room for every kind there is. */
export function incrementalCountsQuery(
  criteria: IncrementalCriteria,
  pin: Pin,
): estypes.SearchRequest {
  return {
    size: 0,
    query: { bool: { filter: eventFilters({ ...criteria, eventTypes: COUNTED }, pin) } },
    aggregations: { kinds: { terms: { field: 'event_type', size: COUNTED.length } } },
  }
}

/** The newest events of one list. */
export function incrementalListQuery(
  criteria: IncrementalCriteria,
  pin: Pin,
  list: IncrementalList,
): estypes.SearchRequest {
  const eventTypes = INCREMENTAL_LISTS[list]
  return {
    size: criteria.limitPerType,
    query: { bool: { filter: eventFilters({ ...criteria, eventTypes }, pin) } },
    sort: NEWEST_FIRST,
    _source: EVENT_FIELDS,
  }
}
