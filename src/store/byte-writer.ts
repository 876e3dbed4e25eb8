/** A piece of text: as a string, or as its UTF-8 bytes. */
export type Piece = string | Uint8Array

/** Text put together as bytes, in memory that grows and is used again. */
export interface ByteWriter {
  readonly length: number
  write(piece: Piece): void
  /** what was written, as long as nothing more is */
  bytes(): Buffer
  clear(): void
}

const FIRST_BYTES = 1 << 16
/** A UTF-16 code unit takes at most three bytes of UTF-8. */
const MAX_BYTES_PER_UNIT = 3

export function createByteWriter(room = FIRST_BYTES): ByteWriter {
  let bytes = Buffer.allocUnsafe(room)
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
        end += bytes.write(piece, end)
        return
      }
      make(piece.length)
      bytes.set(piece, end)
      end += piece.length
    },
    bytes: () => bytes.subarray(0, end),
    clear() {
      end = 0
    },
  }
}
