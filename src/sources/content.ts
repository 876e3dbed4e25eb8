import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline as pipe, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { SourceDefinition } from '../domain/definition.ts'
import { LoadFailure } from '../domain/problem.ts'
import { openZip } from './zip.ts'

/** The bytes of one document, unpacked; may be read any number of times. */
export interface Content {
  bytes(): AsyncGenerator<Buffer>
}

/** Decoded and parsed in one go, in about a millisecond: one answer of the same process waits for several such turns. */
const CHUNK_BYTES = 32 * 1024

/** What an archive may unpack to when the definition sets no limit of its own: a guard against bombs. */
const UNPACKED_MAX_BYTES = 2_000_000_000

const GZIP = Buffer.from([0x1f, 0x8b])
const ZIP = Buffer.from('PK')

/**
 * The content of a raw file, or of a span of it. A gzip body is recognised by its first bytes; a zip archive is
 * opened where the definition names the entry (a workbook is itself a zip, and is left as it is).
 */
export async function openContent(
  definition: SourceDefinition,
  file: string,
  span: { start: number; end: number } | null = null,
): Promise<Content> {
  const { fetch, parse } = definition
  const maxBytes = fetch.max_bytes ?? UNPACKED_MAX_BYTES
  const head = await readHead(file, span?.start ?? 0)
  const raw = () => readRaw(file, span)
  if (head.subarray(0, 2).equals(GZIP)) return { bytes: () => gunzip(raw(), maxBytes) }
  const isZip = head.subarray(0, 2).equals(ZIP)
  const { unzip } = fetch
  if (unzip) {
    if (!isZip) throw new LoadFailure('unexpected_content', notZip(head))
    return { bytes: () => unzipped(file, unzip.entry, maxBytes) }
  }
  if (isZip && parse.format !== 'xlsx') throw await namelessEntry(file)
  return { bytes: raw }
}

/** Writes a content that is packed into a file of its own, for readers that must jump about in it. */
export async function unpackTo(content: Content, path: string): Promise<void> {
  await pipeline(Readable.from(content.bytes(), { objectMode: false }), createWriteStream(path))
}

export async function readHead(file: string, start: number, length = 512): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function* readRaw(
  file: string,
  span: { start: number; end: number } | null,
): AsyncGenerator<Buffer> {
  if (span && span.end < span.start) return
  yield* createReadStream(file, { highWaterMark: CHUNK_BYTES, ...span })
}

async function* gunzip(raw: AsyncGenerator<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  // The callback form ties both ends together: a failed read fails the reader, an early return closes the file.
  const inflated = pipe(Readable.from(raw), createGunzip({ chunkSize: CHUNK_BYTES }), () => {})
  try {
    yield* limited(inflated, maxBytes)
  } catch (error) {
    if (error instanceof LoadFailure) throw error
    if (isZlibError(error, 'Z_BUF_ERROR')) {
      throw new LoadFailure('truncated_body', 'The gzip data stops before its end.', error)
    }
    if (isZlibError(error, 'Z_')) {
      throw new LoadFailure(
        'unexpected_content',
        `The gzip data is damaged: ${error.message}.`,
        error,
      )
    }
    throw error
  }
}

async function* unzipped(file: string, entry: string, maxBytes: number): AsyncGenerator<Buffer> {
  const zip = await openZip(file)
  try {
    yield* limited(zip.read(entry), maxBytes)
  } finally {
    zip.close()
  }
}

async function* limited(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      throw new LoadFailure('too_large', `The content unpacks to more than ${maxBytes} bytes.`)
    }
    yield chunk
  }
}

function isZlibError(error: unknown, prefix: string): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith(prefix)
}

function notZip(head: Buffer): string {
  const html = /^\s*<(!doctype|html)/i.test(head.toString('latin1'))
  return html ? 'An HTML page arrived instead of a zip archive.' : 'The file is no zip archive.'
}

async function namelessEntry(file: string): Promise<LoadFailure> {
  const zip = await openZip(file)
  zip.close()
  return new LoadFailure(
    'unexpected_content',
    `A zip archive arrived: name one of its entries in fetch.unzip.entry (${zip.names.slice(0, 5).join(', ')}).`,
  )
}
