/** A piece of a line: text, or bytes that are text already. */
export type Piece = string | Uint8Array

/**
 * The lines of one bulk as bytes. Documents arrive as bytes from a load's spool and are never turned into strings on
 * their way: a first load moves hundreds of megabytes, and what it leaves behind would have to be collected.
 */
export interface BulkBody {
  readonly items: number
  readonly byteLength: number
  /** one item: its action line and, but for deletes, the pieces of its document line */
  add(action: string, document?: readonly Piece[]): void
  /** all lines, as long as nothing is added or cleared */
  bytes(): Buffer
  /** what the item at this position says it does */
  action(position: number): string
  /** a body of its own with the items at these positions */
  pick(positions: readonly number[]): BulkBody
  /** empties it, and keeps the room */
  clear(): void
}

const FIRST_BYTES = 1 << 16
const LINE_END = 0x0a
/** A UTF-16 code unit takes at most three bytes of UTF-8. */
const MAX_BYTES_PER_UNIT = 3

export function createBulkBody(room = FIRST_BYTES): BulkBody {
  let bytes = Buffer.allocUnsafe(room)
  let end = 0
  /** where each item ends */
  let ends: number[] = []

  const make = (more: number) => {
    if (end + more <= bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, end + more))
    bytes.copy(larger, 0, 0, end)
    bytes = larger
  }
  const write = (piece: Piece) => {
    if (typeof piece === 'string') {
      make(piece.length * MAX_BYTES_PER_UNIT)
      end += bytes.write(piece, end)
      return
    }
    make(piece.length)
    bytes.set(piece, end)
    end += piece.length
  }
  const endLine = () => {
    make(1)
    bytes[end] = LINE_END
    end += 1
  }
  const startOf = (position: number) => (position === 0 ? 0 : (ends[position - 1] as number))

  return {
    get items() {
      return ends.length
    },
    get byteLength() {
      return end
    },
    add(action, document) {
      write(action)
      endLine()
      if (document) {
        for (const piece of document) write(piece)
        endLine()
      }
      ends.push(end)
    },
    bytes: () => bytes.subarray(0, end),
    action(position) {
      const start = startOf(position)
      return bytes.toString('utf8', start, bytes.indexOf(LINE_END, start))
    },
    pick(positions) {
      const parts = positions.map((at) => bytes.subarray(startOf(at), ends[at]))
      return bodyOf(parts)
    },
    clear() {
      end = 0
      ends = []
    },
  }
}

/** A body of items that are bytes already, their line ends included. */
function bodyOf(items: readonly Buffer[]): BulkBody {
  const body = createBulkBody(items.reduce((sum, item) => sum + item.length, 0))
  for (const item of items) {
    const line = item.indexOf(LINE_END)
    const document = item.subarray(line + 1, -1)
    body.add(item.toString('utf8', 0, line), document.length > 0 ? [document] : undefined)
  }
  return body
}
