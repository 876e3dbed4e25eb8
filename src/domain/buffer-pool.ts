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

/** All that lie ready together. */
const MAX_KEPT_BYTES = 1 << 24

/** What is lent has so many bytes, or more where it came back larger. */
export function createBufferPool(bytes = 1 << 19): BufferPool {
  const kept: Buffer[] = []
  let keptBytes = 0
  return {
    lend() {
      // The last one first: it is still in the processor's caches.
      const buffer = kept.pop()
      if (!buffer) return Buffer.allocUnsafeSlow(bytes)
      keptBytes -= buffer.length
      return buffer
    },
    giveBack(buffer) {
      if (keptBytes + buffer.length > MAX_KEPT_BYTES) return
      kept.push(buffer)
      keptBytes += buffer.length
    },
  }
}
