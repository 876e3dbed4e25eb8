import { dateReader } from '../domain/date-format.ts'
import { KNOWN_CRS } from '../domain/crs.ts'
import type { CoordinateRule, FieldRule, Filter, SourceDefinition } from '../domain/definition.ts'
import { nearest } from '../domain/nearest.ts'
import type { ShapeMistake } from './shape.ts'

/** What the schema cannot say about how rows become records. */
export function mappingMistakes(definition: SourceDefinition): ShapeMistake[] {
  const { map, coordinates, filter = [], fetch } = definition
  const mistakes: ShapeMistake[] = []
  for (const [name, rule] of Object.entries(map)) {
    if (name === 'is_active' || name === 'official_last_modified_at') continue
    mistakes.push(...fieldMistakes(name, rule as FieldRule))
  }
  if ('end_date' in map.is_active) mistakes.push(...formatMistakes('map.is_active.format', map.is_active.format))
  const modified = map.official_last_modified_at
  if (modified && 'from' in modified) {
    mistakes.push(...formatMistakes('map.official_last_modified_at.format', modified.format))
  }
  if (modified && 'metadata' in modified && !PORTALS.has(fetch.kind)) {
    mistakes.push({
      path: 'map.official_last_modified_at.metadata',
      reason: `a source of kind ${fetch.kind} has no portal that tells it`,
    })
  }
  if (coordinates) mistakes.push(...coordinateMistakes(coordinates, definition))
  filter.forEach((rule, index) => {
    mistakes.push(...filterMistakes(rule, `filter.${index}`))
  })
  return mistakes
}

const PORTALS: ReadonlySet<string> = new Set(['socrata', 'opendatasoft', 'ckan', 'arcgis'])
const MAKERS = ['from', 'template', 'const', 'from_postal_code'] as const

function fieldMistakes(name: string, rule: FieldRule): ShapeMistake[] {
  const path = `map.${name}`
  const mistakes: ShapeMistake[] = []
  const refuse = (option: string, reason: string) => mistakes.push({ path: `${path}.${option}`, reason })
  const made = MAKERS.filter((option) => rule[option] !== undefined)
  if (made.length !== 1) {
    const has = made.length === 0 ? 'none' : made.join(' and ')
    mistakes.push({ path, reason: `needs exactly one of ${MAKERS.join(', ')}; it has ${has}` })
  }
  if (name === 'external_id' && (rule.from === null || rule.const !== undefined)) {
    mistakes.push({ path, reason: 'must be read from the source: without it no record can be told from another' })
  }
  if (rule.from_postal_code && name !== 'province') refuse('from_postal_code', 'makes sense for province only')
  if (rule.province_prefixes && name !== 'postal_code') {
    refuse('province_prefixes', 'makes sense for postal_code only')
  }
  if (!Array.isArray(rule.from)) {
    if (rule.join !== undefined) refuse('join', 'needs a list of columns in from')
    if (rule.sort !== undefined) refuse('sort', 'needs a list of columns in from')
  }
  mistakes.push(...templateMistakes(`${path}.template`, rule.template))
  const { fallback, replace } = rule
  if (fallback && 'template' in fallback) mistakes.push(...templateMistakes(`${path}.fallback.template`, fallback.template))
  if (replace) mistakes.push(...regexMistakes(`${path}.replace.regex`, replace.regex))
  return mistakes
}

function templateMistakes(path: string, template: string | undefined): ShapeMistake[] {
  if (template === undefined) return []
  const isWhole = /\{[^{}]+\}/.test(template) && !/[{}]/.test(template.replaceAll(/\{[^{}]+\}/g, ''))
  return isWhole ? [] : [{ path, reason: 'needs columns in braces, as in "{street}, {number}", each pair closed' }]
}

/** A regular expression that cannot be compiled as it will be. */
export function regexMistakes(path: string, source: string): ShapeMistake[] {
  try {
    return new RegExp(source, 'u') && []
  } catch (error) {
    return [{ path, reason: error instanceof Error ? error.message : String(error) }]
  }
}

function formatMistakes(path: string, format: string): ShapeMistake[] {
  if (dateReader(format)) return []
  return [{ path, reason: `${format} is no date format (iso, or yyyy, MM, dd, HH, mm, ss with what stands between)` }]
}

function filterMistakes({ op, value }: Filter, path: string): ShapeMistake[] {
  if (op === 'not_empty') return value === undefined ? [] : [{ path: `${path}.value`, reason: 'not_empty takes no value' }]
  if (value === undefined) return [{ path: `${path}.value`, reason: `is missing; ${op} needs it` }]
  if (op === 'in') return Array.isArray(value) ? [] : [{ path: `${path}.value`, reason: 'must be a list for in' }]
  if (op === 'regex') return [value].flat().flatMap((source) => regexMistakes(`${path}.value`, source))
  return []
}

function coordinateMistakes(rule: CoordinateRule, { parse }: SourceDefinition): ShapeMistake[] {
  const mistakes: ShapeMistake[] = []
  const refuse = (option: string, reason: string) => mistakes.push({ path: `coordinates${option}`, reason })
  for (const crs of [rule.crs].flat()) {
    if (KNOWN_CRS.includes(crs)) continue
    const meant = nearest(crs, KNOWN_CRS)
    refuse('.crs', `${crs} is not known${meant ? `, did you mean ${meant}?` : ''}; known are ${KNOWN_CRS.join(', ')}`)
  }
  const hasPair = rule.x !== undefined || rule.y !== undefined
  if (hasPair && (rule.x === undefined || rule.y === undefined)) refuse('', 'needs both x and y')
  if (hasPair === (rule.geometry !== undefined)) refuse('', 'needs either x and y, or geometry')
  if (rule.column !== undefined && rule.geometry === undefined) refuse('.column', 'goes with geometry only')
  const isOwn = rule.geometry === parse.format
  if (rule.geometry !== undefined && rule.column === undefined && !isOwn) {
    refuse('.column', `is missing; ${rule.geometry} must be read from a column where the format is ${parse.format}`)
  }
  if (rule.decimal !== undefined && rule.decimal === rule.group) refuse('.group', 'must differ from decimal')
  const [west = -180, south = -90, east = 180, north = 90] = rule.bbox ?? []
  const isOrdered = west < east && south < north && west >= -180 && east <= 180 && south >= -90 && north <= 90
  if (!isOrdered) refuse('.bbox', 'must be west, south, east, north in degrees, the smaller before the larger')
  return mistakes
}
