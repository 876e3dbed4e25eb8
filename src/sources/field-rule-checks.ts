import { KNOWN_CRS } from '../domain/crs.ts'
import { dateReader } from '../domain/date-format.ts'
import type { CoordinateRule, FieldRule, Filter, SourceDefinition } from '../domain/definition.ts'
import { nearest } from '../domain/nearest.ts'
import { refusals, type ShapeMistake } from './shape.ts'

/** What the schema cannot say about how rows become records. */
export function mappingMistakes(definition: SourceDefinition): ShapeMistake[] {
  const { is_active, official_last_modified_at, ...fields } = definition.map
  const { coordinates, filter = [] } = definition
  return [
    ...Object.entries(fields).flatMap(([name, rule]) => fieldMistakes(name, rule)),
    ...('end_date' in is_active ? formatMistakes('map.is_active.format', is_active.format) : []),
    ...modifiedMistakes(official_last_modified_at, definition),
    ...(coordinates ? coordinateMistakes(coordinates, definition) : []),
    ...filter.flatMap(filterMistakes),
  ]
}

function modifiedMistakes(
  rule: SourceDefinition['map']['official_last_modified_at'],
  { fetch }: SourceDefinition,
): ShapeMistake[] {
  const path = 'map.official_last_modified_at'
  if (!rule || 'http_header' in rule) return []
  if ('from' in rule) return formatMistakes(`${path}.format`, rule.format)
  const reason = `a source of kind ${fetch.kind} has no portal that tells it`
  return refusals([[!PORTALS.has(fetch.kind), `${path}.metadata`, reason]])
}

const PORTALS: ReadonlySet<string> = new Set(['socrata', 'opendatasoft', 'ckan', 'arcgis'])
const MAKERS = ['from', 'template', 'const', 'from_postal_code'] as const

function fieldMistakes(name: string, rule: FieldRule): ShapeMistake[] {
  const path = `map.${name}`
  const { fallback, replace } = rule
  return [
    ...makerMistakes(path, rule),
    ...placeMistakes(name, rule),
    ...templateMistakes(`${path}.template`, rule.template),
    ...templateMistakes(
      `${path}.fallback.template`,
      fallback && 'template' in fallback ? fallback.template : undefined,
    ),
    ...(replace ? regexMistakes(`${path}.replace.regex`, replace.regex) : []),
  ]
}

function makerMistakes(path: string, rule: FieldRule): ShapeMistake[] {
  const made = MAKERS.filter((option) => rule[option] !== undefined)
  const isList = Array.isArray(rule.from)
  return refusals([
    [
      made.length !== 1,
      path,
      `needs exactly one of ${MAKERS.join(', ')}; it has ${made.join(' and ') || 'none'}`,
    ],
    [rule.join !== undefined && !isList, `${path}.join`, 'needs a list of columns in from'],
    [rule.sort !== undefined && !isList, `${path}.sort`, 'needs a list of columns in from'],
  ])
}

/** Options and values that only one field, or not this one, may have. */
function placeMistakes(name: string, rule: FieldRule): ShapeMistake[] {
  const path = `map.${name}`
  const hasNoSource = rule.from === null || rule.const !== undefined
  const prefixes = rule.province_prefixes !== undefined
  return refusals([
    [
      name === 'external_id' && hasNoSource,
      path,
      'must be read from the source: without it no record can be told from another',
    ],
    [
      rule.from_postal_code === true && name !== 'province',
      `${path}.from_postal_code`,
      'makes sense for province only',
    ],
    [
      prefixes && name !== 'postal_code',
      `${path}.province_prefixes`,
      'makes sense for postal_code only',
    ],
  ])
}

function templateMistakes(path: string, template: string | undefined): ShapeMistake[] {
  if (template === undefined) return []
  const isWhole =
    /\{[^{}]+\}/.test(template) && !/[{}]/.test(template.replaceAll(/\{[^{}]+\}/g, ''))
  return isWhole
    ? []
    : [{ path, reason: 'needs columns in braces, as in "{street}, {number}", each pair closed' }]
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
  return [
    {
      path,
      reason: `${format} is no date format (iso, or yyyy, MM, dd, HH, mm, ss with what stands between)`,
    },
  ]
}

function filterMistakes({ op, value }: Filter, index: number): ShapeMistake[] {
  const path = `filter.${index}.value`
  if (op === 'regex') return [value ?? []].flat().flatMap((source) => regexMistakes(path, source))
  return refusals([
    [op === 'not_empty' && value !== undefined, path, 'not_empty takes no value'],
    [op !== 'not_empty' && value === undefined, path, `is missing; ${op} needs it`],
    [op === 'in' && typeof value === 'string', path, 'must be a list for in'],
  ])
}

function coordinateMistakes(rule: CoordinateRule, { parse }: SourceDefinition): ShapeMistake[] {
  return [
    ...[rule.crs].flat().flatMap(crsMistakes),
    ...pointMistakes(rule, parse.format),
    ...refusals([
      [
        rule.decimal !== undefined && rule.decimal === rule.group,
        'coordinates.group',
        'must differ from decimal',
      ],
      [
        !isBox(rule.bbox ?? [-180, -90, 180, 90]),
        'coordinates.bbox',
        'must be west, south, east, north in degrees, the smaller before the larger',
      ],
    ]),
  ]
}

function crsMistakes(crs: string): ShapeMistake[] {
  if (KNOWN_CRS.includes(crs)) return []
  const meant = nearest(crs, KNOWN_CRS)
  const hint = meant ? `, did you mean ${meant}?` : ''
  const reason = `${crs} is not known${hint}; known are ${KNOWN_CRS.join(', ')}`
  return [{ path: 'coordinates.crs', reason }]
}

function pointMistakes(rule: CoordinateRule, format: string): ShapeMistake[] {
  const { geometry, column } = rule
  const given = [rule.x, rule.y].filter((side) => side !== undefined).length
  const isElsewhere = geometry !== undefined && geometry !== format
  return refusals([
    [given === 1, 'coordinates', 'needs both x and y'],
    [given > 0 === (geometry !== undefined), 'coordinates', 'needs either x and y, or geometry'],
    [
      column !== undefined && geometry === undefined,
      'coordinates.column',
      'goes with geometry only',
    ],
    [
      isElsewhere && column === undefined,
      'coordinates.column',
      `is missing; ${geometry} must be read from a column where the format is ${format}`,
    ],
  ])
}

function isBox([west = 0, south = 0, east = 0, north = 0]: readonly number[]): boolean {
  const isOrdered = west < east && south < north
  return isOrdered && west >= -180 && east <= 180 && south >= -90 && north <= 90
}
