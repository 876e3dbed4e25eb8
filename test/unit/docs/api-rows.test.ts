import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const CASES = join(ROOT, '../shared/cases/api.md')

/** The cases are kept beside the project; where they are not at hand there is nothing to compare. */
describe.runIf(existsSync(CASES))('the cases of other services', () => {
  test('every row has a test that names it', () => {
    const rows = [...readFileSync(CASES, 'utf8').matchAll(/^\| (\d+) \|/gm)].map(([, row]) =>
      Number(row),
    )
    expect(rows.length).toBeGreaterThan(40)
    const named = new Set<number>()
    for (const file of readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.test.ts')) continue
      const text = readFileSync(join(ROOT, 'test', file), 'utf8')
      for (const [, list = ''] of text.matchAll(/['`]api\.md row ([\d, ]+):/g)) {
        for (const row of list.split(',')) named.add(Number(row))
      }
    }
    expect(rows.filter((row) => !named.has(row))).toEqual([])
  })
})
