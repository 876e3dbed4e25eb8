import type { ByteWriter, Span } from '../domain/byte-writer.ts'
import type { Instant } from '../domain/time.ts'
import type { EventCriteria } from '../store/event-queries.ts'
import { listEvents } from '../store/events.ts'
import { pageAnswer } from './answers.ts'
import { checkTogether, permittedTerritories } from './criteria.ts'
import type { Answer, Call } from './endpoint.ts'
import { cursorOf, nextCursor, reaches, walkPage } from './event-walk.ts'
import { listBody } from './list-body.ts'
import { resolveWindow } from './windows.ts'

/** The parameters that every listing of events has. */
interface WalkQuery {
  from?: Instant
  days?: number
  to?: Instant
  territories?: string[]
  limit: number
  cursor?: string
}

interface Listing<Query> {
  endpoint: string
  /** what the parameters of this listing ask for, besides window and territories */
  criteria(query: Query): Omit<EventCriteria, 'window' | 'territories'>
  /** which fields of an event are read, and how one of them is shown: JSON both times */
  fields?: readonly string[]
  show(out: ByteWriter, event: Span): void
  /** refuses what the parameters of this listing get wrong together */
  check?(query: Query): void
}

/** One page of a listing of events: its window, within the key's scope, at the run its walk began at. */
export async function eventPage<Query extends WalkQuery>(
  call: Call<unknown, Query>,
  { endpoint, criteria, fields, show, check }: Listing<Query>,
): Promise<Answer> {
  const { query, store } = call
  checkTogether([
    () => check?.(query),
    () => resolveWindow({ ...query, now: call.now }),
    () => cursorOf(endpoint, query),
  ])
  const cursor = cursorOf(endpoint, query)
  const window = resolveWindow({ ...query, now: call.now })
  const territories = permittedTerritories(call.principal, query.territories)
  const state = await store.state(reaches(cursor))
  const walk = walkPage(cursor, window, state)
  return pageAnswer(call, {
    endpoint,
    state,
    run: walk.pin.run,
    isSliding: query.to === undefined && cursor === null,
    compute() {
      const asked = {
        criteria: { ...criteria(query), window: walk.window, territories },
        pin: walk.pin,
        page: { limit: query.limit, after: walk.after, ...(fields ? { fields } : {}) },
      }
      return listEvents(store.db, asked, (found) => {
        const after = { next_cursor: nextCursor(endpoint, query, walk, found) }
        return listBody(walk.window, { items: found.items, write: show }, after)
      })
    },
  })
}
