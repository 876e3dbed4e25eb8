import { aZip } from '../unit/sources/made-source.ts'

/** An xlsx workbook of one sheet, with its texts in the shared table as spreadsheet programs write them. */
export function workbookOf(rows: readonly (readonly (string | number)[])[]): Buffer {
  const texts = new Map<string, number>()
  const shared = (text: string) => {
    const known = texts.get(text) ?? texts.size
    texts.set(text, known)
    return known
  }
  const cell = (value: string | number, at: string) =>
    typeof value === 'number'
      ? `<c r="${at}"><v>${value}</v></c>`
      : `<c r="${at}" t="s"><v>${shared(value)}</v></c>`
  const sheet = rows.map((cells, row) => {
    const inner = cells.map((value, column) => cell(value, `${columnName(column)}${row + 1}`))
    return `<row r="${row + 1}">${inner.join('')}</row>`
  })
  const items = [...texts.keys()].map(
    (text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`,
  )
  return aZip({
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="Listado" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/sharedStrings.xml': `<sst>${items.join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet.join('')}</sheetData></worksheet>`,
  })
}

function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
