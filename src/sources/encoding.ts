import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import type { SourceDefinition } from '../domain/definition.ts'
import { LoadFailure } from '../domain/problem.ts'
import type { Content } from './content.ts'
import { incompleteTail, utf8Length } from './decode.ts'

const HEAD_BYTES = 1024

/**
 * The encoding in which a content must be read, as iconv-lite names it. A source declared single-byte that has
 * become UTF-8 is refused here, before a header is misread; `auto` follows such a switch.
 */
export async function resolveEncoding(
  definition: SourceDefinition,
  content: Content,
): Promise<string> {
  const declared = definition.decode.encoding
  const head = await headOf(content)
  const mark = markOf(head)
  if (declared === 'auto') return mark ?? (await guess(definition, content, head))
  if (declared === 'utf-16le') {
    if (mark !== 'utf-16le' && head.length > 1 && !looksUtf16(head)) throw differs(declared, 'auto')
    return declared
  }
  if (mark?.startsWith('utf-16') || looksUtf16(head)) throw differs(declared, 'utf-16le')
  if (declared !== 'utf-8') await refuseUtf8(declared, content)
  return declared
}

async function refuseUtf8(declared: string, content: Content): Promise<void> {
  const found = await scan(content)
  if (found === 'multi-byte') throw differs(declared, 'utf-8')
  if (found === 'damaged') throw damaged()
}

async function guess(
  definition: SourceDefinition,
  content: Content,
  head: Buffer,
): Promise<string> {
  if (looksUtf16(head)) return 'utf-16le'
  const label = definition.parse.format === 'xml' ? xmlDeclared(head) : null
  if (label && !iconv.encodingExists(label)) {
    throw new LoadFailure('encoding', `The XML declaration names an unknown encoding, ${label}.`)
  }
  if (label && /^utf-?8$/i.test(label)) return 'utf-8'
  // A declared single-byte encoding is no proof: converters forget to rewrite it, valid UTF-8 is never an accident.
  const found = await scan(content)
  if (found === 'multi-byte') return 'utf-8'
  if (found === 'damaged') throw damaged()
  if (label) return label.toLowerCase()
  return found === 'ascii' ? 'utf-8' : 'windows-1252'
}

function damaged(): LoadFailure {
  return new LoadFailure(
    'encoding',
    'Most of the content is utf-8, but some bytes do not fit it: read in another encoding every accent would change. ' +
      'Tell the publisher if the next load finds it so again.',
  )
}

function differs(declared: string, found: string): LoadFailure {
  const what =
    found === 'auto'
      ? `is not in the declared encoding ${declared}`
      : `is ${found}, not ${declared} as declared`
  return new LoadFailure('encoding', `The content ${what}: declare decode.encoding: ${found}.`)
}

function markOf(head: Buffer): string | null {
  if (head.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) return 'utf-8'
  if (head.subarray(0, 2).equals(Buffer.from([0xff, 0xfe]))) return 'utf-16le'
  if (head.subarray(0, 2).equals(Buffer.from([0xfe, 0xff]))) return 'utf-16be'
  return null
}

/** Western text in UTF-16LE has a zero in almost every second byte; no other encoding has any. */
function looksUtf16(head: Buffer): boolean {
  let zeros = 0
  for (let at = 1; at < head.length; at += 2) if (head[at] === 0) zeros += 1
  return zeros > head.length / 8
}

function xmlDeclared(head: Buffer): string | null {
  const match = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(head.toString('latin1'))
  return match?.[1] ?? null
}

async function headOf(content: Content): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content.bytes()) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= HEAD_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES)
}

/**
 * No byte above 7F; valid UTF-8; UTF-8 with some bytes that do not fit it, as a cut, or two files put together, leave it;
 * or another encoding.
 */
type Found = 'ascii' | 'multi-byte' | 'damaged' | 'other'

const scanned = new WeakMap<Content, Promise<Found>>()

/** Reads a content for its encoding; once per content. */
function scan(content: Content): Promise<Found> {
  const scanning = scanned.get(content) ?? scanBytes(content)
  scanned.set(content, scanning)
  return scanning
}

async function scanBytes(content: Content): Promise<Found> {
  let isMultiByte = false
  for await (const bytes of wholeCharacters(content)) {
    if (isAscii(bytes)) continue
    if (!isUtf8(bytes)) return (await isMostlyUtf8(content)) ? 'damaged' : 'other'
    isMultiByte = true
  }
  return isMultiByte ? 'multi-byte' : 'ascii'
}

/** The bytes as they come, but no character of UTF-8 in two parts; one that is cut at the end of all comes by itself. */
async function* wholeCharacters(content: Content): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of content.bytes()) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const whole = bytes.subarray(0, bytes.length - incompleteTail(bytes))
    rest = bytes.subarray(whole.length)
    yield whole
  }
  if (rest.length > 0) yield rest
}

/** So many more bytes that do not fit than characters that do: it is no UTF-8, whatever follows. */
const CERTAIN = 1000

/** Two letters of a single-byte encoding rarely look like one character of UTF-8, and a broken one is rare in UTF-8. */
async function isMostlyUtf8(content: Content): Promise<boolean> {
  let characters = 0
  let misfits = 0
  for await (const bytes of wholeCharacters(content)) {
    const counted = countUtf8(bytes)
    characters += counted.characters
    misfits += counted.misfits
    if (misfits > characters + CERTAIN) return false
  }
  return characters >= misfits
}

/** How many characters of several bytes there are, and how many bytes above 7F that belong to none. */
function countUtf8(bytes: Buffer): { characters: number; misfits: number } {
  let characters = 0
  let misfits = 0
  for (let at = 0; at < bytes.length; ) {
    const length = utf8Length(bytes[at] as number)
    const isCharacter = length > 1 && isUtf8(bytes.subarray(at, at + length))
    if (isCharacter) characters += 1
    else if ((bytes[at] as number) > 0x7f) misfits += 1
    at += isCharacter ? length : 1
  }
  return { characters, misfits }
}
