import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { clearYoung } from '../../../src/store/clear-young.ts'

const MB = 1 << 20
const bufferedMb = () => process.memoryUsage().arrayBuffers / MB

test('buffers that nobody uses any more are gone, long before the engine would look for them', async () => {
  clearYoung()
  await sleep(100)
  const before = bufferedMb()
  let held = Array.from({ length: 16 * 16 }, () => Buffer.allocUnsafeSlow(MB / 16))
  expect(bufferedMb() - before).toBeGreaterThan(15)
  held = []
  clearYoung()
  expect(held.length).toBe(0)
  // They are given back beside the program.
  for (let look = 0; look < 50 && bufferedMb() - before > 4; look += 1) await sleep(20)
  expect(bufferedMb() - before).toBeLessThan(4)
})
