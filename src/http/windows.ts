import { Problem } from '../domain/problem.ts'
import { DAY_MS, type Instant, instantOf, type Window } from '../domain/time.ts'

const DEFAULT_DAYS = 30

/** The first instant that still has a four-digit year. */
const YEAR_ZERO_MS = Date.parse('0000-01-01T00:00:00.000Z')

/**
 * The window a request means (decisions section 1, "Windows"): `from` wins over `days`, `to` absent is now,
 * `from` absent is `to` minus `days`. Refuses an empty window.
 */
export function resolveWindow(asked: {
  from?: Instant | undefined
  to?: Instant | undefined
  days?: number | undefined
  now: Instant
  defaultDays?: number
}): Window {
  const to = asked.to ?? asked.now
  const from = asked.from ?? daysBefore(to, asked.days ?? asked.defaultDays ?? DEFAULT_DAYS)
  if (from >= to) {
    const reason = asked.to
      ? 'must be before to; the window includes from and excludes to'
      : 'must be before to, which is now unless it is sent'
    throw new Problem('invalid_parameter', `from ${reason}.`, {
      errors: [{ parameter: 'from', reason }],
    })
  }
  return { from, to }
}

function daysBefore(to: Instant, days: number): Instant {
  const ms = Date.parse(to) - days * DAY_MS
  if (ms >= YEAR_ZERO_MS) return instantOf(ms)
  const reason = 'the window would begin before the year 0000'
  throw new Problem('invalid_parameter', `days: ${reason}.`, {
    errors: [{ parameter: 'days', reason }],
  })
}
