/** All instants are ISO 8601 UTC with milliseconds, `YYYY-MM-DDTHH:mm:ss.sssZ` (decisions section 1). */
export type Instant = string

export function instantOf(ms: number): Instant {
  return new Date(ms).toISOString()
}

const INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|\+00:00)$/

/**
 * Parses an instant as callers may write it: date, time and zone `Z` or `+00:00`; seconds optional, up to nine
 * fraction digits kept to the millisecond. Null for anything else, impossible dates included.
 */
export function parseInstant(text: string): Instant | null {
  const match = INSTANT.exec(text)
  if (!match) return null
  const [, minute, second = '00', fraction = ''] = match
  const written = `${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
  const ms = Date.parse(written)
  // The 30th of February is read as the 2nd of March.
  return !Number.isNaN(ms) && instantOf(ms) === written ? written : null
}

export const DAY_MS = 86_400_000

/** Half-open span of time, `from` inclusive and `to` exclusive. */
export interface Window {
  from: Instant
  to: Instant
}
