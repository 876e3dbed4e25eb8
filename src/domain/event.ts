import Type from 'typebox'
import type { Pharmacy } from './pharmacy.ts'

/** The kinds of business event, in the order of spec section 6. */
export const EVENT_TYPES = [
  'opened',
  'closed_hard',
  'closed_soft',
  'reopened',
  'relocated',
  'ownership_change',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Where a pharmacy is: the four address fields and the point (decisions section 2, "old / new"). */
export type Location = Pick<
  Pharmacy,
  'address_line' | 'postal_code' | 'city' | 'province' | 'latitude' | 'longitude'
>

/** One side of an event: the fields that its type shows (decisions section 2, "old / new"). */
export type EventSide = Partial<Pick<Pharmacy, 'name' | 'owner_name' | 'is_active'> & Location>

/**
 * A business event before it is numbered. `old` and `new` are what the API shows; `where` is the location on
 * each side, used for filters and radius searches, and given on both sides when nothing moves.
 */
export interface BusinessEvent {
  event_type: EventType
  territory_code: string
  external_id: string
  name: string | null
  old: EventSide
  new: EventSide
  /** Location before; null only for `opened`. */
  old_location: Location | null
  /** Location after; null only for `closed_hard`. */
  new_location: Location | null
}

const MEANINGS: Readonly<Record<EventType, string>> = {
  opened: 'an identifier that was not there before',
  closed_hard: 'the record vanished from the official dataset',
  closed_soft: 'it is kept, marked inactive',
  reopened: 'active again',
  relocated: 'address_line, postal_code, city or province changed',
  ownership_change: 'the holder changed',
}

export const EventTypeSchema = Type.Enum([...EVENT_TYPES], {
  description: `Kind of business event. ${EVENT_TYPES.map((type) => `${type}: ${MEANINGS[type]}`).join('; ')}.`,
})
