import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { isAlive, withLock } from '../../../src/embedded/lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'lock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Above the largest process id any system hands out. */
const NOBODY = 2 ** 30

test('two holders come one after the other and the lock file is gone afterwards', async () => {
  const file = join(folder, 'turns.lock')
  const steps: string[] = []
  const hold = (name: string) =>
    withLock(file, async () => {
      steps.push(`${name} in`)
      await sleep(20)
      steps.push(`${name} out`)
    })
  await Promise.all([hold('a'), hold('b')])
  expect(steps).toEqual(['a in', 'a out', 'b in', 'b out'])
  expect(existsSync(file)).toBe(false)
})

test('a lock whose holder died is taken over', async () => {
  const file = join(folder, 'dead.lock')
  writeFileSync(file, String(NOBODY))
  expect(await withLock(file, async () => 'done')).toBe('done')
})

test('work that fails gives the lock back', async () => {
  const file = join(folder, 'failing.lock')
  await expect(withLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(existsSync(file)).toBe(false)
})

test('a process is alive or not', () => {
  expect([isAlive(process.pid), isAlive(NOBODY)]).toEqual([true, false])
})
