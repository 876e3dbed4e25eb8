import type { Column, FieldRule } from '../domain/definition.ts'
import { cleanCell } from './cells.ts'
import type { Columns } from './columns.ts'
import type { IsNull, NullTokens } from './null-tokens.ts'
import { compileTemplate } from './template.ts'

/** Gives one field of the loaded row; null where the source has nothing. */
export type Field = () => string | null

/** `from_postal_code` is answered by the caller, who has the postal code. */
export function compileField(
  rule: FieldRule | undefined,
  context: { columns: Columns; tokens: NullTokens; also?: readonly string[] },
): Field {
  if (!rule) return () => null
  const isNull = context.tokens.whole(rule, context.also)
  const isNullPart = context.tokens.part(rule)
  const main = compileSource(rule, { columns: context.columns, isNull, isNullPart })
  const transform = compileTransform(rule)
  const fallback = rule.fallback
    ? compileSource(rule.fallback, { columns: context.columns, isNull, isNullPart })
    : undefined
  if (!transform && !fallback) return main
  return () => {
    const value = main() ?? (fallback ? fallback() : null)
    if (value === null || !transform) return value
    const transformed = transform(value)
    return isNull(transformed) ? null : transformed
  }
}

interface Source {
  columns: Columns
  isNull: IsNull
  isNullPart: IsNull
}

function compileSource(
  rule: Pick<FieldRule, 'from' | 'template' | 'const' | 'join' | 'sort'>,
  { columns, isNull, isNullPart }: Source,
): Field {
  if (rule.const !== undefined) {
    const constant = cleanCell(rule.const)
    return () => constant
  }
  if (rule.template !== undefined) {
    const fill = compileTemplate(rule.template, columns, isNullPart)
    return () => {
      const text = fill()
      return text === null || isNull(text) ? null : text
    }
  }
  if (rule.from === undefined || rule.from === null) return () => null
  if (rule.join !== undefined && Array.isArray(rule.from)) {
    return compileJoin(
      rule.from,
      { join: rule.join, sort: rule.sort === true },
      { columns, isNull },
    )
  }
  return compileColumn(rule.from, columns, isNull)
}

function compileColumn(column: Column, columns: Columns, isNull: IsNull): Field {
  return fieldAt(columns.slot(column), columns, isNull)
}

function fieldAt(slot: number, columns: Columns, isNull: IsNull): Field {
  return () => {
    const text = columns.cells[slot] ?? ''
    return isNull(text) ? null : text
  }
}

/** Several columns become one value; the same values in another order can be one by `sort`. */
function compileJoin(
  from: readonly Column[],
  { join, sort }: { join: string; sort: boolean },
  { columns, isNull }: { columns: Columns; isNull: IsNull },
): Field {
  const slots = columns.slotsOfOne(from)
  const [first, ...others] = slots.map((slot) => fieldAt(slot, columns, isNull))
  if (first && others.length === 0) return first
  const fields = first ? [first, ...others] : []
  return () => {
    const parts: string[] = []
    for (const field of fields) {
      const part = field()
      if (part !== null) parts.push(part)
    }
    if (parts.length === 0) return null
    return cleanCell((sort ? parts.sort() : parts).join(join))
  }
}

/** replace, then upper, then pad: null tokens are gone before padding (sources.md, "Fixed in code"). */
function compileTransform(rule: FieldRule): ((value: string) => string) | undefined {
  const { replace, upper, pad } = rule
  if (!replace && !upper && pad === undefined) return undefined
  const pattern = replace ? new RegExp(replace.regex, 'gu') : undefined
  return (value) => {
    let text = pattern && replace ? cleanCell(value.replace(pattern, replace.to)) : value
    if (upper) text = text.toUpperCase()
    return pad === undefined || text === '' ? text : text.padStart(pad, '0')
  }
}
