import Type from 'typebox'
import type { Scope } from '../../domain/scope.ts'
import { listEvents } from '../../store/events.ts'
import { pageAnswer } from '../answers.ts'
import { checkTogether, permittedTerritories } from '../criteria.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { cursorOf, nextCursor, reaches, type WalkPage, walkPage } from '../event-walk.ts'
import {
  cursorParam,
  daysParam,
  eventTypesParam,
  instantParam,
  limitParam,
  territoriesParam,
  textParam,
} from '../params.ts'
import { EventItem, presentEvent } from '../present-event.ts'
import { NextCursor, NoPath, WindowShown } from '../response-parts.ts'
import { resolveWindow } from '../windows.ts'

const NAME = 'listBusinessEvents'

const Query = Type.Object({
  from: Type.Optional(instantParam('Start of the window, inclusive.')),
  days: Type.Optional(
    daysParam('Length of the window in days, used when from is absent; 30 when both are absent.'),
  ),
  to: Type.Optional(instantParam('End of the window, exclusive; now when absent.')),
  territories: Type.Optional(territoriesParam()),
  event_types: Type.Optional(eventTypesParam()),
  province: Type.Optional(
    textParam(
      'Province on the old or the new side, in any of its official names; with city, both on one side.',
    ),
  ),
  city: Type.Optional(
    textParam('City on the old or the new side; case, accents and punctuation do not count.'),
  ),
  limit: limitParam({ default: 500, max: 5000 }),
  cursor: Type.Optional(cursorParam()),
})

const Response = Type.Object({
  ...WindowShown,
  items: Type.Array(EventItem, {
    description: 'Newest first: by occurred_at, then by event_id, both descending.',
  }),
  next_cursor: NextCursor,
})
type Response = Type.Static<typeof Response>

export const businessEvents: Endpoint<typeof NoPath, typeof Query> = {
  name: NAME,
  path: '/v1/farmacias/business-events',
  tag: 'Events',
  summary: 'List business events',
  description:
    'Openings, closures, reopenings, relocations and ownership changes in a window of time, newest first. Follow next_cursor until it is null; the walk stays stable while loads go on.',
  pathSchema: NoPath,
  querySchema: Query,
  responseSchema: Response,
  contentType: 'application/json',

  async handle(call) {
    const { query } = call
    checkTogether([() => resolveWindow({ ...query, now: call.now }), () => cursorOf(NAME, query)])
    const cursor = cursorOf(NAME, query)
    const window = resolveWindow({ ...query, now: call.now })
    const territories = permittedTerritories(call.principal, query.territories)
    const state = await call.store.state(reaches(cursor))
    const walk = walkPage(cursor, window, state)
    return pageAnswer(call, {
      endpoint: NAME,
      state,
      run: walk.pin.run,
      isSliding: query.to === undefined && cursor === null,
      compute: () => page(call, territories, walk),
    })
  },
}

async function page(
  { store, query }: Call<unknown, Type.Static<typeof Query>>,
  territories: Scope,
  walk: WalkPage,
): Promise<Response> {
  const found = await listEvents(
    store.db,
    {
      window: walk.window,
      territories,
      eventTypes: query.event_types,
      place: { province: query.province, city: query.city },
    },
    walk.pin,
    { limit: query.limit, after: walk.after },
  )
  return {
    ...walk.window,
    items: found.items.map(presentEvent),
    next_cursor: nextCursor(NAME, query, walk, found),
  }
}
