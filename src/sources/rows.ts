import { existsSync } from 'node:fs'
import type { SourceDefinition } from '../domain/definition.ts'
import { LoadFailure } from '../domain/problem.ts'
import type { Row, RowReader, TableRow } from '../domain/row.ts'
import { rowMender } from './cells.ts'
import { type Content, openContent, readHead, unpackTo } from './content.ts'
import { pagesOf } from './page-file.ts'
import { csvParser } from './parse-csv.ts'
import { readWorkbook, type SheetRow, sheetRows } from './parse-xlsx.ts'
import { parseText } from './push-parser.ts'
import { recordRows } from './records.ts'
import { textOf } from './text.ts'

/**
 * Opens a raw file as its definition says. Reading streams, in batches; the batches may be read any number of
 * times, each time from the start, and nothing stays open when a reading is left early.
 */
export async function openRows(definition: SourceDefinition, file: string): Promise<RowReader> {
  const contents = await contentsOf(definition, file)
  const mend = rowMender(definition.decode)
  const reader = await readerOf(definition, contents, file)
  if (!mend) return reader
  const header = reader.layout.header && (mend(reader.layout.header) as TableRow)
  return { layout: { header }, batches: restartable(() => mapBatches(reader.batches, mend)) }
}

/** Records need not all have the same fields; after so many another one is rare. */
const RECORDS_LOOKED_AT = 1_000

/** The columns of a file: its header, or every field that its first 1000 records have. */
export async function columnsOf(reader: RowReader): Promise<string[]> {
  if (reader.layout.header) return [...reader.layout.header]
  const rows: Row[] = []
  for await (const batch of reader.batches) {
    rows.push(...batch)
    if (rows.length >= RECORDS_LOOKED_AT) break
  }
  const first = rows.slice(0, RECORDS_LOOKED_AT)
  return [...new Set(first.flatMap((row) => ('fields' in row ? Object.keys(row.fields) : [])))]
}

async function contentsOf(definition: SourceDefinition, file: string): Promise<Content[]> {
  const pages = await pagesOf(file)
  if (!pages) return [await openContent(definition, file)]
  return Promise.all(pages.map((span) => openContent(definition, file, span)))
}

async function readerOf(
  definition: SourceDefinition,
  contents: readonly Content[],
  file: string,
): Promise<RowReader> {
  const { parse } = definition
  const [content] = contents
  if (parse.format === 'csv' && content)
    return tableReader(definition, () => csvRows(definition, content))
  if (parse.format === 'xlsx' && content) {
    const workbook = await workbookFile(definition, content, file)
    const book = await readWorkbook(workbook, parse.sheet ?? 0)
    return tableReader(definition, () => bodyFrom(sheetRows(workbook, book), parse.header_row ?? 1))
  }
  return { layout: { header: null }, batches: restartable(() => recordRows(definition, contents)) }
}

function csvRows(definition: SourceDefinition, content: Content): AsyncGenerator<TableRow[]> {
  return parseText(textOf(definition, content), csvParser(definition.parse))
}

async function* bodyFrom(
  batches: AsyncIterable<SheetRow[]>,
  first: number,
): AsyncGenerator<TableRow[]> {
  for await (const rows of batches)
    yield rows.filter(({ number }) => number >= first).map(({ cells }) => cells)
}

/** A workbook must be a file of its own; one that came inside a zip or gzip is unpacked beside the raw file. */
async function workbookFile(
  definition: SourceDefinition,
  content: Content,
  file: string,
): Promise<string> {
  const head = await readHead(file, 0)
  if (!definition.fetch.unzip && head.subarray(0, 2).toString() === 'PK') return file
  const path = `${file}.unpacked`
  if (!existsSync(path)) await unpackTo(content, path)
  const unpacked = await readHead(path, 0)
  if (unpacked.subarray(0, 2).toString() === 'PK') return path
  const html = /^\s*<(!doctype|html)/i.test(unpacked.toString('latin1'))
  throw new LoadFailure(
    'unexpected_content',
    html ? 'An HTML page arrived instead of a workbook.' : 'The content is no xlsx workbook.',
  )
}

/** A table's header is read now, its rows later and as often as wanted. */
async function tableReader(
  { parse }: SourceDefinition,
  read: () => AsyncGenerator<TableRow[]>,
): Promise<RowReader> {
  const named = Array.isArray(parse.header) ? parse.header : null
  const header = named ?? (await firstRow(read()))
  if (!header)
    throw new LoadFailure('empty_dataset', 'The file is empty: it has not even a header.')
  const columns = withoutTrailingBlanks(header)
  return {
    layout: { header: columns },
    batches: restartable(() => bodyRows(read(), { columns: columns.length, skip: named ? 0 : 1 })),
  }
}

async function firstRow(batches: AsyncGenerator<TableRow[]>): Promise<TableRow | undefined> {
  for await (const [row] of batches) if (row) return row
  return undefined
}

/** Surplus cells without a value (a delimiter at the end of the line) are no fault; surplus values are. */
async function* bodyRows(
  batches: AsyncGenerator<TableRow[]>,
  { columns, skip }: { columns: number; skip: number },
): AsyncGenerator<TableRow[]> {
  let toSkip = skip
  for await (const rows of batches) {
    const body = toSkip > 0 ? rows.slice(toSkip) : rows
    toSkip = Math.max(0, toSkip - rows.length)
    if (body.length > 0)
      yield body.map((row) => (row.length > columns ? trimTo(row, columns) : row))
  }
}

function trimTo(row: TableRow, columns: number): TableRow {
  return row.slice(columns).every((cell) => cell.trim() === '') ? row.slice(0, columns) : row
}

function withoutTrailingBlanks(header: TableRow): TableRow {
  const last = header.findLastIndex((cell) => cell.trim() !== '')
  return header.slice(0, last + 1)
}

async function* mapBatches(
  batches: AsyncIterable<readonly Row[]>,
  change: (row: Row) => Row,
): AsyncGenerator<Row[]> {
  for await (const rows of batches) yield rows.map(change)
}

function restartable<T>(start: () => AsyncGenerator<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: start }
}
