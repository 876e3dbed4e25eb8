import Type from 'typebox'
import type { Endpoint } from '../endpoint.ts'
import { eventPage } from '../event-page.ts'
import {
  cursorParam,
  daysParam,
  eventTypesParam,
  instantParam,
  limitParam,
  territoriesParam,
  textParam,
} from '../params.ts'
import { EventItem, showEvent } from '../present-event.ts'
import { NextCursor, NoPath, WindowShown } from '../response-parts.ts'

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

  handle: (call) =>
    eventPage(call, {
      endpoint: NAME,
      criteria: ({ event_types: eventTypes, province, city }) => ({
        eventTypes,
        place: { province, city },
      }),
      show: showEvent,
    }),
}
