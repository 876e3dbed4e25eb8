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
  const plain = isAscii(text) ? text.toLowerCase() : decompose(text)
  const unstopped = plain.includes('.') ? plain.replaceAll('.', stop) : plain
  return unstopped
    .replace(APOSTROPHES, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The other reading of a text: full stops and apostrophes part words ("Sta.Cruz", "L'Hospitalet"). */
export function foldSpaced(text: string): string {
  return foldLetters(text.replace(APOSTROPHES, ' '), ' ')
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
