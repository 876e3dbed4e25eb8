import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { canReach } from '../../../src/embedded/places.ts'

const folder = mkdtempSync(join(tmpdir(), 'places-'))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** An account that owns nothing here. */
const stranger = { uid: 2 ** 30, gid: 2 ** 30 }

test('an account reaches a folder when every folder on the way lets others through', () => {
  mkdirSync(join(folder, 'open', 'inner'), { recursive: true })
  expect(canReach(stranger, join(folder, 'open', 'inner'))).toBe(true)
  chmodSync(join(folder, 'open'), 0o700)
  expect(canReach(stranger, join(folder, 'open', 'inner'))).toBe(false)
})

test('a folder that is still to be made counts by those above it', () => {
  expect(canReach(stranger, join(folder, 'not', 'yet'))).toBe(true)
})

test('an owner reaches what is closed to others', () => {
  const own = join(folder, 'own')
  mkdirSync(own, { mode: 0o700 })
  const uid = process.getuid?.() ?? 0
  expect(canReach({ uid, gid: stranger.gid }, own)).toBe(true)
})
