import { LoadFailure } from '../domain/problem.ts'
import type { TableRow } from '../domain/row.ts'
import { decode } from './decode.ts'
import { parseText, type PushParser } from './push-parser.ts'
import { isShownText, visitingReader, walkPart } from './xlsx-part.ts'
import { cellText, dateStyles } from './xlsx-values.ts'
import { openZip, type Zip } from './zip.ts'

/**
 * Reads one sheet of a workbook row by row; only its shared texts are held in memory. Built on the zip and XML
 * readers at hand, since the row-streaming workbook readers to be had are abandoned or unpack the sheet whole.
 */
export async function* sheetRows(
  file: string,
  sheet: number | string,
): AsyncGenerator<{ number: number; cells: TableRow }[]> {
  const zip = await openZip(file)
  try {
    const book = await readWorkbook(zip, sheet)
    const text = decode(zip.read(book.sheetPath), 'utf-8')
    yield* parseText(text, sheetParser(book))
  } finally {
    zip.close()
  }
}

interface Workbook {
  sheetPath: string
  texts: readonly string[]
  isDate: (style: number) => boolean
  from1904: boolean
}

async function readWorkbook(zip: Zip, sheet: number | string): Promise<Workbook> {
  const bookPath = 'xl/workbook.xml'
  if (!zip.has(bookPath)) throw new LoadFailure('unexpected_content', 'The file is no xlsx workbook.')
  const sheets: { name: string; relation: string }[] = []
  let from1904 = false
  await walkPart(zip, bookPath, {
    open(name, attributes) {
      if (name === 'sheet') sheets.push({ name: attributes['name'] ?? '', relation: attributes['r:id'] ?? '' })
      if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attributes['date1904'] ?? '')
    },
  })
  const chosen = typeof sheet === 'number' ? sheets[sheet] : sheets.find(({ name }) => name === sheet)
  if (!chosen) {
    const names = sheets.map(({ name }) => name).join(', ')
    throw new LoadFailure('records_path_missing', `The workbook has no sheet ${sheet}; it has ${names}.`)
  }
  return {
    sheetPath: await targetOf(zip, chosen.relation),
    texts: await sharedTexts(zip),
    isDate: await dateStyles((visitor) => walkPart(zip, 'xl/styles.xml', visitor)),
    from1904,
  }
}

async function targetOf(zip: Zip, relation: string): Promise<string> {
  let target = ''
  await walkPart(zip, 'xl/_rels/workbook.xml.rels', {
    open(name, attributes) {
      if (name === 'Relationship' && attributes['Id'] === relation) target = attributes['Target'] ?? ''
    },
  })
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`
}

async function sharedTexts(zip: Zip): Promise<string[]> {
  const texts: string[] = []
  let current = ''
  await walkPart(zip, 'xl/sharedStrings.xml', {
    open(name) {
      if (name === 'si') current = ''
    },
    text(text, path) {
      if (isShownText(path)) current += text
    },
    close(name) {
      if (name === 'si') texts.push(current)
    },
  })
  return texts
}

function sheetParser(book: Workbook): PushParser<{ number: number; cells: TableRow }> {
  let rows: { number: number; cells: TableRow }[] = []
  let number = 0
  let cells: string[] = []
  let cell = { column: 0, type: 'n', style: 0, value: '' }

  const reader = visitingReader({
    open(name, attributes) {
      if (name === 'row') {
        number = Number(attributes['r'] ?? number + 1)
        cells = []
      } else if (name === 'c') {
        const { r, t, s } = attributes
        cell = { column: r ? columnIndex(r) : cells.length, type: t ?? 'n', style: Number(s ?? 0), value: '' }
      }
    },
    text(text, path) {
      if (path.at(-1) === 'v' || (cell.type === 'inlineStr' && isShownText(path))) cell.value += text
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
