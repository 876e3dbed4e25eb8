import { type Db, search } from './db.ts'
import type { EventDocument } from './documents.ts'
import {
  type EventCriteria,
  type EventPosition,
  eventPageQuery,
  pharmacyEventsQuery,
} from './event-queries.ts'
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
  items: StoredEvent[]
  /** where the next page starts; null exactly when nothing follows */
  next: EventPosition | null
}

/** One page of events, newest first. */
export async function listEvents(
  db: Db,
  criteria: EventCriteria,
  pin: Pin,
  page: { limit: number; after?: EventPosition | undefined },
): Promise<EventPage> {
  const answer = await search<StoredEvent>(db, 'events', eventPageQuery(criteria, pin, page))
  const hits = answer.hits.hits.slice(0, page.limit)
  const more = answer.hits.hits.length > page.limit
  return {
    items: hits.map((hit) => hit._source as StoredEvent),
    next: more ? positionOf(hits.at(-1)?.sort) : null,
  }
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
