import iconv from 'iconv-lite'

/** What the bytes 80 to 9F are in Windows-1252; five of them are nothing. Elsewhere it is ISO-8859-1. */
const SIGNS: readonly (string | undefined)[] = Array.from({ length: 0x20 }, (_, index) => {
  const sign = iconv.decode(Buffer.from([0x80 + index]), 'windows-1252')
  return sign === '\uFFFD' || sign.charCodeAt(0) < 0xa0 ? undefined : sign
})

/**
 * The text of Windows-1252 bytes, null when one of them is undefined. Several times faster than a table for every
 * byte; and not by TextDecoder, which in some versions of Node turns 80 to 9F into control characters.
 */
export function decodeWindows1252(bytes: Buffer): string | null {
  const text = bytes.toString('latin1')
  if (!/[\x80-\x9F]/.test(text)) return text
  let fits = true
  const decoded = text.replaceAll(/[\x80-\x9F]/g, (char) => {
    const sign = SIGNS[char.charCodeAt(0) - 0x80]
    fits &&= sign !== undefined
    return sign ?? ''
  })
  return fits ? decoded : null
}
