import type Type from 'typebox'
import { type ParameterError, Problem } from '../domain/problem.ts'
import type { ParamSchema } from './params.ts'
import { readValue } from './read-value.ts'
import { suggestName } from './suggest.ts'

/** One parameter as sent; `value` is null when its percent-encoding is not valid UTF-8. */
export interface RawParam {
  name: string
  value: string | null
}

/** Text that looks like an API key; such text is never echoed, wherever a caller put it. */
export const KEY_LIKE = /frk_[a-z0-9]/i

/** Splits a raw query string; an empty piece between two `&` means nothing, `name` alone is an empty value. */
export function readQuery(query: string): RawParam[] {
  if (query === '') return []
  return query
    .split('&')
    .filter((piece) => piece !== '')
    .map((piece) => {
      const equals = piece.indexOf('=')
      const name = equals === -1 ? piece : piece.slice(0, equals)
      const value = equals === -1 ? '' : piece.slice(equals + 1)
      return { name: decodeQuery(name) ?? name, value: decodeQuery(value) }
    })
}

function decodeQuery(text: string): string | null {
  return decodePercent(text.replaceAll('+', ' '))
}

/** Percent-decodes; null when the bytes are not valid UTF-8. Raw bytes, which Node reads as Latin-1, count too. */
export function decodePercent(text: string): string | null {
  if (!/[%\u0080-\u00ff]/.test(text)) return text
  const encoded = text.replace(/[\u0080-\u00ff]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  try {
    return decodeURIComponent(encoded)
  } catch (cause) {
    if (cause instanceof URIError) return null
    throw cause
  }
}

/** Reads the parameters of one endpoint: typed values, or one Problem with every fault of the request. */
export interface Validator {
  read(raw: { path: readonly RawParam[]; query: readonly RawParam[] }): {
    path: Record<string, unknown>
    query: Record<string, unknown>
  }
}

export function buildValidator(pathSchema: Type.TSchema, querySchema: Type.TSchema): Validator {
  const path = paramsOf(pathSchema)
  const query = paramsOf(querySchema)
  return {
    read(raw) {
      const faults: ParameterError[] = []
      const values = {
        path: readAll(path, raw.path, faults),
        query: readAll(query, raw.query, faults),
      }
      if (faults.length > 0) throw invalid(faults)
      return values
    },
  }
}

interface Param {
  schema: ParamSchema
  required: boolean
}
type Params = ReadonlyMap<string, Param>

/** The parameters of an object schema. The one place that looks into TypeBox schemas as JSON Schema. */
export function paramsOf(schema: Type.TSchema): Params {
  const object = schema as {
    properties?: Record<string, ParamSchema>
    required?: readonly string[]
  }
  return new Map(
    Object.entries(object.properties ?? {}).map(([name, param]) => {
      if (param['x-kind'] === undefined) throw new Error(`parameter ${name} has no x-kind`)
      const required = (object.required ?? []).includes(name) && param.default === undefined
      return [name, { schema: param, required }]
    }),
  )
}

function readAll(
  params: Params,
  raw: readonly RawParam[],
  faults: ParameterError[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const sentByName = Map.groupBy(raw, (param) => param.name)
  for (const [name, sent] of sentByName) {
    const param = params.get(name)
    const fault = param ? readOne(param, sent, values) : unknownParam(name, [...params.keys()])
    if (fault) faults.push(fault)
  }
  for (const [name, param] of params) {
    const fault = sentByName.has(name) ? undefined : readAbsent(name, param, values)
    if (fault) faults.push(fault)
  }
  return values
}

function readAbsent(
  parameter: string,
  { schema, required }: Param,
  values: Record<string, unknown>,
): ParameterError | undefined {
  if (schema.default !== undefined) values[parameter] = schema.default
  return required ? { parameter, reason: `is required${form(schema)}` } : undefined
}

function readOne(
  { schema }: Param,
  sent: readonly RawParam[],
  values: Record<string, unknown>,
): ParameterError | undefined {
  const [first] = sent
  if (!first) return undefined
  const parameter = first.name
  if (sent.length > 1) return { parameter, reason: repeated(sent.length, schema) }
  if (first.value === null) {
    return { parameter, reason: 'is not valid percent-encoded UTF-8' }
  }
  const reading = readValue(first.value, schema)
  if ('fault' in reading) return { parameter, ...reading.fault }
  values[parameter] = reading.value
  return undefined
}

function repeated(times: number, schema: ParamSchema): string {
  const list = schema['x-kind'].startsWith('csv-')
  return `was sent ${times} times: send it once${list ? ', with a comma between the values' : ''}`
}

function form(schema: ParamSchema): string {
  return schema['x-kind'] === 'instant' ? ': an instant such as 2026-01-31T00:00:00Z' : ''
}

const LONGEST_ECHO = 60
/** A URL of nothing but unknown names must not grow into an answer of a megabyte. */
const MAX_FAULTS = 100

function unknownParam(name: string, real: readonly string[]): ParameterError {
  const suggestion = suggestName(name.slice(0, LONGEST_ECHO), real)
  return {
    parameter: KEY_LIKE.test(name) ? '(not shown)' : name.slice(0, LONGEST_ECHO),
    reason:
      real.length === 0
        ? 'is unknown: this endpoint takes no parameters here'
        : `is unknown; the parameters here are ${real.join(', ')}`,
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}

function invalid(faults: readonly ParameterError[]): Problem {
  const detail = faults
    .slice(0, 3)
    .map(
      (fault) =>
        `${fault.parameter} ${fault.reason}${fault.suggestion ? `; did you mean ${fault.suggestion}?` : ''}`,
    )
    .join('. ')
  const more = faults.length > 3 ? ` (and ${faults.length - 3} more, see errors)` : ''
  return new Problem('invalid_parameter', `${detail}${more}.`, {
    errors: faults.slice(0, MAX_FAULTS),
  })
}
