import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import type { SourceDefinition } from '../domain/definition.ts'
import { LoadFailure } from '../domain/problem.ts'
import type { Content } from './content.ts'
import { incompleteTail } from './decode.ts'

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
  if (declared !== 'utf-8' && (await isMultiByteUtf8(content))) throw differs(declared, 'utf-8')
  return declared
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
  if (await isMultiByteUtf8(content)) return 'utf-8'
  if (label) return label.toLowerCase()
  return (await isValidUtf8(content)) ? 'utf-8' : 'windows-1252'
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

async function isValidUtf8(content: Content): Promise<boolean> {
  return (await scan(content)) !== 'invalid'
}

async function isMultiByteUtf8(content: Content): Promise<boolean> {
  return (await scan(content)) === 'multi-byte'
}

const scanned = new WeakMap<Content, Promise<'ascii' | 'multi-byte' | 'invalid'>>()

/** Reads ahead until the first byte that is no UTF-8; once per content. */
function scan(content: Content): Promise<'ascii' | 'multi-byte' | 'invalid'> {
  const scanning = scanned.get(content) ?? scanBytes(content)
  scanned.set(content, scanning)
  return scanning
}

async function scanBytes(content: Content): Promise<'ascii' | 'multi-byte' | 'invalid'> {
  let rest: Buffer = Buffer.alloc(0)
  let multiByte = false
  for await (const chunk of content.bytes()) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const whole = bytes.subarray(0, bytes.length - incompleteTail(bytes))
    rest = bytes.subarray(whole.length)
    if (isAscii(whole)) continue
    if (!isUtf8(whole)) return 'invalid'
    multiByte = true
  }
  if (rest.length > 0) return 'invalid'
  return multiByte ? 'multi-byte' : 'ascii'
}
