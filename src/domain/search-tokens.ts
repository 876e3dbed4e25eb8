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
  const text = [record.name, record.city, record.address_line, record.owner_name]
    .filter((part) => part !== null)
    .join(' ')
  const words = AMBIGUOUS.test(text)
    ? `${foldText(text)} ${foldSpaced(text)}`.split(' ')
    : foldText(text).split(' ')
  const tokens = new Set<string>()
  for (const word of words) {
    if (word !== '') tokens.add(word.slice(0, MAX_TOKEN_CHARS))
    if (tokens.size === MAX_TOKENS) break
  }
  return [...tokens]
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
  const words = [...new Set(reading.split(' '))].map((word) => word.slice(0, MAX_TOKEN_CHARS))
  return words.map((word, index) => ({
    anyOf: [...new Set([word, ...streetTypes(word)])],
    ...(index === words.length - 1 ? { prefix: word } : {}),
  }))
}
