import type { estypes } from '@elastic/elasticsearch'
import type { Calendar } from '../domain/calendar.ts'
import { type EventCriteria, eventFilters, NEWEST_FIRST } from './event-queries.ts'
import type { Pin } from './state.ts'

export const GROUPINGS = ['event_type', 'territory', 'province', 'city'] as const
export type Grouping = (typeof GROUPINGS)[number]

export interface SummaryCriteria {
  events: EventCriteria
  groupBy: Grouping
}

/** The key of one composite bucket: the group (null: none), and the calendar bucket where asked for. */
export interface GroupKey {
  group: string | null
  start?: number
}

const GROUP_FIELD: Record<Grouping, string> = {
  event_type: 'event_type',
  territory: 'territory_code',
  province: 'province_group',
  city: 'city_group',
}

/** Where a group is a canonical form, the field that holds the spelling to show. */
const LABEL_FIELD: Partial<Record<Grouping, string>> = {
  province: 'province_label',
  city: 'city_label',
}

/**
 * Counts per group, a page at a time: a composite aggregation is walked to its end, so no group is ever cut
 * off and every count is exact. A place brings the spelling of its newest event along.
 */
export function groupCountsQuery(
  { events, groupBy }: SummaryCriteria,
  pin: Pin,
  page: { size: number; after?: GroupKey | undefined },
): estypes.SearchRequest {
  const sources = [groupSource(groupBy)]
  const labelField = LABEL_FIELD[groupBy]
  const label = labelField ? { aggregations: { newest: newestLabel(labelField) } } : {}
  return {
    size: 0,
    track_total_hits: true,
    query: { bool: { filter: eventFilters(events, pin) } },
    aggregations: { groups: { composite: composite(sources, page), ...label } },
  }
}

/** The same counts, also split by calendar bucket. */
export function bucketCountsQuery(
  { events, groupBy }: SummaryCriteria,
  calendar: Calendar,
  pin: Pin,
  page: { size: number; after?: GroupKey | undefined },
): estypes.SearchRequest {
  const start = {
    start: {
      date_histogram: {
        field: 'occurred_at',
        calendar_interval: calendar.interval,
        time_zone: calendar.timeZone,
      },
    },
  }
  return {
    size: 0,
    query: { bool: { filter: eventFilters(events, pin) } },
    aggregations: { groups: { composite: composite([start, groupSource(groupBy)], page) } },
  }
}

function newestLabel(field: string): estypes.AggregationsAggregationContainer {
  return { top_hits: { size: 1, sort: NEWEST_FIRST, _source: false, docvalue_fields: [field] } }
}

type Sources = NonNullable<estypes.AggregationsCompositeAggregation['sources']>

function groupSource(groupBy: Grouping): Sources[number] {
  return { group: { terms: { field: GROUP_FIELD[groupBy], missing_bucket: true } } }
}

function composite(
  sources: Sources,
  { size, after }: { size: number; after?: GroupKey | undefined },
): estypes.AggregationsCompositeAggregation {
  return { size, sources, ...(after ? { after: { ...after } } : {}) }
}
