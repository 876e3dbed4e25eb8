import { isUtf8 } from 'node:buffer'
import { decode as decodeEntities } from 'html-entities'
import type { Decode } from '../domain/definition.ts'
import type { RecordRow, Row, TableRow } from '../domain/row.ts'
import { encodeWindows1252 } from './windows-1252.ts'

/** What the definition asks to be put right in every text, once; null when it asks for nothing. */
export function rowMender(decode: Decode): ((row: Row) => Row) | null {
  const steps: ((text: string) => string)[] = []
  if (decode.html_entities) steps.push((text) => (text.includes('&') ? decodeEntities(text) : text))
  if (decode.repair_mojibake) steps.push(repairMojibake)
  if (steps.length === 0) return null
  const mend = (text: string) => steps.reduce((value, step) => step(value), text)
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

/** A lead byte of UTF-8 read as a Latin letter, followed by what its next byte looks like. */
const SUSPECT =
  /[\u00C2-\u00F4][\u0080-\u00BF\u0152\u0153\u0160\u0161\u0178\u017D\u017E\u0192\u02C6\u02DC\u2013-\u203A\u20AC\u2122]/

/** Undoes one reading of UTF-8 as Windows-1252, where the whole text bears it out. */
export function repairMojibake(text: string): string {
  if (!SUSPECT.test(text)) return text
  const bytes = encodeWindows1252(text)
  return bytes && isUtf8(bytes) ? bytes.toString('utf8') : text
}
