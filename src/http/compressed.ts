import { pipeline } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { ContentCoding } from './encoding.ts'

/** How the file of a compressed body is called; an uncompressed one has a suffix too, so that no name begins another. */
export const SUFFIXES: Record<ContentCoding | 'identity', string> = {
  identity: '.raw',
  gzip: '.gz',
  br: '.br',
}

export const GZIP_LEVEL = 5
/** About as fast as gzip at its usual level, and smaller. */
const BROTLI_QUALITY = 4
const OUT_BYTES = 1 << 16
/** As much may wait for the compressor: less than the shortest piece that is given back (export-folder.ts). */
const WAITING_BYTES = 1 << 14

/**
 * Bytes compressed as they come, off the main thread. A failure of the source is passed on. A chunk that is larger than
 * WAITING_BYTES has been read when the next is asked for.
 */
export function compressed(
  chunks: AsyncIterable<Uint8Array>,
  coding: ContentCoding,
): AsyncIterable<Uint8Array> {
  // The callback form ties both ends together: a failed source fails the reader, an early return ends the source.
  return pipeline(chunks, compressor(coding), () => undefined)
}

function compressor(coding: ContentCoding) {
  const options = { chunkSize: OUT_BYTES, writableHighWaterMark: WAITING_BYTES }
  if (coding === 'gzip') return createGzip({ ...options, level: GZIP_LEVEL })
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
  return createBrotliCompress({ ...options, params })
}
