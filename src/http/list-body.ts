import { type ByteWriter, createByteWriter, type Span } from '../domain/byte-writer.ts'

/** About what stands beside the items, and around each of them. */
const ROOM_AROUND = 512
const ROOM_BETWEEN = 64

interface List<Item> {
  items: readonly Item[]
  write: (out: ByteWriter, item: Item) => void
}

/**
 * A JSON object with a list of items between its other members. Each item is written by `write`, as JSON made from the
 * JSON that is stored. It is made in `out`, or in memory of its own.
 */
export function listBody<Item extends Span>(
  before: object,
  { items, write }: List<Item>,
  after: object,
  out = createByteWriter(roomFor(items)),
): Buffer {
  const head = JSON.stringify(before).slice(0, -1)
  out.write(head.length > 1 ? `${head},"items":[` : `${head}"items":[`)
  writeList(out, items, write)
  out.write('],')
  out.write(JSON.stringify(after).slice(1))
  return out.bytes()
}

function roomFor(items: readonly Span[]): number {
  return items.reduce((sum, { start, end }) => sum + end - start + ROOM_BETWEEN, ROOM_AROUND)
}

const COMMA = Buffer.from(',')

/** Items with a comma between them. */
export function writeList<Item>(
  out: ByteWriter,
  items: readonly Item[],
  write: (out: ByteWriter, item: Item) => void,
): void {
  let isFirst = true
  for (const item of items) {
    if (!isFirst) out.write(COMMA)
    isFirst = false
    write(out, item)
  }
}
