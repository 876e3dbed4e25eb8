import type { Columns } from './columns.ts'
import type { IsNull } from './null-tokens.ts'

interface Part {
  /** text between this part and the one before */
  before: string
  /** the same where it begins the text, because the part is the first or all so far were empty */
  start: string
  slot: number
  /** a closing bracket that goes with the part, when `before` ends with the opening one */
  after: string
}

const CLOSING: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '«': '»',
  '"': '"',
  '“': '”',
}

/**
 * A template such as `{street}, {number} ({floor})`. An empty part takes the text before it along, and its own closing
 * bracket; separators that would then begin the text go too. Null when all parts are empty.
 */
export function compileTemplate(
  template: string,
  columns: Columns,
  isNull: IsNull,
): () => string | null {
  const { parts, end } = parse(template, columns)
  const constant = end.trim()
  if (parts.length === 0) return () => (isNull(constant) ? null : constant)
  return () => {
    const text = fill(parts, columns.cells, isNull)
    return text === '' ? null : text + end
  }
}

function fill(parts: readonly Part[], cells: readonly string[], isNull: IsNull): string {
  let text = ''
  for (const part of parts) {
    const value = cells[part.slot] ?? ''
    if (isNull(value)) continue
    text += (text === '' ? part.start : part.before) + value + part.after
  }
  return text
}

function parse(template: string, columns: Columns): { parts: Part[]; end: string } {
  const [first = '', ...pieces] = template.replace(/\s+/g, ' ').split(/\{([^{}]+)\}/)
  const parts: Part[] = []
  let before = first
  for (let i = 0; i < pieces.length; i += 2) {
    const [name = '', rest = ''] = pieces.slice(i, i + 2)
    const after = closingOf(before, rest)
    const start = i > 0 && isSeparator(before) ? '' : before.trimStart()
    parts.push({ before, start, slot: columns.slot(name.trim()), after })
    before = rest.slice(after.length)
  }
  return { parts, end: before.trimEnd() }
}

function closingOf(before: string, rest: string): string {
  const closing = CLOSING[before.at(-1) ?? '']
  return closing !== undefined && rest.startsWith(closing) ? closing : ''
}

/** Between two parts, of which the first is empty, punctuation separates nothing; words and brackets stay. */
function isSeparator(text: string): boolean {
  return /^[\s,;:./–-]*$/.test(text)
}
