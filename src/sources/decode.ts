import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { LoadFailure } from '../domain/problem.ts'
import { decodeWindows1252 } from './windows-1252.ts'

/**
 * Bytes to text, strictly: a byte that does not fit fails the load, a replacement character is never stored.
 * Byte-order marks are dropped wherever they stand, since some publishers write one before every row, where it
 * would hide a quote from the parser.
 */
export async function* decode(
  bytes: AsyncIterable<Buffer>,
  encoding: string,
): AsyncGenerator<string> {
  for await (const text of decodeStrictly(bytes, encoding)) {
    yield text.includes('\uFEFF') ? text.replaceAll('\uFEFF', '') : text
  }
}

/** How many bytes at the end of a buffer begin a UTF-8 character that goes on in the next one. */
export function incompleteTail(bytes: Buffer): number {
  const start = bytes.findLastIndex((byte) => (byte & 0xc0) !== 0x80)
  const present = bytes.length - start
  return start >= 0 && present < utf8Length(bytes[start] ?? 0) ? present : 0
}

/** The bytes of the character that a first byte announces. */
export function utf8Length(first: number): number {
  if (first < 0xc0) return 1
  if (first < 0xe0) return 2
  return first < 0xf0 ? 3 : 4
}

function decodeStrictly(bytes: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  if (encoding === 'utf-8') return decodeUtf8(bytes)
  if (encoding === 'utf-16le') return decodeUtf16(bytes)
  if (/^(iso-8859-1|latin-?1)$/.test(encoding)) return decodeBytewise(bytes, latin1)
  if (encoding === 'windows-1252') return decodeBytewise(bytes, windows1252)
  return decodeOther(bytes, encoding)
}

async function* decodeUtf8(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    const joined = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const whole = joined.subarray(0, joined.length - incompleteTail(joined))
    rest = joined.subarray(whole.length)
    if (!isUtf8(whole)) throw misfit('utf-8', 'iso-8859-1 or windows-1252')
    yield whole.toString('utf8')
  }
  if (rest.length > 0) throw cutCharacter()
}

async function* decodeUtf16(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  let half = ''
  for await (const chunk of bytes) {
    const joined = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const whole = joined.subarray(0, joined.length - (joined.length % 2))
    rest = joined.subarray(whole.length)
    const text = half + whole.toString('utf16le')
    half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? ''
    const complete = text.slice(0, text.length - half.length)
    if (!complete.isWellFormed()) throw misfit('utf-16le', 'auto')
    yield complete
  }
  if (rest.length > 0 || half) throw cutCharacter()
}

async function* decodeBytewise(
  bytes: AsyncIterable<Buffer>,
  toText: (chunk: Buffer) => string,
): AsyncGenerator<string> {
  for await (const chunk of bytes) yield isAscii(chunk) ? chunk.toString('latin1') : toText(chunk)
}

/** ISO/IEC 8859-1 leaves 80 to 9F undefined; whoever sends them means the typographic signs of Windows-1252. */
function latin1(chunk: Buffer): string {
  const text = chunk.toString('latin1')
  if (/[\x80-\x9F]/.test(text)) throw misfit('iso-8859-1', 'windows-1252')
  return text
}

function windows1252(chunk: Buffer): string {
  const text = decodeWindows1252(chunk)
  if (text === null) throw misfit('windows-1252', 'auto')
  return text
}

async function* decodeOther(
  bytes: AsyncIterable<Buffer>,
  encoding: string,
): AsyncGenerator<string> {
  const decoder = iconv.getDecoder(encoding)
  const checked = (text: string) => {
    if (text.includes('\uFFFD')) throw misfit(encoding, 'the encoding it really has')
    return text
  }
  for await (const chunk of bytes) yield checked(decoder.write(chunk))
  yield checked(decoder.end() ?? '')
}

function misfit(encoding: string, instead: string): LoadFailure {
  return new LoadFailure(
    'encoding',
    `The content has bytes that do not fit its encoding ${encoding}; if the publisher changed it, declare ${instead}.`,
  )
}

function cutCharacter(): LoadFailure {
  return new LoadFailure('incomplete_record', 'The content ends in the middle of a character.')
}
