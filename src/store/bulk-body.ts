import { createByteWriter, type Piece } from '../domain/byte-writer.ts'

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

const LINE_END = '\n'
const LINE_END_BYTE = 0x0a

export function createBulkBody(room?: number): BulkBody {
  const lines = createByteWriter(room)
  /** where each item ends */
  let ends: number[] = []
  const startOf = (position: number) => (position === 0 ? 0 : (ends[position - 1] as number))

  return {
    get items() {
      return ends.length
    },
    get byteLength() {
      return lines.length
    },
    add(action, document) {
      lines.write(`${action}${LINE_END}`)
      if (document) {
        for (const piece of document) lines.write(piece)
        lines.write(LINE_END)
      }
      ends.push(lines.length)
    },
    bytes: () => lines.bytes(),
    action(position) {
      const bytes = lines.bytes()
      const start = startOf(position)
      return bytes.toString('utf8', start, bytes.indexOf(LINE_END_BYTE, start))
    },
    pick(positions) {
      const bytes = lines.bytes()
      return bodyOf(positions.map((at) => bytes.subarray(startOf(at), ends[at])))
    },
    clear() {
      lines.clear()
      ends = []
    },
  }
}

/** A body of items that are bytes already, their line ends included. */
function bodyOf(items: readonly Buffer[]): BulkBody {
  const body = createBulkBody(items.reduce((sum, item) => sum + item.length, 0))
  for (const item of items) {
    const line = item.indexOf(LINE_END_BYTE)
    const document = item.subarray(line + 1, -1)
    body.add(item.toString('utf8', 0, line), document.length > 0 ? [document] : undefined)
  }
  return body
}
