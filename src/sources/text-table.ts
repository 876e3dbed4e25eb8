/** Many texts, by number, as bytes: a string for each would take several times their size, and keep its source alive. */
export interface TextTable {
  at(index: number): string
}

const BATCH_CHARS = 1 << 16

/** Collects the texts; `end` gives the table. */
export function textTable(): { add(text: string): void; end(): TextTable } {
  const batches: Buffer[] = []
  const ends: number[] = []
  let pending: string[] = []
  let chars = 0
  let bytes = 0
  const flush = () => {
    batches.push(Buffer.from(pending.join('')))
    pending = []
    chars = 0
  }
  return {
    add(text) {
      bytes += Buffer.byteLength(text)
      ends.push(bytes)
      pending.push(text)
      chars += text.length
      if (chars > BATCH_CHARS) flush()
    },
    end() {
      flush()
      const all = Buffer.concat(batches)
      return {
        at(index) {
          const end = ends[index]
          return end === undefined ? '' : all.toString('utf8', ends[index - 1] ?? 0, end)
        },
      }
    },
  }
}
