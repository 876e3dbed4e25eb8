import type { estypes } from '@elastic/elasticsearch'
import type { EventType } from '../domain/event.ts'
import { cityKey, provinceKey } from '../domain/fold.ts'
import type { Scope } from '../domain/scope.ts'
import type { Window } from '../domain/time.ts'
import type { Pin } from './state.ts'
import { visibleRecords } from './visible.ts'

type Query = estypes.QueryDslQueryContainer

/** A place as the caller names it; province and city must hold on the same side of an event. */
export interface Place {
  province?: string | undefined
  city?: string | undefined
}

export interface NearPoint {
  latitude: number
  longitude: number
  radiusMeters: number
}

/** A question about events, with the key's scope already inside `territories`. */
export interface EventCriteria {
  window: Window
  territories: Scope
  eventTypes?: readonly EventType[] | undefined
  /** holds when the old or the new side is there */
  place?: Place | undefined
  oldPlace?: Place | undefined
  newPlace?: Place | undefined
  nearOld?: NearPoint | undefined
  nearNew?: NearPoint | undefined
}

/** Where a page of events ends: occurred_at in milliseconds and the event's sequence number. */
export type EventPosition = readonly [number, number]

/** What the answers show of an event; the folded fields and points only serve filters. */
export const EVENT_FIELDS = [
  'seq',
  'run_id',
  'event_type',
  'occurred_at',
  'territory_code',
  'external_id',
  'name',
  'old',
  'new',
]

/** Newest first; the sequence number makes the order total. */
export const NEWEST_FIRST: estypes.SortCombinations[] = [{ occurred_at: 'desc' }, { seq: 'desc' }]

export interface EventPageAsked {
  limit: number
  after?: EventPosition | undefined
}

/**
 * One page of events, with one more than asked for to learn whether another page follows. Documents come whole: taking
 * some of their fields out costs Elasticsearch more than finding them, and us next to nothing.
 */
export function eventPageQuery(
  criteria: EventCriteria,
  pin: Pin,
  page: EventPageAsked,
): estypes.SearchRequest {
  return {
    size: page.limit + 1,
    query: { bool: { filter: eventFilters(criteria, pin) } },
    sort: NEWEST_FIRST,
    ...(page.after ? { search_after: [...page.after] } : {}),
  }
}

/** All events of one pharmacy, through every life of its id. */
export function pharmacyEventsQuery(
  pharmacy: { territory: string; externalId: string },
  pin: Pin,
  page: { size: number; after?: EventPosition | undefined },
): estypes.SearchRequest {
  return {
    size: page.size,
    query: {
      bool: {
        filter: [
          { term: { territory_code: pharmacy.territory } },
          { term: { external_id: pharmacy.externalId } },
          ...visibleRecords(pin),
        ],
      },
    },
    sort: NEWEST_FIRST,
    _source: EVENT_FIELDS,
    ...(page.after ? { search_after: [...page.after] } : {}),
  }
}

/** The one meaning of window, scope and filters that listing, relocations, summary and incremental share. */
export function eventFilters(criteria: EventCriteria, pin: Pin): Query[] {
  const filters: Query[] = [
    { range: { occurred_at: { gte: criteria.window.from, lt: criteria.window.to } } },
    ...visibleRecords(pin),
    ...territoryFilters(criteria.territories),
  ]
  if (criteria.eventTypes) filters.push({ terms: { event_type: [...criteria.eventTypes] } })
  if (criteria.place) filters.push(...eitherSide(criteria.place))
  if (criteria.oldPlace) filters.push(...onSide('old', criteria.oldPlace))
  if (criteria.newPlace) filters.push(...onSide('new', criteria.newPlace))
  if (criteria.nearOld) filters.push(near('old_location', criteria.nearOld))
  if (criteria.nearNew) filters.push(near('new_location', criteria.nearNew))
  return filters
}

/** An empty list stays a filter, one that nothing passes: an empty scope never means "all". */
export function territoryFilters(territories: Scope): Query[] {
  return territories === 'all' ? [] : [{ terms: { territory_code: [...territories] } }]
}

function eitherSide(place: Place): Query[] {
  const old = onSide('old', place)
  if (old.length === 0) return []
  return [
    {
      bool: {
        should: [{ bool: { filter: old } }, { bool: { filter: onSide('new', place) } }],
        minimum_should_match: 1,
      },
    },
  ]
}

function onSide(side: 'old' | 'new', place: Place): Query[] {
  const filters: Query[] = []
  if (place.province !== undefined) {
    filters.push({ term: { [`${side}_province_keys`]: provinceKey(place.province) } })
  }
  if (place.city !== undefined) {
    filters.push({ term: { [`${side}_city_keys`]: cityKey(place.city) } })
  }
  return filters
}

function near(field: 'old_location' | 'new_location', point: NearPoint): Query {
  return {
    geo_distance: {
      distance: `${point.radiusMeters}m`,
      distance_type: 'arc',
      [field]: { lat: point.latitude, lon: point.longitude },
    },
  }
}
