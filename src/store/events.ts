import type { Span } from '../domain/byte-writer.ts'
import { endOfDigits, placeOf, standsAt } from '../domain/stored-bytes.ts'
import { type Db, search } from './db.ts'
import type { EventDocument } from './documents.ts'
import {
  type EventCriteria,
  type EventPageAsked,
  type EventPosition,
  eventPageQuery,
  pharmacyEventsQuery,
} from './event-queries.ts'
import { sortOf, usingRaw } from './raw-search.ts'
import type { Pin } from './state.ts'

/** What readers get of an event (EVENT_FIELDS). */
export type StoredEvent = Pick<
  EventDocument,
  | 'seq'
  | 'run_id'
  | 'event_type'
  | 'occurred_at'
  | 'territory_code'
  | 'external_id'
  | 'name'
  | 'old'
  | 'new'
>

/**
 * An event as it is stored, and the part of it that is shown: `,"run_id":…` up to and with `new`. Its number stands
 * before that, what only serves searches behind it.
 */
export interface FoundEvent extends Span {
  /** the digits of its number */
  seqStart: number
  seqEnd: number
}

export interface EventPage {
  items: FoundEvent[]
  /** where the next page starts; null exactly when nothing follows */
  next: EventPosition | null
}

/** One page of events, newest first. Its bytes are used again for others as soon as `use` is done. */
export function listEvents<T>(
  db: Db,
  { criteria, pin, page }: { criteria: EventCriteria; pin: Pin; page: EventPageAsked },
  use: (page: EventPage) => T,
): Promise<T> {
  const body = eventPageQuery(criteria, pin, page)
  return usingRaw(db, { index: 'events', body }, (found) => {
    const all = [...found]
    const hits = all.slice(0, page.limit)
    const last = all.length > page.limit ? hits.at(-1) : undefined
    return use({ items: hits.map(eventIn), next: last ? positionOf(sortOf(last)) : null })
  })
}

const SEQ = Buffer.from('{"seq":')
const RUN = Buffer.from(',"run":')
const NEW = Buffer.from(',"new":{')
const NEXT_MEMBER = Buffer.from('},"')

/** `{"seq":…,"run":…,"run_id":…,…,"new":{…},…}` */
export function eventIn({ bytes, start, end }: Span): FoundEvent {
  const seqStart = behind(SEQ, bytes, start)
  const seqEnd = endOfDigits(bytes, seqStart)
  const shownStart = endOfDigits(bytes, behind(RUN, bytes, seqEnd))
  const newStart = placeOf({ bytes, start: shownStart, end }, NEW) + NEW.length
  const shownEnd = endOfFlat({ bytes, start: newStart, end: end - 1 })
  return { bytes, start: shownStart, end: shownEnd, seqStart, seqEnd }
}

function behind(name: Buffer, bytes: Buffer, at: number): number {
  if (standsAt(bytes, name, at)) return at + name.length
  throw new Error(`no ${name} at byte ${at} of what is stored`)
}

/** The brace of an object without objects in it; `end` when no member follows. */
function endOfFlat({ bytes, start, end }: Span): number {
  for (let at = start; ; at += 1) {
    at = bytes.indexOf(NEXT_MEMBER, at)
    if (at < 0 || at >= end) return end
    // A text may end so as well, and then something else follows: only a member begins with a letter.
    if (isLetter(bytes[at + NEXT_MEMBER.length])) return at + 1
  }
}

function isLetter(byte = 0): boolean {
  return byte >= 0x61 && byte <= 0x7a
}

const HISTORY_PAGE = 1000

/** Every event of one pharmacy, newest first. */
export async function eventsOfPharmacy(
  db: Db,
  pharmacy: { territory: string; externalId: string },
  pin: Pin,
  signal?: AbortSignal,
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  let after: EventPosition | undefined
  for (;;) {
    const body = pharmacyEventsQuery(pharmacy, pin, { size: HISTORY_PAGE, after })
    const { hits } = (await search<StoredEvent>(db, 'events', body, signal)).hits
    events.push(...hits.map((hit) => hit._source as StoredEvent))
    if (hits.length < HISTORY_PAGE) return events
    after = positionOf(hits.at(-1)?.sort)
  }
}

function positionOf(sort: unknown): EventPosition {
  const [occurredAt, seq] = sort as [number, number]
  return [Number(occurredAt), Number(seq)]
}
