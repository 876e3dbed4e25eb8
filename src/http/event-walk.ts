import { Problem } from '../domain/problem.ts'
import type { Window } from '../domain/time.ts'
import type { EventPosition } from '../store/event-queries.ts'
import type { EventPage } from '../store/events.ts'
import { type Pin, pinOf, type RegistryState } from '../store/state.ts'
import { alteredCursor, type Cursor, decodeCursor, encodeCursor, filtersHash } from './cursor.ts'

/** Where a page of events stands in its walk: the first page pins window and run, the cursor carries them on. */
export interface WalkPage {
  window: Window
  pin: Pin
  after: EventPosition | undefined
}

/** The cursor of a request, checked against its endpoint and parameters; null on the first page. */
export function cursorOf(endpoint: string, query: { cursor?: string | undefined }): Cursor | null {
  if (query.cursor === undefined) return null
  return decodeCursor(query.cursor, { endpoint, filtersHash: filtersHash(query) })
}

/**
 * The page to read. A later page keeps the run of its first page, so the walk is stable while loads go on;
 * which runs below it never committed is settled, so the current list of them serves.
 */
export function walkPage(cursor: Cursor | null, window: Window, state: RegistryState): WalkPage {
  const pin = pinOfCursor(cursor, state)
  if (!cursor) return { window, pin, after: undefined }
  const [occurredAt, seq, ...more] = cursor.last
  const isPosition = Number.isSafeInteger(occurredAt) && Number.isSafeInteger(seq)
  if (!cursor.window || !isPosition || more.length > 0) throw alteredCursor()
  return { window: cursor.window, pin, after: [Number(occurredAt), Number(seq)] }
}

/** The state a page is read at: that of the walk's first page, or the committed one when this is the first. */
export function pinOfCursor(cursor: Cursor | null, state: RegistryState): Pin {
  const pin = pinOf(state)
  if (!cursor) return pin
  if (cursor.run <= pin.run) return { run: cursor.run, abandoned: pin.abandoned }
  const reason = 'was made by another registry, or by a state that has been restored away'
  throw new Problem('invalid_parameter', `cursor: ${reason}.`, {
    errors: [{ parameter: 'cursor', reason }],
  })
}

/** Whether a state reaches as far as the walk's first page: another process may have seen a newer commit. */
export function reaches(cursor: Cursor | null): (state: RegistryState) => boolean {
  return ({ committed_run }) => cursor === null || cursor.run <= committed_run
}

/** The cursor of the next page; null exactly when nothing follows. */
export function nextCursor(
  endpoint: string,
  query: object,
  walk: WalkPage,
  page: EventPage,
): string | null {
  if (!page.next) return null
  return encodeCursor({
    endpoint,
    filtersHash: filtersHash({ ...query }),
    window: walk.window,
    run: walk.pin.run,
    last: page.next,
  })
}
