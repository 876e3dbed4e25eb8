import { expect, test } from 'vitest'
import { createBufferPool } from '../../../src/domain/buffer-pool.ts'

const MB = 1 << 20

test('memory is lent to one at a time, and again once it was given back', () => {
  const pool = createBufferPool()
  const first = pool.lend()
  const second = pool.lend()
  expect(second.buffer === first.buffer).toBe(false)
  pool.giveBack(first)
  expect(pool.lend() === first).toBe(true)
  expect(pool.lend() === first).toBe(false)
})

test.each([
  ['one that grew for a giant', 1, 64 * MB],
  ['many', 200, MB],
])('of %s no more lies ready than 16 MB', (_what, count, bytes) => {
  const pool = createBufferPool()
  const given = new Set<Buffer>(Array.from({ length: count }, () => Buffer.allocUnsafeSlow(bytes)))
  for (const buffer of given) pool.giveBack(buffer)
  const kept = Array.from({ length: count }, () => pool.lend()).filter((one) => given.has(one))
  expect(kept.length * bytes).toBe(bytes > 16 * MB ? 0 : 16 * MB)
  for (const buffer of kept) pool.giveBack(buffer)
  expect(given.has(pool.lend())).toBe(kept.length > 0)
})
