import Type from 'typebox'
import { TerritoryCode } from './territory.ts'

/**
 * A source definition (sources.md): how one published register is fetched, read and mapped.
 * The schema refuses unknown options everywhere, so that a misspelt one never goes unnoticed.
 */
const strict = <P extends Type.TProperties>(properties: P, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** A column: a name, alternatives (first present wins), a position, or a path into a nested record. */
const ColumnName = Type.String({ minLength: 1 })
const ColumnIndex = strict({ index: Type.Integer({ minimum: 0 }) })
const ColumnPath = strict({ path: Type.String({ minLength: 1 }) })
const SingleColumn = Type.Union([ColumnName, ColumnIndex, ColumnPath])
export type SingleColumn = Type.Static<typeof SingleColumn>
export const Column = Type.Union([SingleColumn, Type.Array(SingleColumn, { minItems: 1 })])
export type Column = Type.Static<typeof Column>

const Fallback = Type.Union([
  strict({ const: Type.String() }),
  strict({ template: Type.String({ minLength: 1 }) }),
  strict({ from: Column }),
])

/** How one text field is made: exactly one of from, template, const, from_postal_code. */
export const FieldRule = strict({
  from: Type.Optional(Type.Union([Column, Type.Null()])),
  template: Type.Optional(Type.String({ minLength: 1 })),
  const: Type.Optional(Type.String()),
  from_postal_code: Type.Optional(Type.Literal(true)),
  /** Several columns become one value joined by this text (owner_name: several holders). */
  join: Type.Optional(Type.String()),
  sort: Type.Optional(Type.Boolean()),
  pad: Type.Optional(Type.Integer({ minimum: 1, maximum: 40 })),
  upper: Type.Optional(Type.Boolean()),
  replace: Type.Optional(strict({ regex: Type.String({ minLength: 1 }), to: Type.String() })),
  null_tokens: Type.Optional(Type.Array(Type.String())),
  province_prefixes: Type.Optional(
    Type.Array(Type.String({ pattern: '^[0-9]{2}$' }), { minItems: 1 }),
  ),
  fallback: Type.Optional(Fallback),
})
export type FieldRule = Type.Static<typeof FieldRule>

const StateValues = Type.Array(Type.String())
export const ActiveRule = Type.Union([
  strict({ const: Type.Boolean() }),
  strict({ from: Column, true: StateValues, false: StateValues }),
  strict({ end_date: Column, format: Type.String({ minLength: 1 }) }),
])
export type ActiveRule = Type.Static<typeof ActiveRule>

export const ModifiedRule = Type.Union([
  strict({ http_header: Type.String({ minLength: 1 }) }),
  strict({ metadata: Type.Literal(true) }),
  strict({ from: Column, format: Type.String({ minLength: 1 }) }),
])
export type ModifiedRule = Type.Static<typeof ModifiedRule>

const Crs = Type.String({ pattern: '^EPSG:[0-9]{4,6}$' })
const GEOMETRIES = ['geojson', 'esri', 'wkt', 'lat_lng_text', 'lng_lat_text'] as const
export const CoordinateRule = strict({
  crs: Type.Union([Crs, Type.Array(Crs, { minItems: 1 })]),
  x: Type.Optional(Column),
  y: Type.Optional(Column),
  geometry: Type.Optional(Type.Enum([...GEOMETRIES])),
  column: Type.Optional(Column),
  decimal: Type.Optional(Type.String({ minLength: 1, maxLength: 1 })),
  group: Type.Optional(Type.String({ minLength: 1, maxLength: 1 })),
  /** west, south, east, north in degrees */
  bbox: Type.Optional(Type.Array(Type.Number(), { minItems: 4, maxItems: 4 })),
  swap_if_outside: Type.Optional(Type.Boolean()),
})
export type CoordinateRule = Type.Static<typeof CoordinateRule>

export const Filter = strict({
  column: Column,
  op: Type.Union([
    Type.Literal('eq'),
    Type.Literal('in'),
    Type.Literal('starts_with'),
    Type.Literal('regex'),
    Type.Literal('not_empty'),
  ]),
  value: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
})
export type Filter = Type.Static<typeof Filter>

const FETCH_KINDS = [
  'file',
  'http',
  'socrata',
  'opendatasoft',
  'ckan',
  'arcgis',
  'paged_json',
] as const
export const Fetch = strict({
  kind: Type.Enum([...FETCH_KINDS]),
  url: Type.Optional(Type.String({ minLength: 1 })),
  path: Type.Optional(Type.String({ minLength: 1 })),
  discovery: Type.Optional(
    strict({
      url: Type.String({ minLength: 1 }),
      pattern: Type.String({ minLength: 1 }),
      pick: Type.Union([Type.Literal('first'), Type.Literal('last')]),
    }),
  ),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  query: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
  ca_file: Type.Optional(Type.String({ minLength: 1 })),
  timeout_s: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 3600 })),
  retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  max_bytes: Type.Optional(Type.Integer({ minimum: 1 })),
  unzip: Type.Optional(strict({ entry: Type.String({ minLength: 1 }) })),
  page: Type.Optional(
    strict({
      size: Type.Optional(Type.Integer({ minimum: 1, maximum: 50_000 })),
      order: Type.Optional(Type.String({ minLength: 1 })),
      offset_param: Type.Optional(Type.String({ minLength: 1 })),
      limit_param: Type.Optional(Type.String({ minLength: 1 })),
      total_path: Type.Optional(Type.String({ minLength: 1 })),
      max_pages: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
  ),
})
export type Fetch = Type.Static<typeof Fetch>

const ENCODINGS = ['auto', 'utf-8', 'iso-8859-1', 'windows-1252', 'utf-16le'] as const
export const Decode = strict({
  encoding: Type.Enum([...ENCODINGS]),
  jsonp: Type.Optional(Type.Boolean()),
  html_entities: Type.Optional(Type.Boolean()),
  repair_mojibake: Type.Optional(Type.Boolean()),
})
export type Decode = Type.Static<typeof Decode>

const FORMATS = ['csv', 'json', 'geojson', 'esri', 'xml', 'xlsx'] as const
export const Parse = strict({
  format: Type.Enum([...FORMATS]),
  delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 1 })),
  quote: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 1 }), Type.Null()])),
  header: Type.Optional(
    Type.Union([Type.Literal(true), Type.Array(Type.String(), { minItems: 1 })]),
  ),
  skip_lines: Type.Optional(Type.Integer({ minimum: 0 })),
  short_rows: Type.Optional(Type.Union([Type.Literal('pad'), Type.Literal('reject')])),
  final_newline: Type.Optional(Type.Union([Type.Literal('required'), Type.Literal('optional')])),
  records_path: Type.Optional(Type.String({ minLength: 1 })),
  value_path: Type.Optional(Type.String({ minLength: 1 })),
  record_path: Type.Optional(Type.String({ minLength: 1 })),
  sheet: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.String({ minLength: 1 })])),
  header_row: Type.Optional(Type.Integer({ minimum: 1 })),
})
export type Parse = Type.Static<typeof Parse>

const Ratio = Type.Number({ minimum: 0, maximum: 1 })
export const Guards = strict({
  min_rows: Type.Optional(Type.Integer({ minimum: 0 })),
  max_removed_ratio: Type.Optional(Ratio),
  max_relocated_ratio: Type.Optional(Ratio),
  max_growth_ratio: Type.Optional(Type.Number({ minimum: 0 })),
  floor: Type.Optional(Type.Integer({ minimum: 0 })),
  max_rejected_ratio: Type.Optional(Ratio),
})
export type Guards = Type.Static<typeof Guards>

const Duplicates = strict({
  identical: Type.Optional(Type.Literal('merge')),
  conflicting: Type.Optional(
    Type.Union([
      Type.Literal('error'),
      Type.Literal('first'),
      Type.Literal('last'),
      strict({ prefer: Column, order: Type.Union([Type.Literal('max'), Type.Literal('min')]) }),
    ]),
  ),
})
export type Duplicates = Type.Static<typeof Duplicates>

export const SourceDefinition = strict({
  slug: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 80 }),
  territory: Type.Optional(TerritoryCode),
  territory_from: Type.Optional(
    strict({
      column: Column,
      map: Type.Record(Type.String(), TerritoryCode, { minProperties: 1 }),
    }),
  ),
  official: strict({
    name: Type.String({ minLength: 1 }),
    url: Type.String({ minLength: 1 }),
    licence: Type.Optional(Type.String({ minLength: 1 })),
  }),
  enabled: Type.Optional(Type.Boolean()),
  schedule: Type.String({ minLength: 1 }),
  fetch: Fetch,
  decode: Decode,
  parse: Parse,
  filter: Type.Optional(Type.Array(Filter)),
  null_tokens: Type.Optional(Type.Array(Type.String())),
  map: strict({
    external_id: FieldRule,
    name: FieldRule,
    address_line: Type.Optional(FieldRule),
    postal_code: Type.Optional(FieldRule),
    city: Type.Optional(FieldRule),
    province: Type.Optional(FieldRule),
    owner_name: Type.Optional(FieldRule),
    cnn_code: Type.Optional(FieldRule),
    is_active: ActiveRule,
    official_last_modified_at: Type.Optional(ModifiedRule),
  }),
  coordinates: Type.Union([CoordinateRule, Type.Null()]),
  duplicates: Type.Optional(Duplicates),
  guards: Type.Optional(Guards),
  version: Type.Integer({ minimum: 1 }),
})

/** A definition as read from its file; `file` is that file's absolute path (relative paths start there). */
export type SourceDefinition = Type.Static<typeof SourceDefinition> & { readonly file: string }

/** The territories a definition covers: its own, or every value of its territory map. */
export function territoriesOf(
  definition: Pick<SourceDefinition, 'territory' | 'territory_from'>,
): string[] {
  if (definition.territory_from)
    return [...new Set(Object.values(definition.territory_from.map))].sort()
  return definition.territory ? [definition.territory] : []
}

/** Whether the same bytes may say something else on a later day: an end date that is still to come passes. */
export function isJudgedByDate({ map }: Pick<SourceDefinition, 'map'>): boolean {
  return 'end_date' in map.is_active
}
