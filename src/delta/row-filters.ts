import type { Filter, SourceDefinition } from '../domain/definition.ts'
import { cleanCell } from './cells.ts'
import type { Columns } from './columns.ts'
import type { NullTokens } from './null-tokens.ts'

/** True when the loaded row passes all filters of the definition. */
export function compileFilters(
  filters: readonly Filter[],
  columns: Columns,
  tokens: NullTokens,
): () => boolean {
  const tests = filters.map((filter) => {
    const slot = columns.slot(filter.column)
    const test = compileTest(filter, tokens)
    return () => test(columns.cells[slot] ?? '')
  })
  return () => {
    for (const test of tests) {
      if (!test()) return false
    }
    return true
  }
}

function compileTest(filter: Filter, tokens: NullTokens): (text: string) => boolean {
  const wanted = [filter.value ?? []].flat()
  const clean = wanted.map((value) => cleanCell(value))
  switch (filter.op) {
    case 'not_empty':
      return (text) => !tokens.cell(text)
    case 'eq':
    case 'in':
      return (text) => clean.includes(text)
    case 'starts_with':
      return (text) => clean.some((value) => text.startsWith(value))
    case 'regex': {
      const patterns = wanted.map((value) => new RegExp(value, 'u'))
      return (text) => patterns.some((pattern) => pattern.test(text))
    }
    default:
      return filter.op satisfies never
  }
}

/**
 * The territory of the loaded row: the definition's own, or the one its code stands for; null for an unknown code.
 * A code may have lost its leading zeros on the way through a spreadsheet.
 */
export function compileTerritory(
  definition: SourceDefinition,
  columns: Columns,
): () => string | null {
  const { territory_from: from, territory = null } = definition
  if (!from) return () => territory
  const slot = columns.slot(from.column)
  const exact = new Map(
    Object.entries(from.map).map(([code, value]) => [cleanCell(code), value] as const),
  )
  const short = new Map([...exact].map(([code, value]) => [withoutZeros(code), value] as const))
  return () => {
    const code = columns.cells[slot] ?? ''
    return exact.get(code) ?? short.get(withoutZeros(code)) ?? null
  }
}

function withoutZeros(code: string): string {
  return /^\d+$/.test(code) ? code.replace(/^0+(?=\d)/, '') : code
}
