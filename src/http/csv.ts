import { createArrayCsvStringifier } from 'csv-writer'
import { createByteWriter } from '../domain/byte-writer.ts'
import { EXPORT_COLUMNS } from '../domain/pharmacy.ts'
import { type RecordJson, textOf } from '../store/dataset.ts'
import { type Cells, cellsIn } from './csv-cells.ts'
import { copySpan, type WriteBatch, writtenOf } from './export-parts.ts'
import { writeList } from './list-body.ts'

const FORM = { header: EXPORT_COLUMNS, recordDelimiter: '\r\n' } as const
const plain = createArrayCsvStringifier(FORM)
const quoted = createArrayCsvStringifier({ ...FORM, alwaysQuote: true })

const BOM = '\uFEFF'
/** What makes a spreadsheet run a cell as a formula. */
const FORMULA_START = /^[=+\-@\t\r]/

export const CSV_CONTENT_TYPE = 'text/csv; charset=utf-8'

/**
 * Pharmacies as RFC 4180 text: CRLF, null empty, values verbatim, the header first even when nothing follows.
 * `spreadsheet` adds a byte order mark and an apostrophe before text that a spreadsheet would run as a formula;
 * numbers stay numbers.
 */
export function csvChunks(
  batches: AsyncIterable<readonly RecordJson[]>,
  options: { spreadsheet: boolean },
): AsyncGenerator<Uint8Array> {
  const head = plain.getHeaderString() ?? ''
  const ofText = options.spreadsheet ? neutralised : verbatim
  const list = createByteWriter()
  const writeRows: WriteBatch = (out, batch) => {
    list.clear()
    writeList(list, batch, copySpan)
    const json = list.bytes().toString()
    // A text with an escape costs its own record the quick way, and no other.
    const rows = json.includes('\\')
      ? batch.flatMap((record) => cellsIn(textOf(record), ofText))
      : cellsIn(json, ofText)
    out.write(csvRows(rows, { mayHaveReturn: RETURN_IN_JSON.test(json) }))
  }
  return writtenOf(batches, writeRows, { head: options.spreadsheet ? BOM + head : head })
}

/** However it is escaped; a backslash before it only makes the answer a careful one. */
const RETURN_IN_JSON = /\\(?:r|u000d)/i

function csvRows(rows: readonly Cells[], { mayHaveReturn }: { mayHaveReturn: boolean }): string {
  if (!mayHaveReturn || !rows.some(hasLoneReturn)) return plain.stringifyRecords(rows)
  return rows.map((row) => (hasLoneReturn(row) ? quoted : plain).stringifyRecords([row])).join('')
}

/** csv-writer quotes for LF, comma and quote, not for CR: such a row is written with every cell quoted. */
function hasLoneReturn(row: Cells): boolean {
  return row.some((cell) => cell.includes('\r'))
}

const verbatim = (text: string) => text

function neutralised(text: string): string {
  return FORMULA_START.test(text) ? `'${text}` : text
}
