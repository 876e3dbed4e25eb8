import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import { LoadFailure } from '../domain/problem.ts'
import type { PushParser } from './push-parser.ts'

/** Single values outside the list, by path: totals, flags, error messages. */
export type Facts = ReadonlyMap<string, string | number | boolean | null>

/** Reads one list out of a JSON document, element by element, and the few values that stand around it. */
export interface ListParser extends PushParser<unknown> {
  readonly facts: Facts
}

const MAX_FACTS = 1_000
const MAX_FACT_CHARS = 1_000
const MAX_FACT_DEPTH = 5

/** `path` is dotted; `$` is the document itself. */
export function listParser(path: string): ListParser {
  const steps = path === '$' ? [] : path.split('.')
  const watch = watchTokens(steps)
  const builder = new TokenParser({ paths: [['$', ...steps, '*'].join('.')], keepStack: false })
  const tokenizer = new ExactTokenizer()
  let records: unknown[] = []
  builder.onValue = ({ value }) => {
    if (watch.listFound()) records.push(value)
  }
  builder.onEnd = () => {
    if (!tokenizer.isEnded) tokenizer.end()
  }
  tokenizer.onToken = (token) => {
    watch.see(token.token, token.value)
    builder.write(token)
  }
  const taken = () => {
    const batch = records
    records = []
    return batch
  }

  return {
    facts: watch.facts,
    write(text) {
      try {
        tokenizer.write(text)
      } catch (error) {
        throw new LoadFailure(
          'unexpected_content',
          `The content is no JSON: ${messageOf(error)}`,
          error,
        )
      }
      return taken()
    },
    end() {
      if (!tokenizer.isEnded)
        throw new LoadFailure('incomplete_record', 'The JSON document ends before its end.')
      refuseErrors(watch.facts, { path, found: watch.listFound() })
      return taken()
    },
  }
}

/** Whole numbers beyond 2^53 would be rounded: they are codes, and stay text. */
class ExactTokenizer extends Tokenizer {
  override parseNumber(text: string): number {
    const value = Number(text)
    if (Number.isSafeInteger(value) || !/^-?\d+$/.test(text)) return value
    // The token's value is passed on as it is; only the library's type insists on a number.
    return text as unknown as number
  }
}

interface Frame {
  isList: boolean
  key: string
  index: number
}

/** Follows the structure of the document, to see whether the list is there and what stands around it. */
function watchTokens(steps: readonly string[]) {
  const facts = new Map<string, string | number | boolean | null>()
  const frames: Frame[] = []
  let found = false
  let expectsKey = false
  /** how many frames are around the list while it is open */
  let around: number | undefined

  const place = () => frames.map((frame) => (frame.isList ? String(frame.index) : frame.key))
  const enter = (isList: boolean) => {
    if (
      isList &&
      frames.length === steps.length &&
      place().every((step, depth) => step === steps[depth])
    ) {
      found = true
      around = frames.length
    }
    frames.push({ isList, key: '', index: 0 })
    expectsKey = !isList
  }
  const leave = () => {
    frames.pop()
    expectsKey = false
    if (frames.length === around) around = undefined
  }
  const next = (frame: Frame | undefined) => {
    if (frame?.isList) frame.index += 1
    else expectsKey = true
  }
  const value = (token: TokenType, text: unknown) => {
    const frame = frames.at(-1)
    if (expectsKey && frame) {
      frame.key = String(text)
      expectsKey = false
      return
    }
    if (around !== undefined || frames.length > MAX_FACT_DEPTH || facts.size >= MAX_FACTS) return
    facts.set(place().join('.'), factOf(token, text))
  }

  return {
    facts: facts as Facts,
    listFound: () => found,
    see(token: TokenType, text: unknown) {
      switch (token) {
        case TokenType.LEFT_BRACE:
          return enter(false)
        case TokenType.LEFT_BRACKET:
          return enter(true)
        case TokenType.RIGHT_BRACE:
        case TokenType.RIGHT_BRACKET:
          return leave()
        case TokenType.COMMA:
          return next(frames.at(-1))
        case TokenType.COLON:
        case TokenType.SEPARATOR:
          return
        default:
          return value(token, text)
      }
    },
  }
}

function factOf(token: TokenType, text: unknown): string | number | boolean | null {
  if (token === TokenType.TRUE) return true
  if (token === TokenType.FALSE) return false
  if (token === TokenType.NULL) return null
  return typeof text === 'number' ? text : String(text).slice(0, MAX_FACT_CHARS)
}

/** Without a list, these names tell an error answer from one whose shape has changed. */
const ERROR_NAMES =
  /^(errors?|error_?code|error_?message|fault|exception|message|detail|code)(\.|$)/i

function refuseErrors(facts: Facts, list: { path: string; found: boolean }): void {
  const failed = [...facts].filter(([name, value]) => isFailure(name, value))
  if (failed.length > 0) throw sourceError(facts)
  if (list.found) return
  if ([...facts.keys()].some((name) => ERROR_NAMES.test(name))) throw sourceError(facts)
  throw new LoadFailure('records_path_missing', `The answer has no list at ${list.path}.`)
}

const NO_ERROR: ReadonlySet<unknown> = new Set([null, false, 0, '', '0', 'false'])

function isFailure(name: string, value: unknown): boolean {
  if (name === 'success') return value === false || value === 'false'
  return (name === 'error' || name.startsWith('error.')) && !NO_ERROR.has(value)
}

function sourceError(facts: Facts): LoadFailure {
  const said = [...facts]
    .filter(
      ([name, value]) => /error|message|detail|code|fault|exception/i.test(name) && value !== null,
    )
    .slice(0, 5)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
  return new LoadFailure(
    'source_error',
    `The source answered with an error (${said.slice(0, 300) || 'no details'}).`,
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
