/** The part of JSON Schema that the service's schemas use. */
export interface Schema {
  type?: string
  description?: string
  default?: unknown
  enum?: readonly (string | number)[]
  const?: unknown
  format?: string
  pattern?: string
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
}

/** The type of a value in words, with its bounds: "integer, 1 to 5000", "string or null". */
export function typeOf(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ')
  if (schema.type === 'array') return listOf(schema)
  if (schema.format === 'date-time') return 'datetime'
  return `${schema.type ?? 'any'}${bounds(schema)}`
}

function listOf({ items, maxItems }: Schema): string {
  if (items?.properties) return 'array of objects'
  return `list of ${items ? typeOf(items) : 'any'}${maxItems === undefined ? '' : `, at most ${maxItems}`}`
}

function bounds({ minimum, exclusiveMinimum, maximum, maxLength, pattern }: Schema): string {
  if (pattern === '^ES-[A-Z]{2}$') return ' ES-XX'
  if (maxLength !== undefined) return `, at most ${maxLength} characters`
  const from =
    minimum ?? (exclusiveMinimum === undefined ? undefined : `more than ${exclusiveMinimum}`)
  if (from !== undefined && maximum !== undefined) return `, ${from} to ${maximum}`
  return from === undefined ? '' : `, ${from} or more`
}

interface FieldRow {
  name: string
  type: string
  description: string
}

/** Every field of an answer with its path: `items[].old.city`. */
export function fieldRows(schema: Schema, at = ''): FieldRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${at}${name}`
    const isOptional = !(schema.required ?? []).includes(name)
    const type = `${typeOf(field)}${isOptional ? ', may be absent' : ''}`
    return [{ name: path, type, description: field.description ?? '' }, ...inside(field, path)]
  })
}

function inside(field: Schema, path: string): FieldRow[] {
  const shapes = field.anyOf ?? [field]
  return shapes.flatMap((shape) => {
    if (shape.type === 'array' && shape.items) return inside(shape.items, `${path}[]`)
    return shape.properties ? fieldRows(shape, `${path}.`) : []
  })
}
