import type { Window } from './time.ts'
import { DAY_MS } from './time.ts'

export const INTERVALS = ['day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** Calendar buckets of a time zone; weeks begin on Monday. */
export interface Calendar {
  interval: Interval
  /** IANA name */
  timeZone: string
}

/** No bucket is longer, clock changes included: enough to refuse a huge window without walking it. */
const LONGEST_MS: Record<Interval, number> = {
  day: 1.1 * DAY_MS,
  week: 7.1 * DAY_MS,
  month: 31.1 * DAY_MS,
}

/**
 * The instants, in milliseconds, at which the buckets of a window begin: from the bucket that holds `from` to the
 * last one that begins before `to`. Null when there are more than `max`.
 */
export function bucketStarts(window: Window, calendar: Calendar, max: number): number[] | null {
  const from = Date.parse(window.from)
  const to = Date.parse(window.to)
  if ((to - from) / LONGEST_MS[calendar.interval] > max) return null

  const offsetAt = offsetReader(calendar.timeZone)
  const starts: number[] = []
  let date = floorDate(from + offsetAt(from), calendar.interval)
  for (;;) {
    const start = firstInstantOf(date, offsetAt)
    if (start >= to) return starts
    // A day that a zone skipped altogether begins where the next one does: it is no bucket of its own.
    if (start === starts.at(-1)) starts.pop()
    starts.push(start)
    if (starts.length > max) return null
    date = nextDate(date, calendar.interval)
  }
}

/** The position of the bucket that holds an instant: the last one that begins at or before it. */
export function bucketIndex(starts: readonly number[], instant: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] as number) <= instant) low = middle
    else high = middle - 1
  }
  return low
}

/** Local dates are milliseconds as if the wall clock showed UTC. */
function floorDate(local: number, interval: Interval): number {
  const day = Math.floor(local / DAY_MS) * DAY_MS
  if (interval === 'day') return day
  const date = new Date(day)
  if (interval === 'month') return day - (date.getUTCDate() - 1) * DAY_MS
  const sinceMonday = (date.getUTCDay() + 6) % 7
  return day - sinceMonday * DAY_MS
}

function nextDate(day: number, interval: Interval): number {
  if (interval === 'day') return day + DAY_MS
  if (interval === 'week') return day + 7 * DAY_MS
  const date = new Date(day)
  date.setUTCMonth(date.getUTCMonth() + 1)
  return date.getTime()
}

/** When a local date begins: at midnight, at the first of two midnights, or right after a skipped one. */
function firstInstantOf(day: number, offsetAt: (instant: number) => number): number {
  const before = offsetAt(day - DAY_MS)
  const after = offsetAt(day + DAY_MS)
  for (const offset of [Math.max(before, after), Math.min(before, after)]) {
    if (offsetAt(day - offset) === offset) return day - offset
  }
  return day - before
}

/** Reads the offset from UTC that a zone has at an instant, in milliseconds. */
function offsetReader(timeZone: string): (instant: number) => number {
  if (timeZone === 'UTC') return () => 0
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  return (instant) => {
    const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value
    const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name ?? '')
    if (!match) return 0
    const [, sign, hours, minutes, seconds = '0'] = match
    const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
    return sign === '-' ? -ms : ms
  }
}
