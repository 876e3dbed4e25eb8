import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateDemo } from '../../../demo/generate.ts'
import { type SourceDefinition, territoriesOf } from '../../../src/domain/definition.ts'
import type { LoadRequest } from '../../../src/load/context.ts'
import { readDefinitions } from '../../../src/sources/definitions.ts'
import type { RunDocument } from '../../../src/store/runs.ts'
import { readDocument } from '../../support/documents.ts'
import { openTestRegistry, type TestRegistry } from '../../support/loading.ts'
import { type Service, serveRegistry } from '../../support/service.ts'

let folder: string
let registry: TestRegistry
let service: Service
let definitions: SourceDefinition[]
let requests: (LoadRequest & { definition: SourceDefinition })[]
let runs: RunDocument[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'demo-'))
  registry = await openTestRegistry()
  const { sourcesDir, snapshots } = await generateDemo(folder, {
    now: new Date().toISOString(),
    seed: 1,
  })
  definitions = await readDefinitions(sourcesDir)
  requests = snapshots.flatMap(({ slug, file, observed_at }) =>
    definitions
      .filter((definition) => definition.slug === slug)
      .map((definition) => ({ definition, file, observedAt: observed_at })),
  )
  runs = await registry.load(...requests)
  service = await serveRegistry(registry.db)
}, 180_000)
afterAll(async () => {
  await service.close()
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a newcomer gets a year of committed runs, and the loader then finds nothing new', async () => {
  expect(
    runs.map(({ territory_code, status, warnings }) => [territory_code, status, warnings]),
  ).toEqual(requests.map(({ definition }) => [territoriesOf(definition)[0], 'committed', []]))
  const again = await registry.load(...definitions.map((definition) => ({ definition })))
  expect(again.map(({ status }) => status)).toEqual(definitions.map(() => 'unchanged'))
  expect(await registry.broken()).toEqual([])
})

/** The calls of the README's tour, each with the answer that is shown below it. */
const tour = [
  ...readDocument('README.md').matchAll(/```sh\n(curl [\s\S]*?)```\n([\s\S]*?)(?=```sh|\n## )/g),
]
const calls = tour.flatMap(([, block = '', below = '']) => {
  const shown = [...below.matchAll(/```json\n([\s\S]*?)```/g)].flatMap(([, text]) =>
    answersIn(text),
  )
  const lines = block.trimEnd().split('\n')
  const json = lines.filter((line) => !line.includes(' -D '))
  return lines.map((line) => ({ line, shown: shown[json.indexOf(line)] }))
})

/** One answer of several lines, or several of them that begin at the left margin. */
function answersIn(text = ''): object[] {
  return text.split(/\n(?={)/).map((answer) => JSON.parse(answer))
}

/** Which fields there are, at the top and of the first of each list. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
}

test.each(calls)('the tour, as it stands: $line', async ({ line, shown }) => {
  const { stdout } = await promisify(execFile)('sh', ['-c', line], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      KEY: await service.key(),
      API: `${service.url}/v1/farmacias`,
    },
  })
  if (shown) expect(shapeOf(JSON.parse(stdout))).toEqual(shapeOf(shown))
  else expect(stdout).toMatch(/^HTTP\/1\.1 200 OK\r\n(.*\r\n)*X-Changes-Cursor: \d+\r\n/)
})
