import proj4 from 'proj4'
import { projectionOf } from '../domain/crs.ts'
import type { CoordinateRule } from '../domain/definition.ts'
import { OperatorError } from '../domain/problem.ts'
import type { Row } from '../domain/row.ts'
import type { WarningCode } from '../domain/run.ts'
import type { Columns } from './columns.ts'
import { type PointRead, pointOf, type RawPoint, readGeometry } from './geometry.ts'
import type { NullTokens } from './null-tokens.ts'

/** Where a pharmacy is in WGS84, rounded to six decimals; `source` is null exactly when there is no point. */
export interface Position {
  latitude: number | null
  longitude: number | null
  source: 'official' | 'official_swapped' | null
  warning: WarningCode | null
}

type Box = readonly [west: number, south: number, east: number, north: number]

/** Peninsula with Baleares, Canarias, Ceuta, Melilla. */
const SPAIN: readonly Box[] = [
  [-9.5, 35.95, 4.5, 43.9],
  [-18.3, 27.5, -13.3, 29.6],
  [-5.45, 35.84, -5.25, 35.95],
  [-3.05, 35.24, -2.9, 35.34],
]

/** Placeholders that are not quite zero; no official system has a point of Spain that near to its origin. */
const NEARLY_ZERO = 0.01

const NOWHERE: Position = { latitude: null, longitude: null, source: null, warning: null }
const nowhere = (warning: WarningCode): Position => ({ ...NOWHERE, warning })
const INVALID = nowhere('coordinates_invalid')
const OUTSIDE = nowhere('coordinates_outside')
const NULL_ISLAND = nowhere('null_island')

/** Gives the position of the loaded row. Throws an OperatorError for a system that is not known. */
export function compileCoordinates(
  rule: CoordinateRule | null,
  { columns, tokens }: { columns: Columns; tokens: NullTokens },
): (row: Row) => Position {
  if (!rule) return () => NOWHERE
  const read = compilePoint(rule, columns, tokens)
  const systems = [rule.crs].flat().map((crs) => compileSystem(crs))
  const [west = -180, south = -90, east = 180, north = 90] = rule.bbox ?? []
  const boxes = rule.bbox ? [[west, south, east, north] as const] : SPAIN
  const systemsOf = compileSystems(systems)

  const place = (point: RawPoint): Position => {
    const candidates = systemsOf(point)
    const official = locate(point, candidates, boxes)
    if (official || !rule.swap_if_outside) return official ?? OUTSIDE
    const turned = locate({ x: point.y, y: point.x }, candidates, boxes)
    return turned ? { ...turned, source: 'official_swapped' } : OUTSIDE
  }
  return (row) => {
    const point = read(row)
    if (point === null) return NOWHERE
    if (point === 'invalid') return INVALID
    return isNearlyZero(point) ? NULL_ISLAND : place(point)
  }
}

function isNearlyZero({ x, y }: RawPoint): boolean {
  return Math.abs(x) < NEARLY_ZERO && Math.abs(y) < NEARLY_ZERO
}

function compilePoint(
  rule: CoordinateRule,
  columns: Columns,
  tokens: NullTokens,
): (row: Row) => PointRead {
  const { geometry, column } = rule
  if (geometry === undefined) return compilePair(rule, columns, tokens)
  if (column === undefined) {
    return (row) => ('fields' in row ? readGeometry(geometry, row.geometry, rule) : 'invalid')
  }
  const slot = columns.slot(column)
  return () => {
    const value = columns.values[slot]
    const text = columns.cells[slot] ?? ''
    if (typeof value !== 'string') return readGeometry(geometry, value, rule)
    return tokens.cell(text) ? null : readGeometry(geometry, text, rule)
  }
}

function compilePair(rule: CoordinateRule, columns: Columns, tokens: NullTokens): () => PointRead {
  if (rule.x === undefined || rule.y === undefined) {
    throw new OperatorError('coordinates: x and y, or geometry, must be given')
  }
  const x = columns.slot(rule.x)
  const y = columns.slot(rule.y)
  const numberAt = (slot: number): unknown => {
    const value = columns.values[slot]
    return typeof value === 'number' ? value : columns.cells[slot]
  }
  return () => {
    const noX = tokens.cell(columns.cells[x] ?? '')
    const noY = tokens.cell(columns.cells[y] ?? '')
    if (noX && noY) return null
    return noX || noY ? 'invalid' : pointOf(numberAt(x), numberAt(y), rule)
  }
}

/** One coordinate system: whether numbers can be in it at all, by their size, and its way to degrees. */
interface System {
  crs: string
  plausible(point: RawPoint): boolean
  toDegrees(point: RawPoint): RawPoint
}

function compileSystem(crs: string): System {
  const definition = projectionOf(crs)
  if (definition === null) throw new OperatorError(`coordinates: ${crs} is not known`)
  if (definition === 'degrees') return { crs, plausible: isDegrees, toDegrees: (point) => point }
  const projection = proj4(definition, '+proj=longlat +datum=WGS84 +no_defs')
  return {
    crs,
    plausible: (point) => !isDegrees(point),
    toDegrees({ x, y }) {
      const [longitude = Number.NaN, latitude = Number.NaN] = projection.forward([x, y])
      return { x: longitude, y: latitude }
    },
  }
}

function isDegrees({ x, y }: RawPoint): boolean {
  return Math.abs(x) <= 180 && Math.abs(y) <= 180
}

/** The systems to try for a point: the declared ones, unless the value names its own (SRID) and that is known. */
function compileSystems(declared: readonly System[]): (point: RawPoint) => readonly System[] {
  const own = new Map<string, readonly System[]>(declared.map((system) => [system.crs, [system]]))
  return ({ crs }) => {
    if (crs === undefined) return declared
    const known = own.get(crs)
    if (known) return known
    const systems = projectionOf(crs) === null ? declared : [compileSystem(crs)]
    own.set(crs, systems)
    return systems
  }
}

function locate(
  point: RawPoint,
  systems: readonly System[],
  boxes: readonly Box[],
): Position | null {
  for (const system of systems) {
    if (!system.plausible(point)) continue
    const { x, y } = system.toDegrees(point)
    if (boxes.some((box) => x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3])) {
      return { latitude: rounded(y), longitude: rounded(x), source: 'official', warning: null }
    }
  }
  return null
}

/** Six decimals, about a tenth of a metre, so that jitter is no change; never the negative zero. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6 + 0
}
