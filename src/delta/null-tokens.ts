import type { FieldRule, SourceDefinition } from '../domain/definition.ts'
import { cleanCell } from './cells.ts'

/** Says whether a clean text stands for nothing. */
export type IsNull = (text: string) => boolean

const DEFAULT_TOKENS = ['', '-', 'N/A', 'N/D', 'S/D', 'null', 'NULL']
/** Nothing as a whole field, but a word like others inside an address ("Calle Mayor, S/N"). */
const ONLY_WHOLE = new Set(['N/A', 'S/N'])

/** Empty markers of a definition, matched whole and by case (cases/README, reading 3). */
export function nullTokens(definition: SourceDefinition) {
  const general = definition.null_tokens ?? DEFAULT_TOKENS
  return {
    /** for a cell that no field rule reads: states, dates, coordinates, filters */
    cell: isOneOf(general),
    /** for a whole field; `also` has the tokens of that field alone */
    whole: (rule: FieldRule, also: readonly string[] = []) =>
      isOneOf([...general, ...also, ...(rule.null_tokens ?? [])]),
    /** for a part of a template */
    part: (rule: FieldRule) =>
      isOneOf([...general.filter((token) => !ONLY_WHOLE.has(token)), ...(rule.null_tokens ?? [])]),
  }
}
export type NullTokens = ReturnType<typeof nullTokens>

/** Most texts are told apart by their first character, without looking them up. */
function isOneOf(tokens: readonly string[]): IsNull {
  const clean = new Set(['', ...tokens.map((token) => cleanCell(token))])
  const longest = Math.max(...[...clean].map((token) => token.length))
  const firsts = new Set([...clean].map((token) => token.charCodeAt(0)))
  const byFirst = Array.from({ length: 128 }, (_, code) => firsts.has(code))
  return (text) => {
    if (text.length === 0) return true
    return text.length <= longest && byFirst[text.charCodeAt(0)] !== false && clean.has(text)
  }
}
