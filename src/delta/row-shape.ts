import type { SourceDefinition } from '../domain/definition.ts'
import type { Row, RowLayout } from '../domain/row.ts'

/**
 * What is wrong with the number of cells of a table row, or null: a value beyond the header has no name, and a row that
 * is too short is padded unless the definition refuses it. Unnamed columns at the end of the header ask for nothing.
 */
export function compileRowShape(
  definition: SourceDefinition,
  { header }: RowLayout,
): (row: Row) => string | null {
  if (!header) return () => null
  const width = header.length
  const named = header.findLastIndex((name) => name.trim() !== '') + 1
  const refusesShort = definition.parse.short_rows === 'reject'
  return (row) => {
    if (!('length' in row)) return null
    if (row.length > width && row.slice(width).some((cell) => cell.trim() !== '')) {
      return `${row.length} cells for ${width} columns`
    }
    return refusesShort && row.length < named ? `${row.length} cells for ${named} columns` : null
  }
}
