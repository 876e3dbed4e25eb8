import type { Column, SingleColumn } from '../domain/definition.ts'
import { LoadFailure } from '../domain/problem.ts'
import { type ColumnReader, describeColumn, foldColumn, type Store } from './column-names.ts'

type Fields = Readonly<Record<string, unknown>>
/** Reads one column of one record: undefined when the record does not have it. */
type Getter = (fields: Fields) => unknown

/**
 * Columns of nested records. Every record may have other keys, so a column is missing only when no record has it
 * (known after the last one); of columns that are joined to one value, when no record has any of them.
 */
export function recordReader(store: Store): ColumnReader {
  const keys = keysByFoldedName()
  const columns: { column: Column; get: Getter; present: boolean }[] = []
  const required: (readonly number[])[] = []
  let records = 0
  return {
    add(column) {
      columns.push({ column, get: getterOf(column, keys.named), present: false })
    },
    require(slots) {
      required.push(slots)
    },
    load(row) {
      if (!('fields' in row)) throw new TypeError('A table row among records')
      records += 1
      keys.learn(row.fields)
      for (let slot = 0; slot < columns.length; slot++) {
        const one = columns[slot]
        if (!one) continue
        const value = one.get(row.fields)
        if (value !== undefined) one.present = true
        store(slot, value, textOf(value))
      }
    },
    missing() {
      const absent = required.filter((slots) => slots.every((slot) => !columns[slot]?.present))
      if (records === 0 || absent.length === 0) return null
      const describe = (slots: readonly number[]) =>
        slots.map((slot) => describeColumn(columns[slot]?.column ?? '')).join(' or ')
      const names = [...new Set(absent.map(describe))].join(', ')
      return new LoadFailure('missing_column', `No record has ${names}`)
    },
  }
}

/** The keys seen so far, by their folded name, in the order in which they were first seen. */
function keysByFoldedName() {
  const seen = new Set<string>()
  const byName = new Map<string, string[]>()
  const named = (folded: string): string[] => {
    const known = byName.get(folded)
    if (known) return known
    const keys: string[] = []
    byName.set(folded, keys)
    return keys
  }
  return {
    named,
    learn(fields: Fields) {
      for (const key in fields) {
        if (seen.has(key)) continue
        seen.add(key)
        named(foldColumn(key)).push(key)
      }
    },
  }
}

function getterOf(column: Column, keysNamed: (folded: string) => string[]): Getter {
  if (!Array.isArray(column)) return singleGetter(column, keysNamed)
  const getters = column.map((one) => ({
    get: singleGetter(one, keysNamed),
    // A name counts when the record has it, a path only when it leads to a value (cases/README, reading 5).
    needsValue: typeof one !== 'string' && 'path' in one,
  }))
  return (fields) => {
    let empty: unknown
    for (const { get, needsValue } of getters) {
      const value = get(fields)
      if (value === undefined) continue
      if (!needsValue || textOf(value) !== '') return value
      empty = value
    }
    return empty
  }
}

function singleGetter(column: SingleColumn, keysNamed: (folded: string) => string[]): Getter {
  if (typeof column === 'string') {
    const candidates = keysNamed(foldColumn(column))
    return (fields) => {
      if (Object.hasOwn(fields, column)) return fields[column]
      for (const key of candidates) {
        if (Object.hasOwn(fields, key)) return fields[key]
      }
      return undefined
    }
  }
  if ('index' in column) return (fields) => Object.values(fields)[column.index]
  const steps = column.path.split('.')
  return (fields) => walk(fields, steps)
}

function walk(start: unknown, steps: readonly string[]): unknown {
  let value = start
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Fields)[step]
  }
  return value
}

/**
 * A value of a record as text. JSON made from XML has strings, arrays of them and `{}` for nothing in one and the
 * same field: several texts become names with a slash between them, an object without text is nothing.
 */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value)
  if (Array.isArray(value)) {
    return value
      .map((one) => textOf(one))
      .filter((text) => text.trim() !== '')
      .join(' / ')
  }
  if (typeof value === 'object' && value !== null && '#text' in value) return textOf(value['#text'])
  return ''
}
