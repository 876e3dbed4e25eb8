/**
 * The plane of the maps: equirectangular at 40° north, with the Canary Islands moved from 1,000 km away into a frame
 * south-west of the peninsula, as Spanish maps show them.
 */
export interface Plane {
  project(point: number[]): number[]
  unproject(point: number[]): number[]
}

const SCALE = Math.cos((40 * Math.PI) / 180)
const MOVED_EAST = 6
const MOVED_NORTH = 7.2
/** Nothing else of Spain lies so far south and west. */
const CANARIES = { east: -13, north: 29.8, west: -18.5, south: 27.3 }

/** The frame around the moved islands, in their own coordinates. */
export const CANARY_FRAME: [number, number][] = [
  [CANARIES.west, CANARIES.south],
  [CANARIES.west, CANARIES.north],
  [CANARIES.east, CANARIES.north],
  [CANARIES.east, CANARIES.south],
  [CANARIES.west, CANARIES.south],
]

export const SPAIN: Plane = {
  project([longitude = 0, latitude = 0]) {
    const isCanary = longitude <= CANARIES.east && latitude <= CANARIES.north
    const x = isCanary ? longitude + MOVED_EAST : longitude
    const y = isCanary ? latitude + MOVED_NORTH : latitude
    return [x * SCALE, -y]
  },
  unproject([x = 0, y = 0]) {
    const longitude = x / SCALE
    const latitude = -y
    const [movedLongitude, movedLatitude] = [longitude - MOVED_EAST, latitude - MOVED_NORTH]
    const isCanary = movedLongitude <= CANARIES.east && movedLatitude <= CANARIES.north
    return isCanary ? [movedLongitude, movedLatitude] : [longitude, latitude]
  },
}
