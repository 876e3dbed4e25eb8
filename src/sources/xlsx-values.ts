import type { TextTable } from './text-table.ts'
import type { Visitor } from './xlsx-part.ts'

interface Cell {
  type: string
  style: number
  value: string
}

/** Every cell as text: whole numbers without a fraction, dates as ISO 8601. */
export function cellText(
  { type, style, value }: Cell,
  book: { texts: TextTable; isDate: (style: number) => boolean; from1904: boolean },
): string {
  if (type === 's') return book.texts.at(Number(value))
  if (type === 'b') return value === '1' ? 'true' : 'false'
  // What a failed formula shows (#N/A, #REF!) is no value.
  if (type === 'e') return ''
  if (type !== 'n' || value === '') return value
  const number = Number(value)
  if (Number.isNaN(number)) return value
  if (book.isDate(style)) return dateText(number, book.from1904)
  return /^-?\d+$/.test(value) ? value : String(number)
}

const DAY_MS = 86_400_000

/** Serial days since the workbook's epoch; the year 1900 counts a 29 February that never was. */
function dateText(serial: number, from1904: boolean): string {
  const epoch = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const ms = epoch + Math.round(serial * 86_400) * 1000
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return String(serial)
  const text = new Date(ms).toISOString()
  return ms % DAY_MS === 0 ? text.slice(0, 10) : text.slice(0, 19)
}

/** Built-in number formats that show a date. */
const DATE_FORMATS = new Set([14, 15, 16, 17, 22, 27, 30, 36, 50, 57])

/** Which cell styles show dates, from the workbook's styles. */
export async function dateStyles(
  walk: (visitor: Visitor) => Promise<void>,
): Promise<(style: number) => boolean> {
  const custom = new Set<number>()
  const styles: boolean[] = []
  let inCells = false
  const addStyle = (format: number) => styles.push(DATE_FORMATS.has(format) || custom.has(format))
  await walk({
    open(name, { formatCode = '', numFmtId = '0' }) {
      if (name === 'cellXfs') inCells = true
      if (name === 'xf' && inCells) addStyle(Number(numFmtId))
      if (name === 'numFmt' && isDateFormat(formatCode)) custom.add(Number(numFmtId))
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return (style) => styles[style] ?? false
}

function isDateFormat(code: string): boolean {
  const plain = code.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, '')
  return /[dy]/i.test(plain)
}
