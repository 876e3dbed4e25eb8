import type { Column, SingleColumn } from '../domain/definition.ts'
import { LoadFailure } from '../domain/problem.ts'
import { cleanCell } from './cells.ts'
import { type ColumnReader, describeColumn, foldColumn, type Store } from './column-names.ts'

interface HeaderName {
  exact: string
  folded: string
}

/** Columns of a file with a header: each is found once, when it is added. */
export function tableReader(header: readonly string[], store: Store): ColumnReader {
  const names = header.map((name) => ({ exact: cleanCell(name), folded: foldColumn(name) }))
  const positions: number[] = []
  return {
    add(column) {
      positions.push(positionOf(column, names))
    },
    // A header names every column, also one that is empty in every row: each has been found, or was refused.
    require: () => undefined,
    load(row) {
      if (!('length' in row)) throw new TypeError('A record among the rows of a table')
      for (let slot = 0; slot < positions.length; slot++) {
        const text = row[positions[slot] ?? -1] ?? ''
        store(slot, text, text)
      }
    },
    missing: () => null,
  }
}

function positionOf(column: Column, names: readonly HeaderName[]): number {
  for (const one of Array.isArray(column) ? column : [column]) {
    const position = singlePosition(one, names)
    if (position >= 0) return position
  }
  const present = names.map(({ exact }) => exact).join(', ')
  throw new LoadFailure('missing_column', `No ${describeColumn(column)} in the header: ${present}`)
}

/** A name spelt exactly so goes before names that are only the same after folding. */
function singlePosition(column: SingleColumn, names: readonly HeaderName[]): number {
  if (typeof column !== 'string' && 'index' in column) {
    return column.index < names.length ? column.index : -1
  }
  const name = typeof column === 'string' ? column : column.path
  const exact = positionsWhere(names, (header) => header.exact === cleanCell(name))
  const folded = foldColumn(name)
  const found =
    exact.length > 0 ? exact : positionsWhere(names, (header) => header.folded === folded)
  if (found.length > 1) {
    throw new LoadFailure(
      'duplicate_column',
      `${describeColumn(column)} is ${found.length} times in the header`,
    )
  }
  return found[0] ?? -1
}

function positionsWhere(
  names: readonly HeaderName[],
  matches: (name: HeaderName) => boolean,
): number[] {
  return names.flatMap((name, i) => (matches(name) ? [i] : []))
}
