import type { Columns } from './columns.ts'
import type { IsNull } from './null-tokens.ts'

interface Part {
  /** text between this part and the one before */
  before: string
  /** the same where it begins the text: before the first part, and before a later one when all so far were empty */
  first: string
  start: string
  slot: number
  /** a closing bracket that goes with the part, when `before` ends with the opening one */
  after: string
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '«': '»', '"': '"', '“': '”' }

/**
 * A template such as `{street}, {number} ({floor})`. An empty part takes the text before it along, and its own closing
 * bracket; separators that would then begin the text go too. Null when all parts are empty.
 */
export function compileTemplate(template: string, columns: Columns, isNull: IsNull): () => string | null {
  const { parts, end } = parse(template, columns)
  const constant = end.trim()
  if (parts.length === 0) return () => (isNull(constant) ? null : constant)
  return () => {
    let text = ''
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]
      if (!part) continue
      const value = columns.cells[part.slot] ?? ''
      if (isNull(value)) continue
      if (text !== '') text += part.before + value + part.after
      else text = (i === 0 ? part.first : part.start) + value + part.after
    }
    return text === '' ? null : text + end
  }
}

function parse(template: string, columns: Columns): { parts: Part[]; end: string } {
  const pieces = template.replace(/\s+/g, ' ').split(/\{([^{}]+)\}/)
  const parts: Part[] = []
  let rest = pieces[0] ?? ''
  for (let i = 1; i < pieces.length; i += 2) {
    const before = rest
    rest = pieces[i + 1] ?? ''
    const closing = CLOSING[before.at(-1) ?? '']
    const after = closing !== undefined && rest.startsWith(closing) ? closing : ''
    const first = before.trimStart()
    const start = isSeparator(before) ? '' : first
    parts.push({ before, first, start, slot: columns.slot((pieces[i] ?? '').trim()), after })
    rest = rest.slice(after.length)
  }
  return { parts, end: rest.trimEnd() }
}

/** Between two parts, of which the first is empty, punctuation separates nothing; words and brackets stay. */
function isSeparator(text: string): boolean {
  return /^[\s,;:./–-]*$/.test(text)
}
