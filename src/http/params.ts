import Type from 'typebox'
import { EVENT_TYPES, type EventType } from '../domain/event.ts'
import type { TerritoryCode } from '../domain/territory.ts'
import type { Instant } from '../domain/time.ts'

/**
 * Ready-made parameter schemas. Each is the JSON Schema of the *parsed* value (so `Type.Static` is its type and
 * OpenAPI its documentation) plus one keyword of our own, `x-kind`, that tells http/validate.ts how the text of
 * the request is read. A plain schema is required, unless it has a default; `Type.Optional(…)` may be absent.
 *
 *   Type.Object({ since: instantParam('…'), to: Type.Optional(instantParam('…')), limit: integerParam({ … }) })
 */
export type ParamKind =
  | 'instant'
  | 'csv-territories'
  | 'csv-event-types'
  | 'territory'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'text'
  | 'choice'
  | 'cursor'
  | 'time-zone'

/** The keywords of a parameter schema that reading and documenting need. */
export interface ParamSchema {
  'x-kind': ParamKind
  description?: string
  default?: unknown
  enum?: readonly string[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  maxLength?: number
}

export const MAX_LIST = 100
export const MAX_TEXT = 200
export const MAX_CURSOR = 1000
/** `days` of every window; a hundred years and one day */
const MAX_DAYS = 36_500
/** Half the circumference of the earth in metres: a larger radius means nothing. */
const MAX_RADIUS_METERS = 20_037_508

const param = <Parsed>(kind: ParamKind, schema: Record<string, unknown>) =>
  Type.Unsafe<Parsed>({ ...schema, 'x-kind': kind })

export const instantParam = (description: string) =>
  param<Instant>('instant', {
    type: 'string',
    format: 'date-time',
    description: `${description} ISO 8601 UTC with date, time and zone.`,
    examples: ['2026-01-31T00:00:00Z'],
  })

export const territoriesParam = (
  description = 'Only these territories: comma-separated ES-XX codes, at most 100.',
) =>
  param<TerritoryCode[]>('csv-territories', {
    type: 'array',
    items: { type: 'string', pattern: '^ES-[A-Z]{2}$' },
    minItems: 1,
    maxItems: MAX_LIST,
    description,
    examples: [['ES-MD', 'ES-CT']],
  })

export const eventTypesParam = (
  description = 'Only these kinds of event: a comma-separated list.',
) =>
  param<EventType[]>('csv-event-types', {
    type: 'array',
    items: { type: 'string', enum: EVENT_TYPES },
    minItems: 1,
    maxItems: MAX_LIST,
    description,
    examples: [['opened', 'relocated']],
  })

/** One territory, in the query. */
export const territoryParam = (description: string) =>
  param<TerritoryCode>('territory', {
    type: 'string',
    pattern: '^ES-[A-Z]{2}$',
    description,
    examples: ['ES-MD'],
  })

export const territoryPathParam = () => territoryParam('Territory code of the form ES-XX.')

export const externalIdPathParam = () =>
  textParam('Identifier of the pharmacy within its territory; text, leading zeros kept.')

interface IntegerBounds {
  min: number
  max: number
  default?: number
  description: string
}

export const integerParam = (bounds: IntegerBounds) =>
  param<number>('integer', {
    type: 'integer',
    minimum: bounds.min,
    maximum: bounds.max,
    description: bounds.description,
    ...withDefault(bounds.default),
  })

export const limitParam = (bounds: { default: number; max: number }) =>
  integerParam({ min: 1, ...bounds, description: 'Number of items on a page.' })

export const daysParam = (description: string) =>
  integerParam({ min: 1, max: MAX_DAYS, description })

interface NumberBounds {
  min?: number
  max?: number
  exclusiveMin?: number
  description: string
}

export const numberParam = (bounds: NumberBounds) =>
  param<number>('number', {
    type: 'number',
    ...(bounds.min === undefined ? {} : { minimum: bounds.min }),
    ...(bounds.exclusiveMin === undefined ? {} : { exclusiveMinimum: bounds.exclusiveMin }),
    ...(bounds.max === undefined ? {} : { maximum: bounds.max }),
    description: bounds.description,
  })

export const latitudeParam = (description: string) =>
  numberParam({ min: -90, max: 90, description })

export const longitudeParam = (description: string) =>
  numberParam({ min: -180, max: 180, description })

export const radiusParam = (description: string) =>
  numberParam({ exclusiveMin: 0, max: MAX_RADIUS_METERS, description })

export const booleanParam = (byDefault: boolean, description: string) =>
  param<boolean>('boolean', { type: 'boolean', default: byDefault, description })

export const textParam = (description: string, maxLength = MAX_TEXT) =>
  param<string>('text', { type: 'string', minLength: 1, maxLength, pattern: TEXT, description })

/** No control characters, and something besides blanks. */
const TEXT = '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$'

/** One of a closed set; without a default it is required or `Type.Optional`. */
export const choiceParam = <const Values extends readonly string[]>(
  values: Values,
  more: { default?: Values[number]; description: string },
) =>
  param<Values[number]>('choice', {
    type: 'string',
    enum: values,
    description: more.description,
    ...withDefault(more.default),
  })

/** The opaque cursor of listings; `/changes` uses `integerParam` instead (spec 4.5). */
export const cursorParam = () =>
  param<string>('cursor', {
    type: 'string',
    pattern: '^[A-Za-z0-9_-]+$',
    maxLength: MAX_CURSOR,
    description: 'next_cursor of the page before, sent with the same parameters; limit may change.',
  })

export const timeZoneParam = (description: string) =>
  param<string>('time-zone', {
    type: 'string',
    maxLength: 64,
    description,
    examples: ['Europe/Madrid'],
  })

function withDefault(value: unknown): { default?: unknown } {
  return value === undefined ? {} : { default: value }
}
