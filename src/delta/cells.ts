/**
 * Cleaning of one cell (sources.md, "Fixed in code"): byte-order marks and zero-width characters go, no-break spaces,
 * tabs and line breaks become spaces, spaces collapse, text is NFC. Also what a text encoded twice looks like.
 */

const INVISIBLE = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|^ï»¿/g
const BLANKS = /[\s\u0085]+/g

/**
 * True when a text needs no cleaning at all: the common case, decided in one scan without allocating. Letters that
 * begin a mis-decoded sequence (Â, Ã, Å, â) are left to the slow path, which looks closer.
 */
export function isPlain(text: string): boolean {
  let afterSpace = true
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const isSpace = code === 0x20
    if (isSpace ? afterSpace : !isPlainLetter(code)) return false
    afterSpace = isSpace
  }
  return text.length === 0 || !afterSpace
}

function isPlainLetter(code: number): boolean {
  if (code < 0x7f) return code > 0x20
  return code > 0xa0 && code < 0x250 && !TELLING.has(code)
}

/** The soft hyphen, and Â, Ã, Å, â. */
const TELLING = new Set([0xad, 0xc2, 0xc3, 0xc5, 0xe2])

export function cleanCell(text: string): string {
  if (isPlain(text)) return text
  return text.replace(INVISIBLE, '').replace(BLANKS, ' ').trim().normalize('NFC')
}

/** What the bytes 0x80 to 0x9F are in Windows-1252; the five it leaves undefined stay control characters. */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const BYTES = new Map([...HIGH].map((char, i) => [char, 0x80 + i] as const))

/** Continuation bytes as a wrong decoding shows them. */
const TAIL = `[\\u0080-\\u00bf${HIGH}]`
/**
 * Only sequences no Spanish, Catalan, Galician or Basque text has: Ã or Â before a symbol (accented letters), Å before
 * a symbol of Windows-1252 (œ, Š, Ž), â€… (typographic quotes and dashes, the euro sign). "CAFÉ»" is none.
 */
const GARBLED = new RegExp(
  `[ÂÃ]${TAIL}|Å[${HIGH}\\u0080-\\u009f¡¸½¾]|â(?:[€\\u0080]${TAIL}|[‚\\u0082]¬)`,
  'g',
)

/**
 * True when a cell looks encoded twice: UTF-8 bytes read as Latin-1 or Windows-1252. Asked before cleaning. "Â·" alone
 * tells nothing: the register of ES-CT has always had it for the middle dot ("MILÂ·LENARI"), beside clean cells.
 */
export function isGarbled(text: string): boolean {
  return text.search(GARBLED) >= 0 && text.replaceAll('Â·', '').search(GARBLED) >= 0
}

/** Undoes one such encoding, in the garbled places only. */
export function repairGarbled(text: string): string {
  return text.replace(GARBLED, (sequence) => {
    const [first = 0, second = 0, third] = [...sequence].map(
      (char) => BYTES.get(char) ?? char.charCodeAt(0),
    )
    if (third === undefined) return String.fromCharCode(((first & 0x1f) << 6) | (second & 0x3f))
    return String.fromCharCode(((first & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f))
  })
}

/** Digits, signs and exponent of one number; anything else is null. A comma is a decimal sign when nothing else is. */
export function readNumber(
  text: string,
  signs: { decimal?: string; group?: string } = {},
): number | null {
  if (signs.group === undefined && isPlainNumber(text)) return Number(text)
  let digits = text.replace(/[−–]/g, '-')
  if (signs.group !== undefined) digits = digits.replaceAll(signs.group, '')
  if (signs.decimal !== undefined && signs.decimal !== '.')
    digits = digits.replace(signs.decimal, '.')
  else if (signs.decimal === undefined && /^[^.,]*,[^.,]*$/.test(digits))
    digits = digits.replace(',', '.')
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(digits)) return null
  const value = Number(digits)
  return Number.isFinite(value) ? value : null
}

/** Digits with at most a leading minus and one point between them: nearly every number, told without a pattern. */
function isPlainNumber(text: string): boolean {
  let points = 0
  for (let i = text.startsWith('-') ? 1 : 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x2e && i > 0 && i < text.length - 1) points += 1
    else if (code < 0x30 || code > 0x39) return false
  }
  return points <= 1 && text.length > 0 && text !== '-'
}
