import { type ByteWriter, createByteWriter } from '../domain/byte-writer.ts'
import type { Instant } from '../domain/time.ts'
import type { EventCriteria } from '../store/event-queries.ts'
import { type FoundEvent, listEvents } from '../store/events.ts'
import { pageAnswer } from './answers.ts'
import { checkTogether, permittedTerritories } from './criteria.ts'
import type { Answer, Call } from './endpoint.ts'
import { cursorOf, nextCursor, reaches, walkPage } from './event-walk.ts'
import { listBody, roomFor, writeList } from './list-body.ts'
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
  /** writes an event as it is shown, JSON from JSON */
  show(out: ByteWriter, event: FoundEvent): void
  /** refuses what the parameters of this listing get wrong together */
  check?(query: Query): void
}

/** One page of a listing of events: its window, within the key's scope, at the run its walk began at. */
export async function eventPage<Query extends WalkQuery>(
  call: Call<unknown, Query>,
  { endpoint, criteria, show, check }: Listing<Query>,
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
        page: { limit: query.limit, after: walk.after },
      }
      return listEvents(store.db, asked, (found) => {
        const after = { next_cursor: nextCursor(endpoint, query, walk, found) }
        const out = createByteWriter(roomFor(found.items))
        return listBody(out, [walk.window, after], () => writeList(out, found.items, show))
      })
    },
  })
}
