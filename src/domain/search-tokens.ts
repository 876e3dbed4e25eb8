import { foldText } from './fold.ts'
import { foldSpaced } from './letters.ts'
import type { Pharmacy } from './pharmacy.ts'
import { streetTypes } from './street-types.ts'

/** Bounds of what one record adds to the index, however long its texts are. */
const MAX_TOKENS = 64
const MAX_TOKEN_CHARS = 40

/** Where an apostrophe or a full stop leaves two readings of a text. */
const AMBIGUOUS = /[.'’‘‛ʼʻʹ′´`]/

type Searched = Pick<Pharmacy, 'name' | 'owner_name' | 'address_line' | 'city'>

/**
 * The folded words a record is found by: name, holder, address and city. Where a full stop or an apostrophe joins
 * words both readings count ("L'Hospitalet" is found as `lhospitalet` and as `hospitalet`).
 */
export function searchTokens(record: Searched): string[] {
  const text = textOf(record)
  const tokens: string[] = []
  addWords(tokens, foldText(text))
  if (AMBIGUOUS.test(text)) addWords(tokens, foldSpaced(text))
  return tokens
}

function textOf({ name, city, address_line, owner_name }: Searched): string {
  return `${name ?? ''} ${city ?? ''} ${address_line ?? ''} ${owner_name ?? ''}`
}

/** Few as they are, looking through them costs less than a set. */
function addWords(tokens: string[], folded: string): void {
  for (const word of folded.split(' ')) {
    if (tokens.length === MAX_TOKENS) return
    const token = cut(word)
    if (token !== '' && !tokens.includes(token)) tokens.push(token)
  }
}

/** Never through the middle of a character. */
function cut(word: string): string {
  if (word.length <= MAX_TOKEN_CHARS) return word
  const start = word.slice(0, MAX_TOKEN_CHARS)
  return start.isWellFormed() ? start : start.slice(0, -1)
}

/** One word of a question: any of these tokens, or, of the last word, any token that begins so. */
export interface AskedWord {
  anyOf: readonly string[]
  prefix?: string
}

/**
 * What a question asks for: every word of one of its readings. An abbreviated street type also stands for the types
 * it abbreviates ("c/ mayor" finds "Calle Mayor"). No reading at all when the text has neither letter nor digit.
 */
export function askedReadings(text: string): AskedWord[][] {
  const readings = AMBIGUOUS.test(text) ? [foldText(text), foldSpaced(text)] : [foldText(text)]
  return [...new Set(readings)].filter((reading) => reading !== '').map(askedWords)
}

function askedWords(reading: string): AskedWord[] {
  const words = [...new Set(reading.split(' '))].map(cut)
  return words.map((word, index) => ({
    anyOf: [...new Set([word, ...streetTypes(word)])],
    ...(index === words.length - 1 ? { prefix: word } : {}),
  }))
}
