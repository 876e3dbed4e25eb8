import type { ParameterError } from '../domain/problem.ts'
import type { NearPoint } from '../store/event-queries.ts'

/** The radius parameters of a request, each already a number within its bounds. */
export interface NearParams {
  near_old_latitude?: number
  near_old_longitude?: number
  near_new_latitude?: number
  near_new_longitude?: number
  radius_meters?: number
}

const SIDES = ['old', 'new'] as const
type Side = (typeof SIDES)[number]

/** The points to search around; one radius serves both. Absent when that side was not asked for. */
export function nearPoints(params: NearParams): { old?: NearPoint; new?: NearPoint } {
  const points: { old?: NearPoint; new?: NearPoint } = {}
  for (const side of SIDES) {
    const latitude = params[`near_${side}_latitude`]
    const longitude = params[`near_${side}_longitude`]
    if (latitude === undefined || longitude === undefined) continue
    if (params.radius_meters === undefined) continue
    points[side] = { latitude, longitude, radiusMeters: params.radius_meters }
  }
  return points
}

/** What is missing for a radius search: each half point's other half, the point, or the radius. */
export function nearFaults(params: NearParams): ParameterError[] {
  const faults = SIDES.flatMap((side) => missingHalf(params, side))
  const named = SIDES.flatMap((side) => coordinatesSent(params, side))
  if (params.radius_meters === undefined && named.length > 0) {
    faults.push({
      parameter: 'radius_meters',
      reason: `is missing: ${named.join(' and ')} need${named.length === 1 ? 's' : ''} a radius`,
    })
  }
  if (params.radius_meters !== undefined && named.length === 0) {
    faults.push({
      parameter: 'radius_meters',
      reason:
        'needs a point: near_old_latitude and near_old_longitude, or near_new_latitude and near_new_longitude, are missing',
    })
  }
  return faults
}

function coordinatesSent(params: NearParams, side: Side): (keyof NearParams)[] {
  const names = [`near_${side}_latitude`, `near_${side}_longitude`] as const
  return names.filter((name) => params[name] !== undefined)
}

function missingHalf(params: NearParams, side: Side): ParameterError[] {
  const [sent, ...more] = coordinatesSent(params, side)
  if (sent === undefined || more.length > 0) return []
  const other = sent.endsWith('latitude') ? 'longitude' : 'latitude'
  return [
    { parameter: `near_${side}_${other}`, reason: `is missing: ${sent} is only half of a point` },
  ]
}
