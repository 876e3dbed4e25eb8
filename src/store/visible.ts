import type { estypes } from '@elastic/elasticsearch'
import type { Pin } from './state.ts'

type Query = estypes.QueryDslQueryContainer

/** Filters for events and changes visible at a pin (design section 2). */
export function visibleRecords(pin: Pin): Query[] {
  const filters: Query[] = [{ range: { run: { lte: pin.run } } }]
  const dead = pin.abandoned.filter((run) => run <= pin.run)
  if (dead.length > 0) filters.push({ bool: { must_not: [{ terms: { run: dead } }] } })
  return filters
}

/** The same rule for what a run has written, where its number is at hand. */
export function isVisible(run: number, pin: Pin): boolean {
  return run <= pin.run && !pin.abandoned.includes(run)
}

/** Filters for the versions that are true at a pin. */
export function visibleVersions(pin: Pin): Query[] {
  const dead = pin.abandoned.filter((run) => run <= pin.run)
  if (dead.length === 0) {
    return [{ range: { from_run: { lte: pin.run } } }, { range: { to_run: { gt: pin.run } } }]
  }
  return [
    { range: { from_run: { lte: pin.run } } },
    { bool: { must_not: [{ terms: { from_run: dead } }] } },
    {
      bool: {
        should: [{ range: { to_run: { gt: pin.run } } }, { terms: { to_run: dead } }],
        minimum_should_match: 1,
      },
    },
  ]
}
