/** All instants are ISO 8601 UTC with milliseconds, `YYYY-MM-DDTHH:mm:ss.sssZ` (decisions section 1). */
export type Instant = string

export function instantOf(ms: number): Instant {
  return new Date(ms).toISOString()
}

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|\+00:00)$/

/**
 * Parses an instant as callers may write it: date, time and zone `Z` or `+00:00`; seconds optional, up to nine
 * fraction digits kept to the millisecond. Null for anything else, impossible dates included.
 */
export function parseInstant(text: string): Instant | null {
  const match = INSTANT.exec(text)
  if (!match) return null
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part) => Number(part ?? '0')) as [number, number, number, number, number, number]
  const ms = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, ms)
  const exact =
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second
  return exact ? date.toISOString() : null
}

export const DAY_MS = 86_400_000

/** Half-open span of time, `from` inclusive and `to` exclusive. */
export interface Window {
  from: Instant
  to: Instant
}
