import type { Column, SourceDefinition } from '../domain/definition.ts'
import type { LoadFailure } from '../domain/problem.ts'
import type { Row, RowLayout } from '../domain/row.ts'
import { cleanCell, isGarbled, isPlain, repairGarbled } from './cells.ts'
import type { Store } from './column-names.ts'
import { recordReader } from './record-columns.ts'
import { tableReader } from './table-columns.ts'

/**
 * The mapped columns of one file. Rules ask for a slot per column while they are compiled; then each row is loaded
 * once, and every rule reads clean text by slot.
 */
export interface Columns {
  slot(column: Column): number
  /** slots of columns that make one value together: in records, which leave out what is empty, one of them is enough */
  slotsOfOne(columns: readonly Column[]): number[]
  /** reads and cleans the row's mapped cells into `cells` and `values` */
  load(row: Row): void
  /** clean text by slot; empty where the row has nothing */
  readonly cells: readonly string[]
  /** values by slot as the row has them, for geometries and numbers */
  readonly values: readonly unknown[]
  /** cells of the loaded row that look encoded twice */
  readonly garbled: readonly string[]
  /** for records: a mapped column that no record had */
  missing(): LoadFailure | null
}

/** Throws a LoadFailure from `slot` when a table has no such column, or has it twice. */
export function openColumns(definition: SourceDefinition, layout: RowLayout): Columns {
  const cells: string[] = []
  const values: unknown[] = []
  const garbled: string[] = []
  const slots = new Map<string, number>()
  const repair = definition.decode.repair_mojibake === true

  const store: Store = (slot, value, text) => {
    values[slot] = value
    if (isPlain(text)) {
      cells[slot] = text
    } else if (isGarbled(text)) {
      garbled.push(text)
      cells[slot] = cleanCell(repair ? repairGarbled(text) : text)
    } else {
      cells[slot] = cleanCell(text)
    }
  }
  const reader = layout.header ? tableReader(layout.header, store) : recordReader(store)
  const place = (column: Column): number => {
    const key = JSON.stringify(Array.isArray(column) && column.length === 1 ? column[0] : column)
    const known = slots.get(key)
    if (known !== undefined) return known
    reader.add(column)
    slots.set(key, cells.length)
    values.push(undefined)
    return cells.push('') - 1
  }
  return {
    cells,
    values,
    garbled,
    slot(column) {
      const slot = place(column)
      reader.require([slot])
      return slot
    },
    slotsOfOne(columns) {
      const slotsOfOne = columns.map(place)
      reader.require(slotsOfOne)
      return slotsOfOne
    },
    load(row) {
      garbled.length = 0
      reader.load(row)
    },
    missing: () => reader.missing(),
  }
}
