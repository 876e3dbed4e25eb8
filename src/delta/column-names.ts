import type { Column } from '../domain/definition.ts'
import type { LoadFailure } from '../domain/problem.ts'
import type { Row } from '../domain/row.ts'
import { cleanCell } from './cells.ts'

/** Reads the columns added to it, in that order, of one row after the other. */
export interface ColumnReader {
  add(column: Column): void
  /** one of these columns, by the order in which they were added, must be in some record */
  require(slots: readonly number[]): void
  load(row: Row): void
  missing(): LoadFailure | null
}

/** Takes what a row has in a slot: the value itself, and its text before cleaning. */
export type Store = (slot: number, value: unknown, text: string) => void

/** Two column names are one after folding case, accents, white space and line breaks; punctuation counts. */
export function foldColumn(name: string): string {
  return cleanCell(name)
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}

export function describeColumn(column: Column): string {
  if (typeof column === 'string') return `"${column}"`
  if (Array.isArray(column)) return column.map((one) => describeColumn(one)).join(' or ')
  return 'index' in column ? `column ${column.index}` : `"${column.path}"`
}
