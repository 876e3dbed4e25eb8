import Type from 'typebox'
import type { ByteWriter } from '../domain/byte-writer.ts'
import type { EventSide } from '../domain/event.ts'
import { EventTypeSchema } from '../domain/event.ts'
import { TerritoryCode } from '../domain/territory.ts'
import type { FoundEvent, StoredEvent } from '../store/events.ts'

const text = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const coordinate = (description: string, bound: number) =>
  Type.Union([Type.Number({ minimum: -bound, maximum: bound }), Type.Null()], { description })

/** The six fields that say where a pharmacy is, as published. */
export const LocationFields = {
  address_line: text('Street address line as published; null when the source has none.'),
  postal_code: text('Postal code, five characters, leading zero kept; null when unknown.'),
  city: text('City or municipality as published; null when unknown.'),
  province: text('Province as published or derived; null when unknown.'),
  latitude: coordinate('WGS84 latitude in degrees; null when unknown.', 90),
  longitude: coordinate('WGS84 longitude in degrees; null when unknown.', 180),
}

export const OccurredAt = Type.String({
  format: 'date-time',
  description:
    'When the difference was observed: the instant (ISO 8601 UTC) of the snapshot that showed it. A pharmacy that vanishes and returns has one event for each.',
})

export const EventId = Type.String({
  description: 'Identifier of the event: a growing number, as text; unique and never reused.',
  examples: ['1204'],
})

const ExternalId = Type.String({
  description: 'Identifier of the pharmacy within its territory; text, leading zeros kept.',
})

const side = (description: string) =>
  Type.Object(
    {
      name: Type.Optional(text('Pharmacy name as published; null when the source has none.')),
      owner_name: Type.Optional(text('Holder (titular) as published; null when unknown.')),
      is_active: Type.Optional(
        Type.Boolean({ description: 'Whether the source marks the pharmacy active.' }),
      ),
      address_line: Type.Optional(LocationFields.address_line),
      postal_code: Type.Optional(LocationFields.postal_code),
      city: Type.Optional(LocationFields.city),
      province: Type.Optional(LocationFields.province),
      latitude: Type.Optional(LocationFields.latitude),
      longitude: Type.Optional(LocationFields.longitude),
    },
    { description },
  )

/** One business event (spec section 2.2), with event_id, run_id and name besides. */
export const EventItem = Type.Object(
  {
    event_id: EventId,
    event_type: EventTypeSchema,
    occurred_at: OccurredAt,
    territory_code: TerritoryCode,
    external_id: ExternalId,
    name: text('Pharmacy name at the time of the event; null when the source has none.'),
    run_id: Type.String({ description: 'Identifier of the load run that found the event.' }),
    old: side(
      'Before the event. Empty for opened; otherwise the fields that matter to the kind of event.',
    ),
    new: side(
      'After the event. Empty for closed_hard; otherwise the fields that matter to the kind of event.',
    ),
  },
  { description: 'One business event.' },
)
export type EventItem = Type.Static<typeof EventItem>

export function presentEvent(event: StoredEvent): EventItem {
  return {
    event_id: String(event.seq),
    event_type: event.event_type,
    occurred_at: event.occurred_at,
    territory_code: event.territory_code,
    external_id: event.external_id,
    name: event.name,
    run_id: event.run_id,
    old: event.old,
    new: event.new,
  }
}

const EVENT_ID = Buffer.from('{"event_id":"')
const AFTER_ID = Buffer.from('"')
const BRACE = Buffer.from('}')

/** Writes a stored event as it is shown, JSON to JSON: its number becomes its id, all else stays. */
export function showEvent(out: ByteWriter, event: FoundEvent): void {
  showEventFrom(out, event, event.start)
}

/** The same with its members from one on; `more` are members that follow, with a comma before them. */
export function showEventFrom(
  out: ByteWriter,
  { bytes, end, seqStart, seqEnd }: FoundEvent,
  from: number,
  more?: string,
): void {
  out.write(EVENT_ID)
  out.copy(bytes, seqStart, seqEnd)
  out.write(AFTER_ID)
  out.copy(bytes, from, end)
  if (more !== undefined) out.write(more)
  out.write(BRACE)
}

/** A place with all six fields, each null when unknown. */
export const LocationShown = (description: string) => Type.Object(LocationFields, { description })
export type LocationShown = Type.Static<ReturnType<typeof LocationShown>>

export function presentLocation(side: EventSide): LocationShown {
  return {
    address_line: side.address_line ?? null,
    postal_code: side.postal_code ?? null,
    city: side.city ?? null,
    province: side.province ?? null,
    latitude: side.latitude ?? null,
    longitude: side.longitude ?? null,
  }
}
