import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorkFolder } from '../../../src/load/work-folder.ts'

let workDir: string
beforeEach(() => {
  workDir = join(mkdtempSync(join(tmpdir(), 'pharmacy-registry-work-')), 'work')
})
afterEach(() => rmSync(workDir, { recursive: true, force: true }))

const DAY_MS = 86_400_000

function left(name: string, days: number): void {
  const path = join(workDir, name)
  if (name.endsWith('/')) {
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'rows'), 'rows')
  } else writeFileSync(path, 'rows')
  const then = new Date(Date.now() - days * DAY_MS)
  utimesSync(path, then, then)
}

describe('a work folder', () => {
  it('is one of its own, and goes away', async () => {
    const [one, other] = [
      await openWorkFolder(workDir, 'load'),
      await openWorkFolder(workDir, 'load'),
    ]
    expect(one.path).not.toBe(other.path)
    writeFileSync(join(one.path, 'rows'), 'rows')
    await one.remove()
    expect([existsSync(one.path), existsSync(other.path)]).toEqual([false, true])
  })

  it('takes with it what killed loads left a week ago, and nothing younger', async () => {
    mkdirSync(workDir, { recursive: true })
    left('load-old/', 8)
    left('spool-7.ndjson', 8)
    left('load-young/', 6)
    left('spool-8.ndjson', 6)
    const { path } = await openWorkFolder(workDir, 'load')
    expect(readdirSync(workDir).sort()).toEqual(
      ['load-young', 'spool-8.ndjson', path.slice(workDir.length + 1)].sort(),
    )
  })
})
