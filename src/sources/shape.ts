import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { nearest } from '../domain/nearest.ts'

/** One thing wrong with a document, where it is, and what would be right. */
export interface ShapeMistake {
  /** dotted; empty for the document itself */
  path: string
  reason: string
}

/** The mistakes of those rules that apply: whether it does, where, and what is wrong then. */
export function refusals(
  rules: readonly (readonly [applies: boolean, path: string, reason: string])[],
): ShapeMistake[] {
  return rules.filter(([applies]) => applies).map(([, path, reason]) => ({ path, reason }))
}

/** The parts of JSON Schema that the definition schema is made of. */
interface Shape {
  type?: string
  properties?: Record<string, Shape>
  required?: string[]
  patternProperties?: Record<string, Shape>
  additionalProperties?: unknown
  items?: Shape
  anyOf?: Shape[]
  enum?: (string | number)[]
  const?: unknown
  minItems?: number
  maxItems?: number
  minProperties?: number
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
}

/** Every mistake of a value against a schema, in words for whoever wrote the value; empty when it fits. */
export function shapeMistakes(schema: TSchema, value: unknown): ShapeMistake[] {
  return mistakesOf(schema as Shape, value, '')
}

function mistakesOf(shape: Shape, value: unknown, path: string): ShapeMistake[] {
  if (shape.anyOf) return unionMistakes(shape.anyOf, value, path)
  if (shape.type === 'object') return objectMistakes(shape, value, path)
  if (shape.type === 'array') return arrayMistakes(shape, value, path)
  return fits(shape, value) ? [] : [{ path, reason: valueReason(shape, value) }]
}

function fits(shape: Shape, value: unknown): boolean {
  return Value.Check(shape as TSchema, value)
}

/** Only the alternative that was probably meant is spoken of. */
function unionMistakes(branches: readonly Shape[], value: unknown, path: string): ShapeMistake[] {
  if (branches.some((branch) => fits(branch, value))) return []
  const flat = branches.flatMap((branch) => branch.anyOf ?? [branch])
  const alike = flat.filter(({ type }) => type === typeOf(value))
  const [meant] = alike.sort((a, b) => likeness(b, value) - likeness(a, value))
  if (meant) return mistakesOf(meant, value, path)
  const allowed = flat.map(describe).join(', or ')
  return [{ path, reason: `must be ${allowed}; it is ${show(value)}` }]
}

function likeness(shape: Shape, value: unknown): number {
  if (shape.type !== 'object' || typeof value !== 'object' || value === null) return 0
  return Object.keys(value).filter((key) => Object.hasOwn(shape.properties ?? {}, key)).length
}

function objectMistakes(shape: Shape, value: unknown, path: string): ShapeMistake[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ path, reason: `must be a group of options; it is ${show(value)}` }]
  }
  const { required = [], minProperties = 0 } = shape
  const missing = required.filter((name) => !Object.hasOwn(value, name))
  return [
    ...missing.map((name) => ({ path: join(path, name), reason: 'is missing' })),
    ...Object.entries(value).flatMap(([name, item]) => optionMistakes(shape, item, { path, name })),
    ...refusals([[Object.keys(value).length < minProperties, path, 'must not be empty']]),
  ]
}

function optionMistakes(
  { properties = {}, patternProperties = {} }: Shape,
  value: unknown,
  { path, name }: { path: string; name: string },
): ShapeMistake[] {
  const [any] = Object.values(patternProperties)
  const known = Object.hasOwn(properties, name) ? properties[name] : any
  if (known) return mistakesOf(known, value, join(path, name))
  return [{ path: join(path, name), reason: unknownReason(name, Object.keys(properties)) }]
}

function unknownReason(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return meant
    ? `unknown option, did you mean ${meant}?`
    : `unknown option; known are ${known.join(', ')}`
}

function arrayMistakes(shape: Shape, value: unknown, path: string): ShapeMistake[] {
  if (!Array.isArray(value)) return [{ path, reason: `must be a list; it is ${show(value)}` }]
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = shape
  if (value.length < minItems || value.length > maxItems) {
    const wanted = minItems === maxItems ? `exactly ${minItems}` : `at least ${minItems}`
    return [{ path, reason: `must have ${wanted} entries; it has ${value.length}` }]
  }
  return items
    ? value.flatMap((item: unknown, index) => mistakesOf(items, item, join(path, String(index))))
    : []
}

function valueReason(shape: Shape, value: unknown): string {
  const isText = shape.type === 'string' || shape.enum?.every((item) => typeof item === 'string')
  if (isText && ['number', 'integer', 'boolean'].includes(typeOf(value))) {
    return `must be text: put ${String(value)} in quotes`
  }
  const meant =
    shape.enum && typeof value === 'string' ? nearest(value, shape.enum.map(String)) : undefined
  const hint = meant ? `, did you mean ${meant}?` : ''
  return `must be ${describe(shape)}; it is ${show(value)}${hint}`
}

function describe(shape: Shape): string {
  if (shape.enum) return `one of ${shape.enum.join(', ')}`
  if (shape.const !== undefined) return String(shape.const)
  if (shape.type === 'object') return `a group of ${Object.keys(shape.properties ?? {}).join(', ')}`
  if (shape.type === 'array') return 'a list'
  if (shape.type === 'null') return 'null'
  if (shape.type === 'boolean') return 'true or false'
  return shape.type === 'string' ? describeText(shape) : describeNumber(shape)
}

function describeText({ pattern, minLength, maxLength }: Shape): string {
  if (pattern) return `text of the form ${pattern}`
  if (maxLength === 1) return 'a single character'
  return minLength ? 'text that is not empty' : 'text'
}

function describeNumber({ type, minimum, maximum, exclusiveMinimum }: Shape): string {
  const what = type === 'integer' ? 'a whole number' : 'a number'
  const from = minimum === undefined ? exclusiveMinimum : minimum
  if (from !== undefined && maximum !== undefined) return `${what} from ${from} to ${maximum}`
  return from === undefined ? what : `${what}, at least ${from}`
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
