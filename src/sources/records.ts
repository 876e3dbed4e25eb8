import type { SourceDefinition } from '../domain/definition.ts'
import type { RecordRow } from '../domain/row.ts'
import type { Content } from './content.ts'
import { listParser } from './parse-json.ts'
import { xmlParser } from './parse-xml.ts'
import { parseText } from './push-parser.ts'
import { recordsPathOf } from './records-path.ts'
import { textOf } from './text.ts'

/** The records of the documents of a source, one after the other. */
export async function* recordRows(
  definition: SourceDefinition,
  contents: readonly Content[],
): AsyncGenerator<RecordRow[]> {
  const { parse } = definition
  for (const content of contents) {
    const text = textOf(definition, content)
    if (parse.format === 'xml') {
      yield* parseText(text, xmlParser(parse.record_path ?? '//row'))
      continue
    }
    const toRow = recordMaker(definition)
    for await (const records of parseText(text, listParser(recordsPathOf(definition))))
      yield records.map(toRow)
  }
}

type JsonObject = Record<string, unknown>

function recordMaker({ parse }: SourceDefinition): (record: unknown) => RecordRow {
  if (parse.format === 'geojson') {
    return (record) => ({
      fields: objectOf(objectOf(record).properties),
      geometry: objectOf(record).geometry ?? null,
    })
  }
  if (parse.format === 'esri') {
    return (record) => ({
      fields: objectOf(objectOf(record).attributes),
      geometry: objectOf(record).geometry ?? null,
    })
  }
  const steps = parse.value_path?.split('.')
  if (!steps) return (record) => ({ fields: objectOf(record) })
  return (record) => ({
    fields: Object.fromEntries(
      Object.entries(objectOf(record)).map(([name, value]) => [name, valueAt(value, steps)]),
    ),
  })
}

/** A record that is a list has its positions for names; anything else that is no object has no fields at all. */
function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function valueAt(value: unknown, steps: readonly string[]): unknown {
  let current = value
  for (const step of steps) current = objectOf(current)[step]
  return current ?? null
}
