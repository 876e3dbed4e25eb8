import type { Span } from '../domain/byte-writer.ts'
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

export interface EventPage {
  /** the fields asked for, as JSON, in the order of the document */
  items: Span[]
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
    const hits = found.slice(0, page.limit)
    const last = found.length > page.limit ? hits.at(-1) : undefined
    return use({ items: hits, next: last ? positionOf(sortOf(last)) : null })
  })
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
