import type { Params } from './fragment.ts'

export const WINDOWS = ['7d', '15d', '30d', '60d', '180d', 'all'] as const
export type WindowName = (typeof WINDOWS)[number]
export const DEFAULT_WINDOW: WindowName = '30d'

export type Interval = 'day' | 'week' | 'month'

const DAY_MS = 86_400_000
const MAX_DAILY_DAYS = 31
const MAX_WEEKLY_DAYS = 200

/** The chosen window: one that ends now, or two days of the user's calendar, both included. */
export type Span = { name: WindowName } | { name: 'custom'; first: string; last: string }

export function spanOf({ window, from, to }: Params): Span {
  if (window === 'custom' && isDate(from) && isDate(to) && from <= to) {
    return { name: 'custom', first: from, last: to }
  }
  return { name: WINDOWS.find((name) => name === window) ?? DEFAULT_WINDOW }
}

/** What the API is asked; null while the baseline that `all` begins at is not known. */
export function windowParams(span: Span, baseline: string | null): Record<string, string> | null {
  if (span.name === 'custom') {
    return { from: midnight(span.first, 0), to: midnight(span.last, 1) }
  }
  if (span.name !== 'all') return { days: span.name.slice(0, -1) }
  return baseline === null ? null : { from: baseline }
}

/** Columns that are neither crowded nor few. */
export function intervalFor(span: Span, baseline: string | null, now: number): Interval {
  const days = lengthInDays(span, baseline, now)
  if (days <= MAX_DAILY_DAYS) return 'day'
  return days <= MAX_WEEKLY_DAYS ? 'week' : 'month'
}

/** The window of equal length just before; null when nothing was recorded yet at its start. */
export function windowBefore(
  { from, to }: { from: string; to: string },
  baseline: string | null,
): { from: string; to: string } | null {
  const before = Date.parse(from) - (Date.parse(to) - Date.parse(from))
  if (baseline === null || before < Date.parse(baseline)) return null
  return { from: new Date(before).toISOString(), to: from }
}

function lengthInDays(span: Span, baseline: string | null, now: number): number {
  if (span.name === 'custom') {
    return (Date.parse(midnight(span.last, 1)) - Date.parse(midnight(span.first, 0))) / DAY_MS
  }
  if (span.name !== 'all') return Number(span.name.slice(0, -1))
  return baseline === null ? 0 : (now - Date.parse(baseline)) / DAY_MS
}

/** Midnight where the user is, which is no fixed number of hours after the one before. */
function midnight(date: string, daysLater: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(year, month - 1, day + daysLater).toISOString()
}

function isDate(text: string | undefined): text is string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') && !Number.isNaN(Date.parse(text ?? ''))
}
