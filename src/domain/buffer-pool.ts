/**
 * Memory for large answers, lent and given back. The engine looks through its whole heap whenever another 64 MB of buffers
 * were made, however short they lived; with an answer in memory of its own that is every sixty answers.
 */
export interface BufferPool {
  /** memory with whatever was in it before; who never gives it back only costs the pool a new one */
  lend(): Buffer
  /** from here on the next may get it: nobody may still read it */
  giveBack(buffer: Buffer): void
}

const BYTES = 1 << 19
const MAX_KEPT = 16
/** One that grew for a giant is not worth keeping. */
const MAX_KEPT_BYTES = 1 << 22

export function createBufferPool(): BufferPool {
  const kept: Buffer[] = []
  return {
    // The last one first: it is still in the processor's caches.
    lend: () => kept.pop() ?? Buffer.allocUnsafeSlow(BYTES),
    giveBack(buffer) {
      if (kept.length < MAX_KEPT && buffer.length <= MAX_KEPT_BYTES) kept.push(buffer)
    },
  }
}
