import { expect, test } from 'vitest'
import { createBufferPool } from '../../../src/domain/buffer-pool.ts'

test('memory is lent to one at a time, and again once it was given back', () => {
  const pool = createBufferPool()
  const first = pool.lend()
  const second = pool.lend()
  expect(second.buffer === first.buffer).toBe(false)
  pool.giveBack(first)
  expect(pool.lend() === first).toBe(true)
  expect(pool.lend() === first).toBe(false)
})

test('what grew for a giant is not kept, and neither is more than a few', () => {
  const pool = createBufferPool()
  const lent = Array.from({ length: 200 }, () => pool.lend())
  const givenBack = new Set([...lent, Buffer.allocUnsafe(64 << 20)])
  for (const buffer of givenBack) pool.giveBack(buffer)
  const kept = Array.from({ length: 201 }, () => pool.lend()).filter((one) => givenBack.has(one))
  expect(kept.length).toBeGreaterThan(0)
  expect(kept.reduce((bytes, { length }) => bytes + length, 0)).toBeLessThan(64 << 20)
})
