import { instantOf } from '../../src/domain/time.ts'
import { changePageQuery } from '../../src/store/change-queries.ts'
import type { Db } from '../../src/store/db.ts'
import { eventPageQuery, RELOCATION_FIELDS } from '../../src/store/event-queries.ts'
import {
  incrementalCountsQuery,
  incrementalListQuery,
} from '../../src/store/incremental-queries.ts'
import { pinOf, type RegistryState } from '../../src/store/state.ts'
import { groupCountsQuery } from '../../src/store/summary-queries.ts'
import { type Random, seededRandom } from '../../test/support/random.ts'
import { HISTORY } from './history.ts'
import type { Asked } from './http.ts'

/** One question in two forms: to the API, and the same search straight to Elasticsearch. */
export interface Question {
  api: Asked
  /** everything the API needs from Elasticsearch for it */
  raw: Asked[]
}

/** Questions without end, no two alike; the same ones for the same seed. */
export type Questions = (seed: number) => () => Question

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
    // Exactly what the product sends, shown once: no total, nothing partial.
    path: `/${db.alias(name)}/_search?allow_partial_search_results=false&track_total_hits=false`,
    body: JSON.stringify(body),
  })
  const page = { limit }
  const asks = `limit=${limit}`
  return {
    listing: asking((random) => {
      const window = someWindow(random)
      const criteria = { window, territories: 'all' as const, place: { province: 'Soria' } }
      return {
        api: { path: `/v1/farmacias/business-events?${bounds(window)}&province=Soria&${asks}` },
        raw: [search('events', eventPageQuery(criteria, pin, page))],
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
        raw: [
          search('events', eventPageQuery(criteria, pin, { ...page, fields: RELOCATION_FIELDS })),
        ],
      }
    }),
    changes: asking((random) => {
      const afterId = random.integer(state.last_change_id - limit)
      const criteria = { fromRun: 1, territories: 'all' as const, afterId }
      return {
        api: { path: `/v1/farmacias/changes?since=2000-01-01T00:00:00Z&cursor=${afterId}&${asks}` },
        raw: [search('changes', changePageQuery(criteria, pin, limit))],
      }
    }),
  }
}

/** What a dashboard asks again and again. */
export function dashboardOf(db: Db, state: RegistryState): Record<string, Question> {
  const pin = pinOf(state)
  const to = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const window = { from: instantOf(to - 365 * DAY_MS), to: instantOf(to) }
  const raw = (body: object): Asked => ({
    path: `/${db.alias('events')}/_search?allow_partial_search_results=false`,
    body: JSON.stringify(body),
  })
  const events = { window, territories: 'all' as const }
  const incremental = {
    window: { from: instantOf(to - 29 * DAY_MS), to: instantOf(to + DAY_MS) },
    territories: 'all' as const,
    limitPerType: 50,
  }
  return {
    summary: {
      api: { path: `/v1/farmacias/business-events/summary?${bounds(window)}&group_by=territory` },
      raw: [raw(groupCountsQuery({ events, groupBy: 'territory' }, pin, { size: 1_000 }))],
    },
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

function asking(one: (random: Random) => Question): Questions {
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
