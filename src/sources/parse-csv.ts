import Papa from 'papaparse'
import type { Parse } from '../domain/definition.ts'
import { LoadFailure } from '../domain/problem.ts'
import type { TableRow } from '../domain/row.ts'
import type { PushParser } from './push-parser.ts'

/** No register has a row of this size: beyond it a quote was opened and never closed. */
const MAX_ROW_CHARS = 4_000_000

interface Parsed {
  data: string[][]
  errors: { code: string; row: number }[]
  meta: { cursor: number }
}

/**
 * Rows of a delimited file, its header row included, blank lines left out. Papa Parse does the reading: several
 * times faster than the alternatives that keep short, long and badly quoted rows apart.
 */
export function csvParser(parse: Parse): PushParser<TableRow> {
  const { quote = '"' } = parse
  const parser = new Papa.Parser({
    delimiter: parse.delimiter ?? ',',
    newline: '\n',
    quoteChar: quote ?? '"',
    // "Fast" means without quoting; left open it is chosen chunk by chunk, where no quote occurs.
    ...(quote === null ? { fastMode: true } : {}),
  })
  const lines = lineReader(parse.skip_lines ?? 0)
  let rest = ''
  let endsInNewline = true
  let fewestCells = Number.POSITIVE_INFINITY

  const take = (text: string, isLast: boolean): TableRow[] => {
    if (text) endsInNewline = text.endsWith('\n')
    const input = rest + text
    const { data, errors, meta } = parser.parse(input, 0, !isLast) as Parsed
    refuseOpenQuotes(data, errors)
    rest = isLast ? '' : input.slice(meta.cursor)
    if (rest.length > MAX_ROW_CHARS) throw openQuote()
    const rows = data.filter(isNotBlank)
    fewestCells = fewest(fewestCells, isLast ? rows.slice(0, -1) : rows)
    return rows
  }

  return {
    write: (text) => take(lines.write(text), false),
    end() {
      const rows = take(lines.end(), true)
      if (!endsInNewline) refuseCutLine(parse, rows.at(-1), fewestCells)
      return rows
    },
  }
}

function fewest(before: number, rows: readonly TableRow[]): number {
  return rows.reduce((least, { length }) => Math.min(least, length), before)
}

/**
 * A last line without a line break may be cut. It is when it lacks cells that every other line has; read as it stands it
 * would bring a shortened value and empty ones, which look like a pharmacy that moved.
 */
function refuseCutLine(
  { final_newline }: Parse,
  last: TableRow | undefined,
  fewestCells: number,
): void {
  const isShort = last !== undefined && Number.isFinite(fewestCells) && last.length < fewestCells
  if (final_newline === 'required' || (isShort && final_newline === undefined)) {
    const what = isShort ? ` and has ${last.length} cells where all others have ${fewestCells}` : ''
    throw new LoadFailure(
      'incomplete_record',
      `The last line does not end in a line break${what}: the file is cut.`,
    )
  }
}

/** Brings the three kinds of line end, also mixed, to one, and leaves the first lines out. */
function lineReader(skipLines: number): { write(text: string): string; end(): string } {
  let toSkip = skipLines
  let held = ''
  const skip = (text: string) => {
    let rest = text
    while (toSkip > 0) {
      const end = rest.indexOf('\n')
      if (end === -1) return ''
      rest = rest.slice(end + 1)
      toSkip -= 1
    }
    return rest
  }
  return {
    write(text) {
      const joined = held + text
      // A carriage return at the end may be the first half of a line end.
      held = joined.endsWith('\r') ? '\r' : ''
      const whole = held ? joined.slice(0, -1) : joined
      return skip(
        whole.includes('\r') ? whole.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : whole,
      )
    },
    end: () => skip(held ? '\n' : ''),
  }
}

function isNotBlank(row: TableRow): boolean {
  return row.length > 1 || (row[0] ?? '').trim() !== ''
}

/**
 * A quote in the wrong place is harmless inside one line. Where it made a cell swallow line breaks, whole rows are
 * missing, even when the number of cells happens to be right.
 */
function refuseOpenQuotes(rows: readonly TableRow[], errors: Parsed['errors']): void {
  for (const { row, code } of errors) {
    // The parser also tells of the row that goes on in the next chunk; it will tell again.
    const cells = rows[row]
    const swallowed = cells?.some((cell) => cell.includes('\n')) ?? false
    if (swallowed || (cells && code === 'MissingQuotes')) throw openQuote()
  }
}

function openQuote(): LoadFailure {
  return new LoadFailure('incomplete_record', 'A quote is opened and never closed.')
}
