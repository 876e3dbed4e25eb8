import Type from 'typebox'
import type { ByteWriter, Span } from '../../domain/byte-writer.ts'
import { distanceMeters } from '../../domain/distance.ts'
import { numberAfter, placeOf } from '../../domain/stored-bytes.ts'
import { TerritoryCode } from '../../domain/territory.ts'
import type { FoundEvent } from '../../store/events.ts'
import { refuseFaults } from '../criteria.ts'
import type { Endpoint } from '../endpoint.ts'
import { eventPage } from '../event-page.ts'
import { nearFaults, nearPoints } from '../near-points.ts'
import {
  cursorParam,
  daysParam,
  instantParam,
  latitudeParam,
  limitParam,
  longitudeParam,
  radiusParam,
  territoriesParam,
  textParam,
} from '../params.ts'
import { EventId, LocationShown, OccurredAt, showEventFrom } from '../present-event.ts'
import { NextCursor, NoPath, WindowShown } from '../response-parts.ts'

const NAME = 'listRelocations'

const Query = Type.Object({
  from: Type.Optional(instantParam('Start of the window, inclusive.')),
  days: Type.Optional(
    daysParam('Length of the window in days, used when from is absent; 30 when both are absent.'),
  ),
  to: Type.Optional(instantParam('End of the window, exclusive; now when absent.')),
  territories: Type.Optional(territoriesParam()),
  old_province: Type.Optional(textParam('Province before the move, in any of its official names.')),
  old_city: Type.Optional(textParam('City before the move; case and accents do not count.')),
  new_province: Type.Optional(textParam('Province after the move, in any of its official names.')),
  new_city: Type.Optional(textParam('City after the move; case and accents do not count.')),
  near_old_latitude: Type.Optional(
    latitudeParam('Latitude in degrees of a point near the place before the move.'),
  ),
  near_old_longitude: Type.Optional(
    longitudeParam('Longitude in degrees of a point near the place before the move.'),
  ),
  near_new_latitude: Type.Optional(
    latitudeParam('Latitude in degrees of a point near the place after the move.'),
  ),
  near_new_longitude: Type.Optional(
    longitudeParam('Longitude in degrees of a point near the place after the move.'),
  ),
  radius_meters: Type.Optional(
    radiusParam(
      'Radius in metres around the points given; serves both. With both points, both must match.',
    ),
  ),
  limit: limitParam({ default: 500, max: 5000 }),
  cursor: Type.Optional(cursorParam()),
})

const RelocationItem = Type.Object(
  {
    event_id: EventId,
    occurred_at: OccurredAt,
    territory_code: TerritoryCode,
    external_id: Type.String({
      description: 'Identifier of the pharmacy within its territory; text, leading zeros kept.',
    }),
    name: Type.Union([Type.String(), Type.Null()], {
      description: 'Pharmacy name at the time of the move; null when the source has none.',
    }),
    old: LocationShown('Where the pharmacy was.'),
    new: LocationShown('Where the pharmacy is since.'),
    distance_meters: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description:
        'Great circle between the two places in metres; null when either has no coordinates.',
    }),
  },
  { description: 'One relocation, with the old and the new place apart.' },
)

const Response = Type.Object({
  ...WindowShown,
  items: Type.Array(RelocationItem, {
    description: 'Newest first: by occurred_at, then by event_id, both descending.',
  }),
  next_cursor: NextCursor,
})

export const relocations: Endpoint<typeof NoPath, typeof Query> = {
  name: NAME,
  path: '/v1/farmacias/relocations',
  tag: 'Events',
  summary: 'List relocations',
  description:
    'Only relocations, with the old and the new place apart; filters by either place, by name or within a radius. A relocation without coordinates never matches a radius.',
  pathSchema: NoPath,
  querySchema: Query,
  responseSchema: Response,
  contentType: 'application/json',

  handle: (call) =>
    eventPage(call, {
      endpoint: NAME,
      check: (query) => refuseFaults(nearFaults(query)),
      criteria(query) {
        const near = nearPoints(query)
        return {
          eventTypes: ['relocated'],
          oldPlace: { province: query.old_province, city: query.old_city },
          newPlace: { province: query.new_province, city: query.new_city },
          nearOld: near.old,
          nearNew: near.new,
        }
      },
      show: showRelocation,
    }),
}

const LATITUDE = Buffer.from('"latitude":')
const LONGITUDE = Buffer.from('"longitude":')

interface Place {
  latitude: number | null
  longitude: number | null
}

const OCCURRED_AT = Buffer.from(',"occurred_at":')

/**
 * Stored with all six fields on both sides, the old one first: only the distance is still to be found. What stands before
 * its instant, run and kind, is not shown.
 */
function showRelocation(out: ByteWriter, event: FoundEvent): void {
  const from = placeOf(event, OCCURRED_AT)
  const before = placeIn(event, from)
  const after = placeIn(event, before.end)
  showEventFrom(out, event, from, `,"distance_meters":${distanceBetween(before, after)}`)
}

function placeIn(event: Span, from: number): Place & { end: number } {
  const latitude = numberAfter(event, LATITUDE, from)
  const longitude = numberAfter(event, LONGITUDE, latitude.end)
  return { latitude: latitude.value, longitude: longitude.value, end: longitude.end }
}

/** Centimetres are more than six decimals of a degree can tell. */
function distanceBetween(before: Place, after: Place): number | null {
  const from = pointOf(before)
  const to = pointOf(after)
  return from && to ? Math.round(distanceMeters(from, to) * 100) / 100 : null
}

function pointOf({ latitude, longitude }: Place) {
  return latitude === null || longitude === null ? null : { latitude, longitude }
}
