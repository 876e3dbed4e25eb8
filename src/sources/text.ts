import type { Parse, SourceDefinition } from '../domain/definition.ts'
import { LoadFailure } from '../domain/problem.ts'
import type { Content } from './content.ts'
import { decode } from './decode.ts'
import { resolveEncoding } from './encoding.ts'

/** Enough of the beginning to tell a page from data, comments and declarations included. */
const HEAD_CHARS = 1024

/** The text of a content: decoded, without its JSONP wrapper, and refused when it is a web page. */
export async function* textOf(
  definition: SourceDefinition,
  content: Content,
): AsyncGenerator<string> {
  const encoding = await resolveEncoding(definition, content)
  const text = refusePages(decode(content.bytes(), encoding), definition.parse.format)
  yield* definition.decode.jsonp ? withoutCallback(text) : text
}

async function* refusePages(
  text: AsyncIterable<string>,
  format: Parse['format'],
): AsyncGenerator<string> {
  let head = ''
  let checked = false
  for await (const chunk of text) {
    if (checked) {
      yield chunk
      continue
    }
    head += chunk
    if (head.trimStart().length < HEAD_CHARS) continue
    checkHead(head, format)
    checked = true
    yield head
  }
  if (checked) return
  checkHead(head, format)
  if (head) yield head
}

const PAGE = /^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<(!doctype\s+html|html|head|body)\b/i

function checkHead(head: string, format: Parse['format']): void {
  const start = head.trimStart()
  const isMarkup = /^<[a-z!?]/i.test(start)
  if (isMarkup && (format !== 'xml' || PAGE.test(start))) {
    throw new LoadFailure(
      'unexpected_content',
      `A web page or XML arrived instead of ${format} data.`,
    )
  }
  if (format === 'xml' && start && !isMarkup) {
    throw new LoadFailure('unexpected_content', 'The content is no XML.')
  }
  if (start.startsWith('%PDF-')) {
    throw new LoadFailure('unexpected_content', `A PDF document arrived instead of ${format} data.`)
  }
  if (format === 'csv' && /^\{\s*"(error|errors|success|status|message|code)"\s*:/i.test(start)) {
    throw new LoadFailure('source_error', `The source answered: ${start.slice(0, 200)}`)
  }
}

/** Opening of `callback(`, also with the comment that some servers put before it. */
const CALLBACK = /^\s*(\/\*[\s\S]*?\*\/\s*)?[\w$.[\]]+\s*\(/

/** JSON inside a callback; plain JSON passes as it is. What may be the closing is held back until the end. */
async function* withoutCallback(text: AsyncIterable<string>): AsyncGenerator<string> {
  let wrapped: boolean | undefined
  let held = ''
  for await (const chunk of text) {
    let rest = held + chunk
    if (wrapped === undefined) {
      const opening = CALLBACK.exec(rest)?.[0]
      wrapped = opening !== undefined
      rest = rest.slice(opening?.length ?? 0)
    }
    held = wrapped ? closingOf(rest) : ''
    yield rest.slice(0, rest.length - held.length)
  }
  if (wrapped && !held.includes(')')) {
    throw new LoadFailure('incomplete_record', 'The JSONP answer ends before its closing bracket.')
  }
}

function closingOf(text: string): string {
  let at = text.length
  while (at > 0 && ') \t\r\n;'.includes(text[at - 1] as string)) at -= 1
  return text.slice(at)
}
