/** A piece of text: as a string, or as its UTF-8 bytes. */
export type Piece = string | Uint8Array

/** A part of bytes, from `start` up to `end`, named rather than made: a view of its own costs more than copying it. */
export interface Span {
  bytes: Buffer
  start: number
  end: number
}

/**
 * Text put together as bytes, in memory that grows and is used again. What is stored as JSON and goes out as JSON is
 * cut and joined in this form, and never decoded.
 */
export interface ByteWriter {
  readonly length: number
  write(piece: Piece): void
  copy(bytes: Buffer, start: number, end: number): void
  /** gives `put` the memory, with room for so many bytes from a place on, and goes on where `put` says that it ended */
  fill(atMost: number, put: (memory: Buffer, at: number) => number): void
  /** what was written, as long as nothing more is */
  bytes(): Buffer
  /** the memory it stands in, with room to grow */
  readonly memory: Buffer
  clear(): void
}

const FIRST_BYTES = 1 << 16
/** A UTF-16 code unit takes at most three bytes of UTF-8. */
const MAX_BYTES_PER_UNIT = 3
const NOT_ASCII = 0x80

/** Begins with so many bytes of memory, or with this. */
export function createByteWriter(room: number | Buffer = FIRST_BYTES): ByteWriter {
  let bytes = typeof room === 'number' ? Buffer.allocUnsafe(room) : room
  let end = 0
  const make = (more: number) => {
    if (end + more <= bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, end + more))
    bytes.copy(larger, 0, 0, end)
    bytes = larger
  }
  return {
    get length() {
      return end
    },
    write(piece) {
      if (typeof piece === 'string') {
        make(piece.length * MAX_BYTES_PER_UNIT)
        // A comma, a brace, a line end: many, and not worth a call.
        const only = piece.length === 1 ? piece.charCodeAt(0) : NOT_ASCII
        if (only < NOT_ASCII) bytes[end++] = only
        else end += bytes.write(piece, end)
        return
      }
      make(piece.length)
      bytes.set(piece, end)
      end += piece.length
    },
    copy(from, start, stop) {
      make(stop - start)
      end += from.copy(bytes, end, start, stop)
    },
    fill(atMost, put) {
      make(atMost)
      end = put(bytes, end)
    },
    bytes: () => bytes.subarray(0, end),
    get memory() {
      return bytes
    },
    clear() {
      end = 0
    },
  }
}
