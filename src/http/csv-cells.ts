import { EXPORT_COLUMNS, type Pharmacy } from '../domain/pharmacy.ts'

/** One for each of EXPORT_COLUMNS. */
export type Cells = string[]

/** What is shown of a text. */
export type OfText = (text: string) => string

const LEADS = EXPORT_COLUMNS.map((column, at) => `${at === 0 ? '{' : ','}"${column}":`)
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const BRACE = 0x7d

/**
 * The cells of records, given as JSON with a comma between them: texts as `ofText` makes them, numbers and booleans as
 * JSON writes them, null empty. Quick where each has just its columns in their order and no text is escaped.
 *
 * Through JSON.parse and String an export leaves some fifty megabytes of short texts and numbers among what the engine
 * takes for long-lived, since it makes those to be found again.
 */
export function cellsIn(json: string, ofText: OfText): Cells[] {
  return (json.includes('\\') ? null : plainCells(json, ofText)) ?? parsedCells(json, ofText)
}

/** Null where it does not look as expected. */
function plainCells(json: string, ofText: OfText): Cells[] | null {
  const rows: Cells[] = []
  for (let at = 0; at < json.length; ) {
    const cells: Cells = []
    const end = readRecord(json, at, { cells, ofText })
    if (end < 0 || !isBetween(json, end)) return null
    rows.push(cells)
    at = end + BETWEEN.length
  }
  return rows
}

const BETWEEN = '},'

/** Whether a record ends here, and another begins or nothing follows. */
function isBetween(json: string, at: number): boolean {
  return json.startsWith(BETWEEN, at) || (at === json.length - 1 && json.charCodeAt(at) === BRACE)
}

/** Where the last value ends, or -1. */
function readRecord(
  json: string,
  start: number,
  { cells, ofText }: { cells: Cells; ofText: OfText },
): number {
  let at = start
  for (const lead of LEADS) {
    const from = at + lead.length
    const end = json.startsWith(lead, at) ? endOfValue(json, from) : -1
    if (end < 0) return -1
    cells.push(cellOf(json, { start: from, end }, ofText))
    at = end
  }
  return at
}

function cellOf(
  json: string,
  { start, end }: { start: number; end: number },
  ofText: OfText,
): string {
  if (json.charCodeAt(start) === QUOTE) return ofText(json.slice(start + 1, end - 1))
  const literal = json.slice(start, end)
  if (literal === 'null') return ''
  // A version that was ended is stored anew by Elasticsearch, which writes small numbers in its own way: -5.12E-4.
  return literal.includes('E') ? String(Number(literal)) : literal
}

/** Behind the last character, or -1. */
function endOfValue(json: string, start: number): number {
  if (json.charCodeAt(start) === QUOTE) return json.indexOf('"', start + 1) + 1 || -1
  for (let at = start; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === COMMA || code === BRACE) return at
    if (code <= SPACE) return -1
  }
  return -1
}

function parsedCells(json: string, ofText: OfText): Cells[] {
  const records = JSON.parse(`[${json}]`) as Pharmacy[]
  return records.map((record) =>
    EXPORT_COLUMNS.map((column) => {
      const value = record[column]
      return typeof value === 'string' ? ofText(value) : String(value ?? '')
    }),
  )
}
