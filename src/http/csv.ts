import { createObjectCsvStringifier } from 'csv-writer'
import { createByteWriter } from '../domain/byte-writer.ts'
import { EXPORT_COLUMNS, type Pharmacy } from '../domain/pharmacy.ts'
import type { RecordJson } from '../store/pharmacies.ts'
import { copyRecord, roomFor } from './export-parts.ts'
import { writeList } from './list-body.ts'

type Row = Record<string, string | number | boolean | null>

const header = EXPORT_COLUMNS.map((column) => ({ id: column, title: column }))
const plain = createObjectCsvStringifier<Row>({ header, recordDelimiter: '\r\n' })
const quoted = createObjectCsvStringifier<Row>({
  header,
  recordDelimiter: '\r\n',
  alwaysQuote: true,
})

const BOM = '\uFEFF'
/** What makes a spreadsheet run a cell as a formula. */
const FORMULA_START = /^[=+\-@\t\r]/

export const CSV_CONTENT_TYPE = 'text/csv; charset=utf-8'

/**
 * Pharmacies as RFC 4180 text: CRLF, null empty, values verbatim, the header first even when nothing follows.
 * `spreadsheet` adds a byte order mark and an apostrophe before text that a spreadsheet would run as a formula;
 * numbers stay numbers. One chunk for some hundred rows.
 */
export async function* csvChunks(
  batches: AsyncIterable<readonly RecordJson[]>,
  options: { spreadsheet: boolean },
): AsyncGenerator<string> {
  const head = plain.getHeaderString() ?? ''
  yield options.spreadsheet ? BOM + head : head
  for await (const batch of batches) {
    for (let at = 0; at < batch.length; at += ROWS_AT_ONCE) {
      const { records, mayHaveReturn } = recordsIn(batch.slice(at, at + ROWS_AT_ONCE))
      const rows = options.spreadsheet ? records.map(neutralised) : records
      yield csvRows(rows, mayHaveReturn)
    }
  }
}

/** As many as are forgotten again before the engine looks which of them live. */
const ROWS_AT_ONCE = 500

/** All of a batch in one go: reading them one by one costs half as much again, and so does looking at every cell. */
function recordsIn(batch: readonly RecordJson[]): { records: Pharmacy[]; mayHaveReturn: boolean } {
  const list = createByteWriter(roomFor(batch))
  list.write('[')
  writeList(list, batch, copyRecord)
  list.write(']')
  const text = list.bytes().toString()
  return { records: JSON.parse(text) as Pharmacy[], mayHaveReturn: RETURN_IN_JSON.test(text) }
}

/** However it is escaped; a backslash before it only makes the answer a careful one. */
const RETURN_IN_JSON = /\\(?:r|u000d)/i

function csvRows(rows: readonly Row[], mayHaveReturn: boolean): string {
  if (!mayHaveReturn || !rows.some(hasLoneReturn)) return plain.stringifyRecords(rows)
  return rows.map((row) => (hasLoneReturn(row) ? quoted : plain).stringifyRecords([row])).join('')
}

/** csv-writer quotes for LF, comma and quote, not for CR: such a row is written with every cell quoted. */
function hasLoneReturn(row: Row): boolean {
  for (const column of EXPORT_COLUMNS) {
    const value = row[column]
    if (typeof value === 'string' && value.includes('\r')) return true
  }
  return false
}

function neutralised(row: Row): Row {
  return Object.fromEntries(
    EXPORT_COLUMNS.map((column) => {
      const value = row[column] ?? null
      return [column, typeof value === 'string' && FORMULA_START.test(value) ? `'${value}` : value]
    }),
  )
}
