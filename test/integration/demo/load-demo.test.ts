import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { generateDemo } from '../../../demo/generate.ts'
import { territoriesOf } from '../../../src/domain/definition.ts'
import { readDefinitions } from '../../../src/sources/definitions.ts'
import { registryForTest } from '../../support/loading.ts'

test('a newcomer gets a year of committed runs, and the loader then finds nothing new', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const registry = await registryForTest()
  const { sourcesDir, snapshots } = await generateDemo(folder, {
    now: new Date().toISOString(),
    seed: 1,
  })
  const definitions = await readDefinitions(sourcesDir)
  const requests = snapshots.flatMap(({ slug, file, observed_at }) =>
    definitions
      .filter((definition) => definition.slug === slug)
      .map((definition) => ({ definition, file, observedAt: observed_at })),
  )

  const runs = await registry.load(...requests)
  expect(
    runs.map(({ territory_code, status, warnings }) => [territory_code, status, warnings]),
  ).toEqual(requests.map(({ definition }) => [territoriesOf(definition)[0], 'committed', []]))
  const again = await registry.load(...definitions.map((definition) => ({ definition })))
  expect(again.map(({ status }) => status)).toEqual(definitions.map(() => 'unchanged'))
  expect(await registry.broken()).toEqual([])
}, 180_000)
