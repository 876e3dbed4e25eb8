import Type from 'typebox'
import { INTERVALS } from '../../domain/calendar.ts'
import { permits, type Scope } from '../../domain/scope.ts'
import type { Window } from '../../domain/time.ts'
import { pinOf, type RegistryState } from '../../store/state.ts'
import { GROUPINGS } from '../../store/summary-queries.ts'
import { taggedAnswer } from '../answers.ts'
import { checkTogether, permittedTerritories } from '../criteria.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import {
  choiceParam,
  daysParam,
  eventTypesParam,
  instantParam,
  territoriesParam,
  textParam,
  timeZoneParam,
} from '../params.ts'
import { NoPath, WindowShown } from '../response-parts.ts'
import {
  calendarOf,
  MAX_BUCKETS,
  readSummary,
  refuseLoneZone,
  type WindowCalendar,
} from '../summarise.ts'
import { resolveWindow } from '../windows.ts'

const NAME = 'summarizeBusinessEvents'

const Query = Type.Object({
  group_by: choiceParam(GROUPINGS, {
    default: 'event_type',
    description:
      'What to count by. Province and city count the new side of an event, the old one of closed_hard.',
  }),
  from: Type.Optional(instantParam('Start of the window, inclusive.')),
  days: Type.Optional(
    daysParam('Length of the window in days, used when from is absent; 30 when both are absent.'),
  ),
  to: Type.Optional(instantParam('End of the window, exclusive; now when absent.')),
  territories: Type.Optional(territoriesParam()),
  event_types: Type.Optional(eventTypesParam()),
  province: Type.Optional(
    textParam('Province on the old or the new side; with city, both on one side.'),
  ),
  city: Type.Optional(textParam('City on the old or the new side.')),
  interval: Type.Optional(
    choiceParam(INTERVALS, {
      description: `Also count by calendar bucket, at most ${MAX_BUCKETS} of them; weeks begin on Monday.`,
    }),
  ),
  time_zone: Type.Optional(
    timeZoneParam('IANA time zone of the calendar buckets; UTC when absent. Needs interval.'),
  ),
})
type Query = Type.Static<typeof Query>

const Items = (description: string) =>
  Type.Array(
    Type.Object({
      key: Type.Union([Type.String(), Type.Null()], {
        description:
          'The group: an event type, a territory code, the official name of a province or the newest spelling of a city; null for events whose place is unknown.',
      }),
      count: Type.Integer({ minimum: 0, description: 'Number of events, exact.' }),
    }),
    { description },
  )

const Response = Type.Object({
  ...WindowShown,
  group_by: Type.Enum([...GROUPINGS], { description: 'What is counted by.' }),
  total: Type.Integer({
    minimum: 0,
    description:
      'Number of events: the sum of all counts, and the length of the listing with the same filters.',
  }),
  items: Items(
    'Event types: all of them in a fixed order. Territories: every loaded one, or those asked for, also with 0. Otherwise the groups found. All but event types by count descending, then key.',
  ),
  interval: Type.Optional(
    Type.Enum([...INTERVALS], {
      description: 'Length of the calendar buckets; only when asked for.',
    }),
  ),
  time_zone: Type.Optional(
    Type.String({ description: 'IANA time zone of the calendar buckets; only with interval.' }),
  ),
  buckets: Type.Optional(
    Type.Array(
      Type.Object({
        start: Type.String({
          format: 'date-time',
          description: 'Start of the calendar bucket, ISO 8601 UTC; the first may lie before from.',
        }),
        total: Type.Integer({
          minimum: 0,
          description: 'Number of events of the window in the bucket.',
        }),
        items: Items(
          'Counts in the bucket, filled and ordered like the items of the whole window.',
        ),
      }),
      { description: 'Every calendar bucket of the window, empty ones too; only with interval.' },
    ),
  ),
})

export const businessEventsSummary: Endpoint<typeof NoPath, typeof Query> = {
  name: NAME,
  path: '/v1/farmacias/business-events/summary',
  tag: 'Events',
  summary: 'Count business events',
  description:
    'Exact counts by event type, territory, province or city, with the filters of the listing; with interval also by calendar bucket.',
  pathSchema: NoPath,
  querySchema: Query,
  responseSchema: Response,
  contentType: 'application/json',

  async handle(call) {
    const { query } = call
    checkTogether([() => resolveWindow({ ...query, now: call.now }), () => refuseLoneZone(query)])
    const window = resolveWindow({ ...query, now: call.now })
    const calendar = calendarOf(query, window)
    const territories = permittedTerritories(call.principal, query.territories)
    const state = await call.store.state()
    return taggedAnswer(call, {
      endpoint: NAME,
      state,
      isSliding: query.to === undefined,
      compute: () => summary(call, { window, calendar, territories, state }),
    })
  },
}

interface Resolved {
  window: Window
  calendar: WindowCalendar | undefined
  territories: Scope
  state: RegistryState
}

async function summary(
  { store, query, principal }: Call<unknown, Query>,
  { window, calendar, territories, state }: Resolved,
): Promise<Type.Static<typeof Response>> {
  const loaded = Object.keys(state.territories)
  const counted = await readSummary(store.db, pinOf(state), {
    events: {
      window,
      territories,
      eventTypes: query.event_types,
      place: { province: query.province, city: query.city },
    },
    groupBy: query.group_by,
    filledTerritories: query.territories ?? loaded.filter((code) => permits(principal.scope, code)),
    calendar,
  })
  return {
    ...window,
    group_by: query.group_by,
    total: counted.total,
    items: counted.items,
    ...(calendar
      ? { interval: calendar.interval, time_zone: calendar.timeZone, buckets: counted.buckets }
      : {}),
  }
}
