import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { caseNames, playCase } from '../support/cases.ts'
import { openTestRegistry, type TestRegistry } from '../support/loading.ts'

const CASES = fileURLToPath(new URL('../cases', import.meta.url))

const KINDS = [
  'transport',
  'paging',
  'bytes',
  'rows',
  'cells',
  'coordinates',
  'identity',
  'comparison',
  'events',
  'guards',
]

let registry: TestRegistry
beforeAll(async () => {
  registry = await openTestRegistry()
})
beforeEach(() => registry.empty())
afterAll(() => registry.close())

test('every kind of fault has a case', () => {
  const kinds = caseNames(CASES).map((name) => {
    const { kind } = parse(readFileSync(`${CASES}/${name}/case.yaml`, 'utf8')) as { kind: string }
    return kind
  })
  expect([...new Set(kinds)].sort()).toEqual([...KINDS].sort())
})

test.each(caseNames(CASES))('%s', async (name) => {
  await playCase(`${CASES}/${name}`, registry)
})
