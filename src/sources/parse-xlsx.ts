import { LoadFailure } from '../domain/problem.ts'
import type { TableRow } from '../domain/row.ts'
import { decode } from './decode.ts'
import { type PushParser, parseText } from './push-parser.ts'
import { type TextTable, textTable } from './text-table.ts'
import { isShownText, visitingReader, walkPart } from './xlsx-part.ts'
import { cellText, dateStyles } from './xlsx-values.ts'
import { openZip, type Zip } from './zip.ts'

/** What must be known of a workbook before one of its sheets can be read. */
export interface Workbook {
  sheetPath: string
  texts: TextTable
  isDate: (style: number) => boolean
  from1904: boolean
}

/** A row with its number in the sheet, counted from 1. */
export interface SheetRow {
  number: number
  cells: TableRow
}

/**
 * Reads one sheet of a workbook row by row; only its shared texts are held in memory. Built on the zip and XML
 * readers at hand, since the row-streaming workbook readers to be had are abandoned or unpack the sheet whole.
 */
export async function* sheetRows(file: string, book: Workbook): AsyncGenerator<SheetRow[]> {
  const zip = await openZip(file)
  try {
    yield* parseText(decode(zip.read(book.sheetPath), 'utf-8'), sheetParser(book))
  } finally {
    zip.close()
  }
}

export async function readWorkbook(file: string, sheet: number | string): Promise<Workbook> {
  const zip = await openZip(file)
  try {
    const { relation, from1904 } = await chooseSheet(zip, sheet)
    return {
      sheetPath: await targetOf(zip, relation),
      texts: await sharedTexts(zip),
      isDate: await dateStyles((visitor) => walkPart(zip, 'xl/styles.xml', visitor)),
      from1904,
    }
  } finally {
    zip.close()
  }
}

async function chooseSheet(
  zip: Zip,
  sheet: number | string,
): Promise<{ relation: string; from1904: boolean }> {
  const bookPath = 'xl/workbook.xml'
  if (!zip.has(bookPath))
    throw new LoadFailure('unexpected_content', 'The file is no xlsx workbook.')
  const sheets: { name: string; relation: string }[] = []
  let from1904 = false
  await walkPart(zip, bookPath, {
    open(name, attributes) {
      if (name === 'sheet')
        sheets.push({ name: attributes.name ?? '', relation: attributes['r:id'] ?? '' })
      if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
    },
  })
  const chosen =
    typeof sheet === 'number' ? sheets[sheet] : sheets.find(({ name }) => name === sheet)
  if (chosen) return { relation: chosen.relation, from1904 }
  const names = sheets.map(({ name }) => name).join(', ')
  throw new LoadFailure(
    'records_path_missing',
    `The workbook has no sheet ${sheet}; it has ${names}.`,
  )
}

async function targetOf(zip: Zip, relation: string): Promise<string> {
  let target = ''
  await walkPart(zip, 'xl/_rels/workbook.xml.rels', {
    open(name, attributes) {
      if (name === 'Relationship' && attributes.Id === relation) target = attributes.Target ?? ''
    },
  })
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`
}

async function sharedTexts(zip: Zip): Promise<TextTable> {
  const texts = textTable()
  let current = ''
  await walkPart(zip, 'xl/sharedStrings.xml', {
    open(name) {
      if (name === 'si') current = ''
    },
    text(text, path) {
      if (isShownText(path)) current += text
    },
    close(name) {
      if (name === 'si') texts.add(current)
    },
  })
  return texts.end()
}

function sheetParser(book: Workbook): PushParser<SheetRow> {
  let rows: SheetRow[] = []
  let number = 0
  let cells: string[] = []
  let cell = { column: 0, type: 'n', style: 0, value: '' }

  const reader = visitingReader({
    open(name, attributes) {
      if (name === 'row') {
        number = Number(attributes.r ?? number + 1)
        cells = []
      } else if (name === 'c') {
        const { r, t, s } = attributes
        cell = {
          column: r ? columnIndex(r) : cells.length,
          type: t ?? 'n',
          style: Number(s ?? 0),
          value: '',
        }
      }
    },
    text(text, path) {
      if (path.at(-1) === 'v' || (cell.type === 'inlineStr' && isShownText(path)))
        cell.value += text
    },
    close(name) {
      if (name === 'c') {
        while (cells.length < cell.column) cells.push('')
        cells[cell.column] = cellText(cell, book)
      } else if (name === 'row' && cells.some((text) => text.trim() !== '')) {
        rows.push({ number, cells })
      }
    },
  })
  const taken = () => {
    const batch = rows
    rows = []
    return batch
  }
  return {
    write(text) {
      reader.write(text)
      return taken()
    },
    end() {
      reader.end()
      return taken()
    },
  }
}

/** `AB12` → 27 */
function columnIndex(reference: string): number {
  let index = 0
  for (const letter of reference) {
    const value = letter.charCodeAt(0) - 64
    if (value < 1 || value > 26) break
    index = index * 26 + value
  }
  return index - 1
}
