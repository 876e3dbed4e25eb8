import type { Point } from '../../../../src/domain/distance.ts'
import { SPAIN } from '../../map/projection.ts'
import type { Params } from '../../state/fragment.ts'

export const SIDES = ['old', 'new'] as const
export type Side = (typeof SIDES)[number]

export const DEFAULT_RADIUS = 5000
/** The API's own bound is half the earth; on a map of Spain more than this means nothing. */
const MAX_RADIUS = 1_000_000

export const METERS_PER_DEGREE = 111_195

/** The points that relocations must be near, and how near. */
export interface Near {
  old: Point | null
  new: Point | null
  radius: number
}

export function nearOf(params: Params): Near {
  const radius = Number(params.radius)
  return {
    old: pointOf(params.near_old),
    new: pointOf(params.near_new),
    radius: radius > 0 ? Math.min(radius, MAX_RADIUS) : DEFAULT_RADIUS,
  }
}

/** Five decimals are a metre. */
export function pointText({ latitude, longitude }: Point): string {
  return `${latitude.toFixed(5)},${longitude.toFixed(5)}`
}

/** North, east, south and west of the circles on the plane of the map, x and y in turn. */
export function edgesOf(near: Near): number[] {
  return SIDES.flatMap((side) => {
    const point = near[side]
    if (!point) return []
    const { latitude, longitude } = point
    const north = near.radius / METERS_PER_DEGREE
    const east = north / Math.cos((latitude * Math.PI) / 180)
    return [
      ...SPAIN.project([longitude, latitude + north]),
      ...SPAIN.project([longitude + east, latitude]),
      ...SPAIN.project([longitude, latitude - north]),
      ...SPAIN.project([longitude - east, latitude]),
    ]
  })
}

/** What the API is asked. */
export function nearParams({ old, new: now, radius }: Near): Record<string, string> {
  if (!old && !now) return {}
  return {
    ...(old ? coordinates('old', old) : {}),
    ...(now ? coordinates('new', now) : {}),
    radius_meters: String(Math.round(radius)),
  }
}

function coordinates(side: Side, point: Point): Record<string, string> {
  return {
    [`near_${side}_latitude`]: String(point.latitude),
    [`near_${side}_longitude`]: String(point.longitude),
  }
}

function pointOf(text: string | undefined): Point | null {
  const match = /^(-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)$/.exec(text ?? '')
  if (!match) return null
  const [latitude, longitude] = [Number(match[1]), Number(match[2])]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}
