import { HASH_BYTES } from './hash-column.ts'

/**
 * Ids with their hashes as bytes, for keeping them outside of memory: one entry after another, each of two bytes for the
 * length of the id, the id as its table holds it, and the hash.
 */

const LENGTH_BYTES = 2
/** No entry is longer. */
export const MAX_ENTRY_BYTES = LENGTH_BYTES + 0xffff + HASH_BYTES
const CHUNK_BYTES = 1 << 16

/** Ids by ordinal, from 0 to `size`. */
export interface Packable {
  size: number
  /** null where the id is to be left out */
  id(ordinal: number): Uint8Array | null
  copyHash(to: Uint8Array, at: number, ordinal: number): void
}

/** Chunks of whole entries, all in the same memory: each must have been used when the next is asked for. */
export function* pack({ size, id, copyHash }: Packable): Generator<Uint8Array> {
  let chunk = new Uint8Array(CHUNK_BYTES)
  let end = 0
  for (let ordinal = 0; ordinal < size; ordinal++) {
    const bytes = id(ordinal)
    if (bytes === null) continue
    const room = LENGTH_BYTES + bytes.length + HASH_BYTES
    if (end + room > chunk.length) {
      yield chunk.subarray(0, end)
      if (room > chunk.length) chunk = new Uint8Array(room)
      end = 0
    }
    chunk[end] = bytes.length >> 8
    chunk[end + 1] = bytes.length & 0xff
    chunk.set(bytes, end + LENGTH_BYTES)
    end += room
    copyHash(chunk, end - HASH_BYTES, ordinal)
  }
  yield chunk.subarray(0, end)
}

/** Gives where each id begins and its hash, which follows it; returns how many bytes were whole entries. */
export function unpack(entries: Uint8Array, take: (idAt: number, hashAt: number) => void): number {
  let at = 0
  while (at + LENGTH_BYTES <= entries.length) {
    const start = at + LENGTH_BYTES
    const hashAt = start + (((entries[at] ?? 0) << 8) | (entries[at + 1] ?? 0))
    if (hashAt + HASH_BYTES > entries.length) break
    take(start, hashAt)
    at = hashAt + HASH_BYTES
  }
  return at
}
