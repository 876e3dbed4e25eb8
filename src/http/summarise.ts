import { bucketIndex, bucketStarts, type Calendar, type Interval } from '../domain/calendar.ts'
import { EVENT_TYPES } from '../domain/event.ts'
import { provinceLabel } from '../domain/fold.ts'
import { Problem } from '../domain/problem.ts'
import { instantOf, type Window } from '../domain/time.ts'
import type { Db } from '../store/db.ts'
import type { Pin } from '../store/state.ts'
import { countBuckets, countGroups, type GroupCount } from '../store/summary.ts'
import type { Grouping, SummaryCriteria } from '../store/summary-queries.ts'

export const MAX_BUCKETS = 1000

export interface Item {
  key: string | null
  count: number
}

export interface Summary {
  total: number
  items: Item[]
  /** empty without a calendar */
  buckets: { start: string; total: number; items: Item[] }[]
}

/** A calendar with the bucket starts of a window. */
export interface WindowCalendar extends Calendar {
  starts: readonly number[]
}

interface CalendarParams {
  interval?: Interval
  time_zone?: string
}

export function refuseLoneZone(query: CalendarParams): void {
  if (query.time_zone !== undefined && query.interval === undefined) {
    throw fault('time_zone', 'needs interval')
  }
}

/** The calendar a request asks for, undefined for none; refuses too many buckets. */
export function calendarOf(query: CalendarParams, window: Window): WindowCalendar | undefined {
  const { interval } = query
  if (interval === undefined) return undefined
  // Elasticsearch knows zones by their exact names only.
  const timeZone = exactName(query.time_zone ?? 'UTC')
  const starts = bucketStarts(window, { interval, timeZone }, MAX_BUCKETS)
  if (!starts) {
    throw fault('interval', `makes more than ${MAX_BUCKETS} buckets of this window: shorten it`)
  }
  return { interval, timeZone, starts }
}

function exactName(timeZone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
}

function fault(parameter: string, reason: string): Problem {
  return new Problem('invalid_parameter', `${parameter} ${reason}.`, {
    errors: [{ parameter, reason }],
  })
}

/** Counts and shows: groups by their public keys, zero-filled and ordered as decisions section 2 has it. */
export async function readSummary(
  db: Db,
  pin: Pin,
  asked: SummaryCriteria & {
    /** shown even with a count of 0 when grouping by territory */
    filledTerritories: readonly string[]
    calendar: WindowCalendar | undefined
  },
): Promise<Summary> {
  const { calendar } = asked
  const [{ total, groups }, counts] = await Promise.all([
    countGroups(db, asked, pin),
    calendar ? countBuckets(db, asked, calendar, pin) : [],
  ])
  const present = presenter(asked.groupBy, asked.filledTerritories, groups)
  const perBucket = (calendar?.starts ?? []).map(() => new Map<string | null, number>())
  for (const { start, group, count } of counts) {
    // By position, not by equality: the two clocks' zone data may differ over an ancient offset.
    const bucket = perBucket[bucketIndex(calendar?.starts ?? [], start)]
    bucket?.set(group, (bucket.get(group) ?? 0) + count)
  }
  return {
    total,
    items: present(new Map(groups.map(({ group, count }) => [group, count]))),
    buckets: perBucket.map((bucket, index) => ({
      start: instantOf(calendar?.starts[index] ?? 0),
      total: [...bucket.values()].reduce((sum, count) => sum + count, 0),
      items: present(bucket),
    })),
  }
}

type Counts = ReadonlyMap<string | null, number>

/** How the counts of one grouping are shown. */
function presenter(
  groupBy: Grouping,
  territories: readonly string[],
  groups: readonly GroupCount[],
): (counts: Counts) => Item[] {
  const spellings = new Map(groups.map(({ group, label }) => [group, label]))
  const spelling = (group: string) => spellings.get(group) ?? group
  switch (groupBy) {
    case 'event_type':
      return (counts) => EVENT_TYPES.map((key) => ({ key, count: counts.get(key) ?? 0 }))
    case 'territory':
      return (counts) => mostFirst(withZeros(counts, territories))
    case 'province':
      return (counts) =>
        mostFirst(relabelled(counts, (group) => provinceLabel(group, spelling(group))))
    case 'city':
      return (counts) => mostFirst(relabelled(counts, spelling))
    default:
      return groupBy satisfies never
  }
}

function withZeros(counts: Counts, keys: readonly string[]): Counts {
  return new Map([...keys.map((key) => [key, 0] as const), ...counts])
}

function relabelled(counts: Counts, labelOf: (group: string) => string): Counts {
  const shown = new Map<string | null, number>()
  for (const [group, count] of counts) {
    const key = group === null ? null : labelOf(group)
    shown.set(key, (shown.get(key) ?? 0) + count)
  }
  return shown
}

/** By count descending, then by key in code point order, events without a key last among equals. */
function mostFirst(counts: Counts): Item[] {
  return [...counts]
    .map(([key, count]) => ({ key, count }))
    .sort((a, b) => b.count - a.count || compareKeys(a.key, b.key))
}

function compareKeys(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return a < b ? -1 : 1
}
