import type { CoordinateRule } from '../domain/definition.ts'
import { readNumber } from './cells.ts'

/** A point as published: x is easting or longitude. `crs` only when the value itself names one. */
export interface RawPoint {
  x: number
  y: number
  crs?: string
}

/** A point, null where there is none, `'invalid'` where something stands that is no point. */
export type PointRead = RawPoint | null | 'invalid'
type GeometryKind = NonNullable<CoordinateRule['geometry']>
type Signs = Pick<CoordinateRule, 'decimal' | 'group'>

/** Reads one geometry value: an object as a record has it, or the text of a cell. */
export function readGeometry(kind: GeometryKind, value: unknown, signs: Signs): PointRead {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' && value.trim() === '') return null
  switch (kind) {
    case 'geojson':
      return readGeoJson(parsed(value))
    case 'esri':
      return readEsri(parsed(value))
    case 'wkt':
      return typeof value === 'string' ? readWkt(value) : 'invalid'
    case 'lat_lng_text':
      return swapped(readPair(value, signs), value)
    case 'lng_lat_text':
      return readPair(value, signs)
    default:
      return kind satisfies never
  }
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return 'not JSON' // told to the caller as an invalid point, which is what it is
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Point, or the first point of a MultiPoint. */
function readGeoJson(geometry: unknown): PointRead {
  if (!isObject(geometry)) return 'invalid'
  const { type, coordinates, geometry: inner } = geometry
  if (isObject(inner)) return readGeoJson(inner)
  if (!Array.isArray(coordinates)) return 'invalid'
  if (coordinates.length === 0) return null
  if (type === 'Point') return pointOf(coordinates[0], coordinates[1])
  const first: unknown = coordinates[0]
  return type === 'MultiPoint' && Array.isArray(first) ? pointOf(first[0], first[1]) : 'invalid'
}

/** `{ x, y }`, or the first of `{ points }`. Esri writes "NaN" or null for an empty point. */
function readEsri(geometry: unknown): PointRead {
  if (!isObject(geometry)) return 'invalid'
  const { points, x, y } = geometry
  if (Array.isArray(points)) {
    const first: unknown = points[0]
    if (first === undefined) return null
    return Array.isArray(first) ? pointOf(first[0], first[1]) : 'invalid'
  }
  if (isEmpty(x) && isEmpty(y)) return null
  return pointOf(x, y)
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === 'NaN' || value === ''
}

const WKT =
  /^\s*(?:SRID\s*=\s*(\d+)\s*;)?\s*(?:MULTI)?POINT\s*(?:Z?M?)\s*\(\s*\(?\s*(\S+?)[\s,]+([^\s,()]+)/i
const EMPTY_WKT = /^\s*(?:SRID\s*=\s*\d+\s*;)?\s*(?:MULTI)?POINT\s*(?:Z?M?)\s*EMPTY\s*$/i

function readWkt(text: string): PointRead {
  if (EMPTY_WKT.test(text)) return null
  const match = WKT.exec(text)
  if (!match) return 'invalid'
  const point = pointOf(match[2], match[3])
  if (point === 'invalid' || point === null || match[1] === undefined) return point
  return { ...point, crs: `EPSG:${match[1]}` }
}

/** "40.4, -3.7", "40,4; -3,7", "(40.4 -3.7)", `[40.4, -3.7]`; or an object that names its parts. */
function readPair(value: unknown, signs: Signs): PointRead {
  if (Array.isArray(value)) return pointOf(value[0], value[1])
  if (isObject(value)) {
    const {
      lon,
      lng,
      longitude,
      x = lon ?? lng ?? longitude,
      lat,
      latitude,
      y = lat ?? latitude,
    } = value
    return isEmpty(x) && isEmpty(y) ? null : pointOf(x, y)
  }
  if (typeof value !== 'string') return 'invalid'
  const bare = value.replace(/[()[\]]/g, ' ').trim()
  if (bare === '') return null
  const numbers = splitPair(bare, signs)
  return numbers.length === 2 ? pointOf(numbers[0], numbers[1], signs) : 'invalid'
}

/** A comma separates only where it is not the decimal sign: with one it stands before a blank, or alone. */
function splitPair(text: string, { decimal }: Signs): string[] {
  if (text.includes(';')) return text.split(/\s*;\s*/)
  if (decimal !== ',' && /^[^,]*,[^,]*$/.test(text)) return text.split(/\s*,\s*/)
  return text.split(/,?\s+/)
}

/** Names in an object say which is which; only the order of a text or a list needs turning. */
function swapped(point: PointRead, value: unknown): PointRead {
  if (point === null || point === 'invalid' || isObject(value)) return point
  return { x: point.y, y: point.x }
}

/** Two numbers, or texts that are numbers. */
export function pointOf(x: unknown, y: unknown, signs: Signs = {}): PointRead {
  const easting = numberOf(x, signs)
  const northing = numberOf(y, signs)
  return easting === null || northing === null ? 'invalid' : { x: easting, y: northing }
}

function numberOf(value: unknown, signs: Signs): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' ? readNumber(value.trim(), signs) : null
}
