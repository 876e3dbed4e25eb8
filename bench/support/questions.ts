import { instantOf, type Window } from '../../src/domain/time.ts'
import { changePageQuery, wholeChangePageQuery } from '../../src/store/change-queries.ts'
import type { Db } from '../../src/store/db.ts'
import { EVENT_FIELDS, type EventCriteria, eventPageQuery } from '../../src/store/event-queries.ts'
import {
  incrementalCountsQuery,
  incrementalListQuery,
} from '../../src/store/incremental-queries.ts'
import { pinOf, type RegistryState } from '../../src/store/state.ts'
import { groupCountsQuery } from '../../src/store/summary-queries.ts'
import { type Random, seededRandom } from '../../test/support/random.ts'
import { HISTORY } from './history.ts'
import type { Asked } from './http.ts'

/** One question in two forms: to the API, and straight to Elasticsearch. */
export interface Question {
  api: Asked
  /** the searches that have what the answer shows */
  raw: Asked[]
}

/** A question that takes one search. */
export interface PageQuestion extends Question {
  /** the search that the API sends for it, which may be a quicker one */
  sent: Asked
}

/** Questions without end, no two alike; the same ones for the same seed. */
export type Questions = (seed: number) => () => PageQuestion

const DAY_MS = 86_400_000
const LIMIT = 500
const WINDOW_DAYS = 30

/** What is asked of one registry, by the name of the endpoint. */
export function questionsOf(
  db: Db,
  state: RegistryState,
  { limit = LIMIT } = {},
): Record<string, Questions> {
  const pin = pinOf(state)
  const search = (name: 'events' | 'changes', body: object): Asked => ({
    // As the product asks too: no total, nothing partial.
    path: `/${db.alias(name)}/_search?allow_partial_search_results=false&track_total_hits=false`,
    body: JSON.stringify(body),
  })
  const page = { limit }
  const asks = `limit=${limit}`
  const eventsAsked = (criteria: EventCriteria, fields: readonly string[]) => {
    const query = eventPageQuery(criteria, pin, page)
    // The API asks for whole documents, and leaves out itself what is not shown.
    return {
      raw: [search('events', { ...query, _source: fields })],
      sent: search('events', query),
    }
  }
  return {
    listing: asking((random) => {
      const window = someWindow(random)
      const criteria = { window, territories: 'all' as const, place: { province: 'Soria' } }
      return {
        api: { path: `/v1/farmacias/business-events?${bounds(window)}&province=Soria&${asks}` },
        ...eventsAsked(criteria, EVENT_FIELDS),
      }
    }),
    'relocations with a radius': asking((random) => {
      const window = someWindow(random, 10 * WINDOW_DAYS)
      const at = {
        latitude: 37 + random.integer(5_000) / 1_000,
        longitude: -8 + random.integer(10_000) / 1_000,
        radiusMeters: 100_000,
      }
      const criteria = {
        window,
        territories: 'all' as const,
        eventTypes: ['relocated' as const],
        nearNew: at,
      }
      const near = `near_new_latitude=${at.latitude}&near_new_longitude=${at.longitude}&radius_meters=${at.radiusMeters}`
      return {
        api: { path: `/v1/farmacias/relocations?${bounds(window)}&${near}&${asks}` },
        ...eventsAsked(criteria, RELOCATION_FIELDS),
      }
    }),
    changes: asking((random) => {
      const afterId = random.integer(state.last_change_id - limit)
      const criteria = { fromRun: 1, territories: 'all' as const, afterId }
      const query = changePageQuery(criteria, pin, limit)
      const lastId = state.last_change_id
      return {
        api: { path: `/v1/farmacias/changes?since=2000-01-01T00:00:00Z&cursor=${afterId}&${asks}` },
        // Who asks for what follows a cursor does not know that ids have no gap; the API does.
        raw: [search('changes', query)],
        sent: search('changes', wholeChangePageQuery(criteria, { limit, lastId }) ?? query),
      }
    }),
  }
}

/** What an answer shows of a relocation. */
const RELOCATION_FIELDS = EVENT_FIELDS.filter((name) => name !== 'run_id' && name !== 'event_type')

/** What a dashboard asks again and again: the last days up to now, and a window that is over. */
export function dashboardOf(db: Db, state: RegistryState): Record<string, Question> {
  const pin = pinOf(state)
  const raw = (body: object): Asked => ({
    path: `/${db.alias('events')}/_search?allow_partial_search_results=false`,
    body: JSON.stringify(body),
  })
  const counted = (window: Window): Asked[] => {
    const events = { window, territories: 'all' as const }
    return [raw(groupCountsQuery({ events, groupBy: 'territory' }, pin, { size: 1_000 }))]
  }
  const summary = '/v1/farmacias/business-events/summary?group_by=territory'
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const over = { from: instantOf(today - 365 * DAY_MS), to: instantOf(today) }
  // Asked without the API a window up to now is written so, and counted anew each time.
  const untilNow = (days: number): Window => ({ from: `now-${days}d`, to: 'now' })
  const incremental = { window: untilNow(30), territories: 'all' as const, limitPerType: 50 }
  return {
    summary: { api: { path: `${summary}&days=365` }, raw: counted(untilNow(365)) },
    [OVER]: { api: { path: `${summary}&${bounds(over)}` }, raw: counted(over) },
    incremental: {
      api: { path: '/v1/farmacias/incremental/latest?window=30d&limit_per_type=50' },
      raw: [
        raw(incrementalCountsQuery(incremental, pin)),
        ...(['opened', 'closed', 'relocated'] as const).map((list) =>
          raw(incrementalListQuery(incremental, pin, list)),
        ),
      ],
    },
  }
}

/** A summary that Elasticsearch has in its own request cache as well. */
export const OVER = 'summary of a window that is over'

function asking(one: (random: Random) => PageQuestion): Questions {
  return (seed) => {
    const random = seededRandom(seed)
    return () => one(random)
  }
}

function someWindow(random: Random, days = WINDOW_DAYS) {
  const from = HISTORY.from + random.integer(Math.floor((HISTORY.days - days) * DAY_MS))
  return { from: instantOf(from), to: instantOf(Math.floor(from + days * DAY_MS)) }
}

function bounds({ from, to }: { from: string; to: string }): string {
  return `from=${from}&to=${to}`
}
