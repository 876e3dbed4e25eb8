import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { caseNames, playCase } from '../support/cases.ts'
import { openTestRegistry, type TestRegistry } from '../support/loading.ts'

/** Faults seen in public registers; the folder lies beside a development checkout, not in the repository. */
const HANDED = fileURLToPath(new URL('../../../shared/cases', import.meta.url))

describe.runIf(existsSync(HANDED))('handed loader cases', () => {
  let registry: TestRegistry
  beforeAll(async () => {
    registry = await openTestRegistry()
  })
  beforeEach(() => registry.empty())
  afterAll(() => registry.close())

  test('all 77 are there', () => {
    expect(caseNames(HANDED)).toHaveLength(77)
  })

  test.each(caseNames(HANDED))('%s', async (name) => {
    await playCase(`${HANDED}/${name}`, registry)
  })
})
