import { type ByteWriter, createByteWriter, type Span } from '../domain/byte-writer.ts'

/** About what stands beside the items, and around each of them. */
const ROOM_AROUND = 512
const ROOM_BETWEEN = 64

/**
 * A JSON object with a list of items between its other members. Each item is written by `write`, as JSON made from the
 * JSON that is stored.
 */
export function listBody<Item extends Span>(
  before: object,
  { items, write }: { items: readonly Item[]; write: (out: ByteWriter, item: Item) => void },
  after: object,
): Buffer {
  const sizes = items.reduce((sum, { start, end }) => sum + end - start + ROOM_BETWEEN, ROOM_AROUND)
  const out = createByteWriter(sizes)
  const head = JSON.stringify(before).slice(0, -1)
  out.write(head.length > 1 ? `${head},"items":[` : `${head}"items":[`)
  writeList(out, items, write)
  out.write('],')
  out.write(JSON.stringify(after).slice(1))
  return out.bytes()
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
