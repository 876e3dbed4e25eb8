/**
 * The letters of a text without what spelling varies: case, accents, apostrophes, punctuation and blanks. This is the
 * ground of every comparison (decisions section 4, "Canonical form"); fold.ts builds on it.
 */

/** Also U+00B4 and U+0060, which some registers type for an apostrophe. */
const APOSTROPHES = /['’‘‛ʼʻʹ′´`]/g
const MIDDLE_DOTS = /[·•‧∙⋅・]/g
const OTHER_LETTERS = /[ßæœøđðłþıŋ]/g
const SPELT_OUT: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ŋ: 'n',
}

/**
 * Folds a text to lower-case letters and digits separated by single spaces. `stop` is what a full stop becomes:
 * nothing ("S.A." = "SA"), or a space, for the reading in which "Sta.Cruz" is two words.
 */
export function foldLetters(text: string, stop: '' | ' '): string {
  return foldLatin(text, stop) ?? foldAny(text, stop)
}

function foldAny(text: string, stop: '' | ' '): string {
  const plain = isAscii(text) ? text.toLowerCase() : decompose(text)
  const unstopped = plain.includes('.') ? plain.replaceAll('.', stop) : plain
  return unstopped
    .replace(APOSTROPHES, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const SPACE = 0x20
const FULL_STOP = 0x2e
/** In the table: what vanishes, and what only the long way knows. */
const VANISHES = 0
const UNKNOWN = 255

/**
 * What each character of Latin-1 folds to: one letter, a second one for the few that have two, a blank for what parts
 * words. Registers are nearly all Latin-1 and a load folds every record, so this saves most of the time.
 */
interface LatinTable {
  readonly first: Uint8Array
  readonly second: Uint8Array
}
let latin: LatinTable | undefined

function latinTable(): LatinTable {
  if (latin) return latin
  const first = new Uint8Array(256)
  const second = new Uint8Array(256)
  for (let code = 0; code < 256; code++) {
    const folded = foldAny(`a${String.fromCharCode(code)}a`, '').slice(1, -1)
    const isKnown = /^([a-z0-9]{0,2}| )$/.test(folded)
    first[code] = isKnown ? folded.charCodeAt(0) || VANISHES : UNKNOWN
    second[code] = isKnown ? folded.charCodeAt(1) || VANISHES : VANISHES
  }
  latin = { first, second }
  return latin
}

let written = new Uint8Array(1024)
const ascii = new TextDecoder('latin1')

/** Null when the text has a character that the table does not know. */
function foldLatin(text: string, stop: '' | ' '): string | null {
  const { first, second } = latinTable()
  if (written.length < text.length * 3) written = new Uint8Array(text.length * 4)
  const atStop = stop === '' ? VANISHES : SPACE
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const letter = code === FULL_STOP ? atStop : (first[code] ?? UNKNOWN)
    if (letter === UNKNOWN) return null
    length = writeLetter(letter, second[code] ?? VANISHES, length)
  }
  return ascii.decode(written.subarray(0, length)).trimEnd()
}

/** Writes one letter, or two, or the one blank that parts words; returns where the next one goes. */
function writeLetter(letter: number, second: number, at: number): number {
  if (letter === VANISHES) return at
  if (letter === SPACE && (at === 0 || written[at - 1] === SPACE)) return at
  written[at] = letter
  if (second === VANISHES) return at + 1
  written[at + 1] = second
  return at + 2
}

/** The other reading of a text: full stops and apostrophes part words ("Sta.Cruz", "L'Hospitalet"). */
export function foldSpaced(text: string): string {
  return foldLetters(text.replace(APOSTROPHES, ' '), ' ')
}

const LOOSE_APOSTROPHE = /(['’‘‛ʼʻʹ′´`])\s+/g

/** An elided article stands close to its word: "L' Hospitalet" as "L'Hospitalet". */
export function closeApostrophes(text: string): string {
  return text.replace(LOOSE_APOSTROPHE, '$1')
}

/** True when a full stop joins two words without a space, so that the two readings of `foldLetters` differ. */
export function hasJoiningStop(text: string): boolean {
  return /\.[^\s.]/.test(text)
}

function decompose(text: string): string {
  return text
    .replace(APOSTROPHES, '') // before NFKD, which would turn U+00B4 into a blank and a mark
    .replaceAll('°', 'º') // typed for the ordinal sign: "N° 5"
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(OTHER_LETTERS, (letter) => SPELT_OUT[letter] ?? letter)
    .replace(MIDDLE_DOTS, '')
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x7f) return false
  }
  return true
}
