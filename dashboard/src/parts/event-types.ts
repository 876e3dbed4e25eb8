import type { EventType } from '../../../src/domain/event.ts'

/** The kinds of event in the order of the API; a column is stacked in this order too. */
export const EVENT_TYPES = [
  'opened',
  'reopened',
  'relocated',
  'ownership_change',
  'closed_soft',
  'closed_hard',
] as const satisfies readonly EventType[]
