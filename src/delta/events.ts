import {
  type BusinessEvent,
  EVENT_TYPES,
  type EventSide,
  type EventType,
  type Location,
} from '../domain/event.ts'
import type { Pharmacy } from '../domain/pharmacy.ts'
import { hasMoved, hasNewOwner } from './diff.ts'

/** What can happen to a pharmacy that is there on both sides. */
type KeptEventType = Exclude<EventType, 'opened' | 'closed_hard'>

/** One event type as a row of the table in spec section 3, for a pharmacy that is there on both sides. */
interface Transition {
  happened(previous: Pharmacy, current: Pharmacy): boolean
  /** what `old` and `new` show (decisions section 2) */
  side(record: Pharmacy): EventSide
}

const TRANSITIONS: Readonly<Record<KeptEventType, Transition>> = {
  closed_soft: {
    happened: (previous, current) => previous.is_active && !current.is_active,
    side: stateSide,
  },
  reopened: {
    happened: (previous, current) => !previous.is_active && current.is_active,
    side: stateSide,
  },
  relocated: { happened: hasMoved, side: locationOf },
  ownership_change: { happened: hasNewOwner, side: ({ owner_name }) => ({ owner_name }) },
}

const KEPT_EVENT_TYPES = EVENT_TYPES.filter((type): type is KeptEventType => type in TRANSITIONS)

/**
 * The business events of one pharmacy between two states, in the order of EVENT_TYPES. Null stands for "not in the
 * dataset": appearing is `opened` whatever came before, vanishing `closed_hard` also when it was inactive.
 */
export function eventsOf(previous: Pharmacy | null, current: Pharmacy | null): BusinessEvent[] {
  if (previous === null) return current === null ? [] : [opened(current)]
  if (current === null) return [closedHard(previous)]
  return KEPT_EVENT_TYPES.flatMap((type) => {
    const transition = TRANSITIONS[type]
    if (!transition.happened(previous, current)) return []
    return [
      {
        event_type: type,
        ...identity(current),
        old: transition.side(previous),
        new: transition.side(current),
        old_location: locationOf(previous),
        new_location: locationOf(current),
      },
    ]
  })
}

function opened(record: Pharmacy): BusinessEvent {
  return {
    event_type: 'opened',
    ...identity(record),
    old: {},
    new: wholeSide(record),
    old_location: null,
    new_location: locationOf(record),
  }
}

function closedHard(record: Pharmacy): BusinessEvent {
  return {
    event_type: 'closed_hard',
    ...identity(record),
    old: wholeSide(record),
    new: {},
    old_location: locationOf(record),
    new_location: null,
  }
}

function identity({ territory_code, external_id, name }: Pharmacy) {
  return { territory_code, external_id, name }
}

function locationOf(record: Pharmacy): Location {
  const { address_line, postal_code, city, province, latitude, longitude } = record
  return { address_line, postal_code, city, province, latitude, longitude }
}

function stateSide(record: Pharmacy): EventSide {
  return { is_active: record.is_active, name: record.name, ...locationOf(record) }
}

function wholeSide(record: Pharmacy): EventSide {
  return {
    name: record.name,
    owner_name: record.owner_name,
    is_active: record.is_active,
    ...locationOf(record),
  }
}
