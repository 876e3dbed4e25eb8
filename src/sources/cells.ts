import { decode as decodeEntities } from 'html-entities'
import type { Decode } from '../domain/definition.ts'
import type { RecordRow, Row, TableRow } from '../domain/row.ts'

/**
 * What the definition asks to be put right in every text before it is read; null when it asks for nothing. Text that
 * was encoded twice is left to whoever reads the mapped cells, who also counts it.
 */
export function rowMender(decode: Decode): ((row: Row) => Row) | null {
  if (!decode.html_entities) return null
  const mend = (text: string) => (text.includes('&') ? decodeEntities(text) : text)
  return (row) =>
    isTable(row)
      ? row.map(mend)
      : { ...row, fields: mendDeep(row.fields, mend) as RecordRow['fields'] }
}

function isTable(row: Row): row is TableRow {
  return Array.isArray(row)
}

function mendDeep(value: unknown, mend: (text: string) => string): unknown {
  if (typeof value === 'string') return mend(value)
  if (Array.isArray(value)) return value.map((item) => mendDeep(item, mend))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mendDeep(item, mend)]))
}
