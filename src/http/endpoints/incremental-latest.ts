import Type from 'typebox'
import { narrow, permits, type Scope } from '../../domain/scope.ts'
import { TerritoryCode } from '../../domain/territory.ts'
import { DAY_MS, type Instant, instantOf, type Window } from '../../domain/time.ts'
import type { StoredEvent } from '../../store/events.ts'
import { readIncremental } from '../../store/incremental.ts'
import { pinOf, type RegistryState } from '../../store/state.ts'
import { taggedAnswer } from '../answers.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { choiceParam, integerParam, territoryParam } from '../params.ts'
import { LocationFields, LocationShown, OccurredAt, presentLocation } from '../present-event.ts'
import { NoPath, nullableInstant } from '../response-parts.ts'

const NAME = 'latestIncremental'

const WINDOW_DAYS = { '7d': 7, '15d': 15, '30d': 30, '60d': 60, '180d': 180 } as const
const WINDOWS = ['7d', '15d', '30d', '60d', '180d', 'all'] as const
type WindowName = (typeof WINDOWS)[number]

const Query = Type.Object({
  window: choiceParam(WINDOWS, {
    default: '7d',
    description:
      'Length of the window, which ends now; all begins at the baseline of what the filter covers.',
  }),
  territory_code: Type.Optional(
    territoryParam('Only this territory. One outside the scope of the key gives an empty result.'),
  ),
  limit_per_type: integerParam({
    min: 1,
    max: 500,
    default: 50,
    description:
      'Number of pharmacies in each of the three arrays at most; closed counts both kinds together.',
  }),
})
type Query = Type.Static<typeof Query>

const ItemFields = {
  external_id: Type.String({
    description: 'Identifier of the pharmacy within its territory; text, leading zeros kept.',
  }),
  name: Type.Union([Type.String(), Type.Null()], {
    description: 'Pharmacy name at the time of the event; null when the source has none.',
  }),
  territory_code: TerritoryCode,
  ...LocationFields,
  occurred_at: OccurredAt,
}
const OpenedItem = Type.Object(ItemFields, { description: 'A pharmacy that opened.' })
const ClosedItem = Type.Object(
  {
    ...ItemFields,
    closure_kind: Type.Enum(['closed_hard', 'closed_soft'], {
      description:
        'closed_hard: it vanished from the official dataset; closed_soft: it is kept, marked inactive.',
    }),
  },
  { description: 'A pharmacy that closed, with its last known place.' },
)
const RelocatedItem = Type.Object(
  {
    ...ItemFields,
    old: LocationShown('Where the pharmacy was.'),
    new: LocationShown('Where the pharmacy is since.'),
  },
  { description: 'A pharmacy that moved; its place is the new one.' },
)

const count = (description: string) => Type.Integer({ minimum: 0, description })
const Response = Type.Object({
  window: Type.Enum([...WINDOWS], { description: 'The window requested, or 7d.' }),
  from: Type.String({
    format: 'date-time',
    description: 'Start of the window, inclusive, ISO 8601 UTC.',
  }),
  to: Type.String({
    format: 'date-time',
    description: 'End of the window, exclusive, ISO 8601 UTC.',
  }),
  territory_code: Type.Union([TerritoryCode, Type.Null()], {
    description: 'The territory filter that was applied; null without one.',
  }),
  baseline_incremental_start_at: nullableInstant(
    'Instant from which incremental data exists: the earliest baseline among the territories that apply; null if none is loaded.',
  ),
  counts: Type.Object(
    {
      opened: count('Pharmacies opened in the window, exact whatever limit_per_type is.'),
      closed_total: count('Closures in the window: closed_hard + closed_soft.'),
      closed_hard: count('Closures by vanishing from the official dataset.'),
      closed_soft: count('Closures by being marked inactive.'),
      relocated: count('Relocations in the window.'),
    },
    { description: 'Exact number of events in the window by kind.' },
  ),
  items: Type.Object(
    {
      opened: Type.Array(OpenedItem, { description: 'The newest openings, newest first.' }),
      closed: Type.Array(ClosedItem, { description: 'The newest closures, newest first.' }),
      relocated: Type.Array(RelocatedItem, {
        description: 'The newest relocations, newest first.',
      }),
    },
    { description: 'The newest events by kind, each with its values as of the event.' },
  ),
})

export const incrementalLatest: Endpoint<typeof NoPath, typeof Query> = {
  name: NAME,
  path: '/v1/farmacias/incremental/latest',
  tag: 'Events',
  summary: 'Counts and latest pharmacies per kind',
  description:
    'What opened, closed and moved lately: exact counts and the newest pharmacies of each kind in one answer, within the scope of the key.',
  pathSchema: NoPath,
  querySchema: Query,
  responseSchema: Response,
  contentType: 'application/json',

  async handle(call) {
    const state = await call.store.state()
    return taggedAnswer(call, {
      endpoint: NAME,
      state,
      isSliding: true,
      compute: () => latest(call, state),
    })
  },
}

async function latest(
  { store, query, principal, now }: Call<unknown, Query>,
  state: RegistryState,
): Promise<Type.Static<typeof Response>> {
  // Here the scope applies to the result: a territory outside it gives nothing, not a refusal (spec 4.4).
  const asked = query.territory_code === undefined ? undefined : [query.territory_code]
  const territories = narrow(principal.scope, asked)
  const baseline = earliestBaseline(state, territories)
  const window = windowOf(query.window, baseline, now)
  const { counts, lists } = await readIncremental(
    store.db,
    { window, territories, limitPerType: query.limit_per_type },
    pinOf(state),
  )
  return {
    window: query.window,
    ...window,
    territory_code: query.territory_code ?? null,
    baseline_incremental_start_at: baseline,
    counts: {
      opened: counts.opened,
      closed_total: counts.closed_hard + counts.closed_soft,
      closed_hard: counts.closed_hard,
      closed_soft: counts.closed_soft,
      relocated: counts.relocated,
    },
    items: {
      opened: lists.opened.map((event) => presentItem(event, event.new)),
      closed: lists.closed.map(presentClosed),
      relocated: lists.relocated.map(presentRelocated),
    },
  }
}

function earliestBaseline(state: RegistryState, territories: Scope): Instant | null {
  const baselines = Object.entries(state.territories)
    .filter(([code]) => permits(territories, code))
    .map(([, territory]) => territory.baseline_at)
  return baselines.sort()[0] ?? null
}

function windowOf(name: WindowName, baseline: Instant | null, now: Instant): Window {
  if (name !== 'all')
    return { from: instantOf(Date.parse(now) - WINDOW_DAYS[name] * DAY_MS), to: now }
  // A snapshot may be dated a few minutes ahead; its window is empty until then, never inverted.
  return { from: baseline !== null && baseline < now ? baseline : now, to: now }
}

function presentItem(event: StoredEvent, place: StoredEvent['new']) {
  return {
    external_id: event.external_id,
    name: event.name,
    territory_code: event.territory_code,
    ...presentLocation(place),
    occurred_at: event.occurred_at,
  }
}

function presentClosed(event: StoredEvent): Type.Static<typeof ClosedItem> {
  const closure_kind = event.event_type === 'closed_hard' ? 'closed_hard' : 'closed_soft'
  const place = closure_kind === 'closed_hard' ? event.old : event.new
  return { ...presentItem(event, place), closure_kind }
}

function presentRelocated(event: StoredEvent): Type.Static<typeof RelocatedItem> {
  return {
    ...presentItem(event, event.new),
    old: presentLocation(event.old),
    new: presentLocation(event.new),
  }
}
