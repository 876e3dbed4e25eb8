/** Mean radius of the earth in metres, the one Elasticsearch's `arc` distances use. */
const EARTH_RADIUS_METERS = 6_371_008.7714

export interface Point {
  latitude: number
  longitude: number
}

/** Great circle between two points in metres, by the haversine formula. */
export function distanceMeters(a: Point, b: Point): number {
  const phiA = radians(a.latitude)
  const phiB = radians(b.latitude)
  const halfPhi = Math.sin((phiB - phiA) / 2)
  const halfLambda = Math.sin(radians(b.longitude - a.longitude) / 2)
  const h = halfPhi * halfPhi + Math.cos(phiA) * Math.cos(phiB) * halfLambda * halfLambda
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(h)))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
