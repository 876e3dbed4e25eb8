import { type DateReader, dateReader } from '../domain/date-format.ts'
import type { ActiveRule, ModifiedRule } from '../domain/definition.ts'
import { OperatorError } from '../domain/problem.ts'
import { cleanCell } from './cells.ts'
import { describeColumn } from './column-names.ts'
import type { Columns } from './columns.ts'
import type { NullTokens } from './null-tokens.ts'

/** Whether the loaded row's pharmacy is active; a string is the reason why that cannot be told. */
export type ActiveState = () => boolean | string

interface Context {
  columns: Columns
  tokens: NullTokens
}

/** An unknown state rejects the row, it never means active; an end date is judged at the snapshot's instant. */
export function compileActive(
  rule: ActiveRule,
  observedAt: string,
  { columns, tokens }: Context,
): ActiveState {
  if ('const' in rule) {
    const constant = rule.const
    return () => constant
  }
  if ('end_date' in rule) {
    const slot = columns.slot(rule.end_date)
    const read = requiredReader(rule.format)
    const observed = Date.parse(observedAt)
    return () => {
      const text = columns.cells[slot] ?? ''
      if (tokens.cell(text)) return true
      const end = read(text)
      return end === null ? `end date "${text}" is not ${rule.format}` : end > observed
    }
  }
  const slot = columns.slot(rule.from)
  const states = new Map([
    ...rule.true.map((text) => [cleanCell(text), true] as const),
    ...rule.false.map((text) => [cleanCell(text), false] as const),
  ])
  return () => {
    const text = columns.cells[slot] ?? ''
    const state = states.get(text) ?? (tokens.cell(text) ? states.get('') : undefined)
    return state ?? `unknown state "${text}" in ${describeColumn(rule.from)}`
  }
}

/** When the official source last changed the row: its own date, the whole dataset's, or null. */
export function compileModified(
  rule: ModifiedRule | undefined,
  datasetModifiedAt: string | null,
  { columns, tokens }: Context,
): () => string | null {
  if (!rule) return () => null
  if (!('from' in rule)) return () => datasetModifiedAt
  const slot = columns.slot(rule.from)
  const read = requiredReader(rule.format)
  return () => {
    const text = columns.cells[slot] ?? ''
    const at = tokens.cell(text) ? null : read(text)
    return at === null ? null : new Date(at).toISOString()
  }
}

function requiredReader(format: string): DateReader {
  const read = dateReader(format)
  if (!read)
    throw new OperatorError(`"${format}" is no date format (iso, or yyyy, MM, dd, HH, mm, ss)`)
  return read
}
