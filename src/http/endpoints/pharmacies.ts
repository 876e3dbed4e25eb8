import Type from 'typebox'
import { Pharmacy } from '../../domain/pharmacy.ts'
import { type FoundPharmacy, searchPharmacies } from '../../store/pharmacies.ts'
import type { SearchPosition, ShownTerritories } from '../../store/pharmacy-queries.ts'
import type { Pin, RegistryState } from '../../store/state.ts'
import { pageAnswer } from '../answers.ts'
import { checkTogether, permittedTerritories, refuseFaults } from '../criteria.ts'
import { alteredCursor, type Cursor, encodeCursor, filtersHash } from '../cursor.ts'
import { refuseFuture } from '../dataset-export.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { cursorOf, pinOfCursor, reaches } from '../event-walk.ts'
import { nearFaults, nearPoint } from '../near-points.ts'
import {
  booleanParam,
  cursorParam,
  instantParam,
  latitudeParam,
  limitParam,
  longitudeParam,
  radiusParam,
  territoriesParam,
  textParam,
} from '../params.ts'
import { NextCursor, NoPath } from '../response-parts.ts'

const NAME = 'searchPharmacies'

const Query = Type.Object({
  q: Type.Optional(
    textParam(
      'Words of the name, the holder, the address or the city, in any order. All must occur; the last one may be the beginning of a word. Case, accents and punctuation do not count.',
    ),
  ),
  territories: Type.Optional(territoriesParam()),
  province: Type.Optional(textParam('Province, in any of its official names.')),
  city: Type.Optional(textParam('City; case, accents and punctuation do not count.')),
  active_only: booleanParam(false, 'Only pharmacies that the source marks active.'),
  near_latitude: Type.Optional(
    latitudeParam('Latitude in degrees of a point; orders the result by the distance from it.'),
  ),
  near_longitude: Type.Optional(longitudeParam('Longitude in degrees of that point.')),
  radius_meters: Type.Optional(
    radiusParam('Only within so many metres of the point. A record without coordinates never is.'),
  ),
  as_of: Type.Optional(
    instantParam(
      'The records as observed at this instant; the current ones when absent. Territories without a baseline by then have none.',
    ),
  ),
  limit: limitParam({ default: 100, max: 1000 }),
  cursor: Type.Optional(cursorParam()),
})
type Query = Type.Static<typeof Query>

const FoundItem = Type.Object(
  {
    ...Pharmacy.properties,
    distance_meters: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description: 'Great circle from the point asked for, in metres; null when none was.',
    }),
  },
  { description: 'One pharmacy record, with its distance.' },
)

const Response = Type.Object({
  items: Type.Array(FoundItem, {
    description:
      'By distance around a point, else by territory_code and external_id (code points); the latter also order equal distances.',
  }),
  next_cursor: NextCursor,
})

export const pharmacies: Endpoint<typeof NoPath, typeof Query> = {
  name: NAME,
  path: '/v1/farmacias/pharmacies',
  tag: 'Pharmacies',
  summary: 'Search pharmacies',
  description:
    'Current records, or those of an earlier instant, by words, place, state and distance. Follow next_cursor until it is null; the walk stays stable while loads go on.',
  pathSchema: NoPath,
  querySchema: Query,
  responseSchema: Response,
  contentType: 'application/json',

  async handle(call) {
    const { query } = call
    checkTogether([
      () => refuseFaults(nearFaults(query, ['near'])),
      () => refuseFuture(query.as_of, call.now),
      () => cursorOf(NAME, query),
    ])
    const cursor = cursorOf(NAME, query)
    const territories = permittedTerritories(call.principal, query.territories)
    const state = await call.store.state(reaches(cursor))
    const pin = pinOfCursor(cursor, state)
    return pageAnswer(call, {
      endpoint: NAME,
      state,
      run: pin.run,
      isSliding: false,
      compute: async () => {
        const shown = await shownAt(call, { territories, pin }, state)
        return page(call, shown, { pin, cursor })
      },
    })
  },
}

/** At an earlier instant each territory is seen at the run it showed then: their clocks are their own. */
async function shownAt(
  { store, query }: Call<unknown, Query>,
  { territories, pin }: ShownTerritories,
  state: RegistryState,
): Promise<ShownTerritories[]> {
  if (query.as_of === undefined) return [{ territories, pin }]
  const runs = await store.runsAsOf(territories, query.as_of, pin)
  return [...runs].map(([territory, run]) => ({
    territories: [territory],
    pin: { run, abandoned: state.abandoned },
  }))
}

async function page(
  { store, query }: Call<unknown, Query>,
  shown: readonly ShownTerritories[],
  { pin, cursor }: { pin: Pin; cursor: Cursor | null },
): Promise<Type.Static<typeof Response>> {
  const found = await searchPharmacies(
    store.db,
    {
      shown,
      text: query.q,
      place: { province: query.province, city: query.city },
      activeOnly: query.active_only,
      near: nearPoint(query, 'near'),
    },
    { limit: query.limit, after: cursor ? positionOf(cursor, query) : undefined },
  )
  return {
    items: found.items.map(present),
    next_cursor: found.next && cursorAfter(query, pin, found.next),
  }
}

function present({ record, distanceMeters }: FoundPharmacy): Type.Static<typeof FoundItem> {
  return { ...record, distance_meters: distanceMeters && Math.round(distanceMeters * 100) / 100 }
}

/** Where the page before ended, as the sort of this very question has it. */
function positionOf({ last }: Cursor, query: Query): SearchPosition {
  const types = last.map((part) => typeof part).join()
  const isPosition =
    types === (query.near_latitude === undefined ? 'string,string' : 'number,string,string')
  if (!isPosition) throw alteredCursor()
  return last as unknown as SearchPosition
}

function cursorAfter(query: Query, pin: Pin, last: SearchPosition): string {
  return encodeCursor({
    endpoint: NAME,
    filtersHash: filtersHash(query),
    window: null,
    run: pin.run,
    last,
  })
}
