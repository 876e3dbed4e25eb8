import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressed } from '../../../src/http/compressed.ts'
import { seededRandom } from '../../support/random.ts'

const CODINGS = [
  { coding: 'gzip', read: gunzipSync },
  { coding: 'br', read: brotliDecompressSync },
] as const

for (const { coding, read } of CODINGS) {
  test(`${coding}: each chunk has been read when the next is asked for`, async () => {
    const random = seededRandom(7)
    const memory = Buffer.alloc(1 << 19)
    const whole: Buffer[] = []
    async function* inOneMemory(): AsyncGenerator<Uint8Array> {
      for (let n = 0; n < 40; n += 1) {
        const chunk = memory.subarray(0, (1 << 17) + random.integer(memory.length - (1 << 17)))
        // Hardly to be compressed, so that the compressor cannot take it all at once.
        for (let at = 0; at < chunk.length; at += 1) chunk[at] = random.integer(200)
        whole.push(Buffer.from(chunk))
        yield chunk
        memory.fill(0)
      }
    }
    const out = await Array.fromAsync(compressed(inOneMemory(), coding))
    expect(read(Buffer.concat(out)).equals(Buffer.concat(whole))).toBe(true)
  })

  test(`${coding}: a failure of the source fails the reader`, async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('some')
      throw new Error('the store went away')
    }
    await expect(Array.fromAsync(compressed(failing(), coding))).rejects.toThrow(
      'the store went away',
    )
  })

  test(`${coding}: who stops reading ends the source`, async () => {
    const ended = Promise.withResolvers<void>()
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.alloc(1 << 18, 'x'.repeat(77))
      } finally {
        ended.resolve()
      }
    }
    for await (const _ of compressed(endless(), coding)) break
    await ended.promise
  })
}
