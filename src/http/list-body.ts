import type { ByteWriter, Span } from '../domain/byte-writer.ts'

/** About what stands beside the items, and around each of them. */
const ROOM_AROUND = 512
const ROOM_BETWEEN = 64

/** What an object that lists them needs at most, for items that are hardly longer than they are stored. */
export function roomFor(items: readonly Span[]): number {
  return items.reduce((sum, { start, end }) => sum + end - start + ROOM_BETWEEN, ROOM_AROUND)
}

/** A JSON object with a list of items between its other members, written into `out`. */
export function listBody(
  out: ByteWriter,
  [before, after]: readonly [object, object],
  writeItems: () => void,
): Buffer {
  const head = JSON.stringify(before).slice(0, -1)
  out.write(head.length > 1 ? `${head},"items":[` : `${head}"items":[`)
  writeItems()
  out.write('],')
  out.write(JSON.stringify(after).slice(1))
  return out.bytes()
}

const COMMA = Buffer.from(',')

/** Items with a comma between them, each written by `write`, as JSON made from the JSON that is stored. */
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
