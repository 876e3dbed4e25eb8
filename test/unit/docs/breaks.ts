interface Schema {
  type?: string
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  default?: unknown
}

interface Parameter {
  name: string
  in: string
  required: boolean
  schema: Schema
}

interface Operation {
  parameters: Parameter[]
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** What in a newer OpenAPI document would break a caller that was written for the older one. */
export function breaks(older: object, newer: object): string[] {
  const before = operationsOf(older)
  const now = operationsOf(newer)
  return [...before].flatMap(([path, operation]) => {
    const same = now.get(path)
    if (!same) return [`GET ${path} is gone`]
    return [...ofParameters(operation, same), ...ofAnswer(operation, same)].map(
      (broken) => `GET ${path}: ${broken}`,
    )
  })
}

function operationsOf(document: object): Map<string, Operation> {
  const { paths } = document as { paths: Record<string, { get: Operation }> }
  return new Map(Object.entries(paths).map(([path, { get }]) => [path, get]))
}

function ofParameters(before: Operation, now: Operation): string[] {
  const gone = before.parameters.flatMap((parameter) => {
    const same = now.parameters.find(
      ({ name, in: where }) => name === parameter.name && where === parameter.in,
    )
    if (!same) return [`parameter ${parameter.name} is gone`]
    return ofParameter(parameter, same).map((broken) => `parameter ${parameter.name}${broken}`)
  })
  const demanded = now.parameters
    .filter(({ required, name }) => required && !before.parameters.some((one) => one.name === name))
    .map(({ name }) => `parameter ${name} is required now`)
  return [...gone, ...demanded]
}

function ofParameter(before: Parameter, now: Parameter): string[] {
  const broken: string[] = []
  if (now.required && !before.required) broken.push(' is required now')
  if (typesOf(before.schema) !== typesOf(now.schema)) {
    broken.push(` was ${typesOf(before.schema)}, is ${typesOf(now.schema)}`)
  }
  if (before.schema.default !== now.schema.default) {
    broken.push(`: default was ${before.schema.default}, is ${now.schema.default}`)
  }
  for (const bound of ['maximum', 'maxLength', 'maxItems'] as const) {
    const [old, next] = [before.schema[bound], now.schema[bound]]
    if (next !== undefined && (old === undefined || next < old)) {
      broken.push(`: ${bound} was ${old}, is ${next}`)
    }
  }
  const lost = (before.schema.enum ?? []).filter((value) => !now.schema.enum?.includes(value))
  return [...broken, ...lost.map((value) => ` does not take ${value} any more`)]
}

function ofAnswer(before: Operation, now: Operation): string[] {
  return Object.entries(before.responses['200']?.content ?? {}).flatMap(([type, { schema }]) => {
    const same = now.responses['200']?.content?.[type]
    return same ? ofSchema(schema, same.schema, '') : [`${type} is not answered any more`]
  })
}

function ofSchema(before: Schema, now: Schema, at: string): string[] {
  if (typesOf(before) !== typesOf(now)) {
    return [`${at} was ${typesOf(before)}, is ${typesOf(now)}`]
  }
  const added = (now.enum ?? []).filter((value) => !before.enum?.includes(value))
  return [
    ...added.map((value) => `${at} may be ${value} now`),
    ...ofProperties(before, now, at),
    ...(before.items && now.items ? ofSchema(before.items, now.items, `${at}[]`) : []),
    ...(before.anyOf ?? []).flatMap((shape, index) =>
      ofSchema(shape, now.anyOf?.[index] ?? {}, at),
    ),
  ]
}

function ofProperties(before: Schema, now: Schema, at: string): string[] {
  return Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
    const path = at === '' ? name : `${at}.${name}`
    const same = now.properties?.[name]
    if (!same) return [`${path} is gone`]
    const wasSure = before.required?.includes(name) ?? false
    const isSure = now.required?.includes(name) ?? false
    return [
      ...(wasSure && !isSure ? [`${path} may be absent now`] : []),
      ...ofSchema(schema, same, path),
    ]
  })
}

function typesOf(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(typesOf).sort().join(' or ')
  if (schema.type) return schema.type
  return schema.enum || schema.const !== undefined ? 'string' : 'any'
}
