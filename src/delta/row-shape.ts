import type { SourceDefinition } from '../domain/definition.ts'
import type { Row, RowLayout, TableRow } from '../domain/row.ts'

/**
 * What is wrong with a table row as a whole, or null. A value beyond the header has no name, and a row that is too short
 * is padded unless the definition refuses it; unnamed columns at the end of the header ask for nothing. Where files were
 * put together the header comes again, and is no pharmacy.
 */
export function compileRowShape(
  definition: SourceDefinition,
  { header }: RowLayout,
): (row: Row) => string | null {
  if (!header) return () => null
  const width = header.length
  const named = header.findLastIndex((name) => name.trim() !== '') + 1
  const refusesShort = definition.parse.short_rows === 'reject'
  const repeatsHeader = (row: TableRow) =>
    row[0] === header[0] && named > 0 && header.every((name, at) => row[at] === name)
  return (row) => {
    if (!('length' in row)) return null
    if (repeatsHeader(row)) return 'the header again'
    if (row.length > width && row.slice(width).some((cell) => cell.trim() !== '')) {
      return `${row.length} cells for ${width} columns`
    }
    return refusesShort && row.length < named ? `${row.length} cells for ${named} columns` : null
  }
}
