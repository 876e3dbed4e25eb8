import type { ParameterError } from '../domain/problem.ts'
import type { NearPoint } from '../store/event-queries.ts'

/** The points an endpoint can search around, by the first part of their parameters' names. */
export type PointName = 'near' | 'near_old' | 'near_new'

/** The radius parameters of a request, each already a number within its bounds. */
export type NearParams = {
  [Name in `${PointName}_${'latitude' | 'longitude'}` | 'radius_meters']?: number
}

const OF_RELOCATIONS = ['near_old', 'near_new'] as const

/** The points to search around; one radius serves both. Absent when that side was not asked for. */
export function nearPoints(params: NearParams): { old?: NearPoint; new?: NearPoint } {
  const before = nearPoint(params, 'near_old')
  const after = nearPoint(params, 'near_new')
  return { ...(before ? { old: before } : {}), ...(after ? { new: after } : {}) }
}

/** The point of one name with the radius; undefined when it was not asked for. */
export function nearPoint(params: NearParams, name: PointName): NearPoint | undefined {
  const latitude = params[`${name}_latitude`]
  const longitude = params[`${name}_longitude`]
  if (latitude === undefined || longitude === undefined) return undefined
  if (params.radius_meters === undefined) return undefined
  return { latitude, longitude, radiusMeters: params.radius_meters }
}

/** What is missing for a radius search: each half point's other half, the point, or the radius. */
export function nearFaults(
  params: NearParams,
  points: readonly PointName[] = OF_RELOCATIONS,
): ParameterError[] {
  const faults = points.flatMap((point) => missingHalf(params, point))
  const named = points.flatMap((point) => coordinatesSent(params, point))
  if (params.radius_meters === undefined && named.length > 0) {
    faults.push({
      parameter: 'radius_meters',
      reason: `is missing: ${named.join(' and ')} need${named.length === 1 ? 's' : ''} a radius`,
    })
  }
  if (params.radius_meters !== undefined && named.length === 0) {
    const pairs = points.map((point) => coordinatesOf(point).join(' and ')).join(', or ')
    faults.push({ parameter: 'radius_meters', reason: `needs a point: ${pairs}, are missing` })
  }
  return faults
}

function coordinatesOf(point: PointName) {
  return [`${point}_latitude`, `${point}_longitude`] as const
}

function coordinatesSent(params: NearParams, point: PointName): (keyof NearParams)[] {
  return coordinatesOf(point).filter((name) => params[name] !== undefined)
}

function missingHalf(params: NearParams, point: PointName): ParameterError[] {
  const [sent, ...more] = coordinatesSent(params, point)
  if (sent === undefined || more.length > 0) return []
  const other = sent.endsWith('latitude') ? 'longitude' : 'latitude'
  return [{ parameter: `${point}_${other}`, reason: `is missing: ${sent} is only half of a point` }]
}
