import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { SourceDefinition } from '../../src/domain/definition.ts'
import { openKeys } from '../../src/store/keys.ts'
import { runCli } from '../support/cli.ts'
import { commands } from '../support/documents.ts'
import { openTestRegistry, type TestRegistry } from '../support/loading.ts'
import { aListed, registerDefinition, writeRegister } from '../support/register.ts'
import { elasticsearchUrl } from '../support/registry.ts'

/** Every command of the documents that works on a registry, run as it stands there, one after the other. */

/** A snapshot needs a node with a repository of its own, a mirror somebody who serves: these tests have them. */
const RUN_ELSEWHERE = { backup: 'test/faults/backup.ts', mirror: 'test/integration/client/' }

const CALL = 'npm run -s cli -- '
const documented = [
  ...new Set(
    commands()
      .map(({ words }) => words.join(' '))
      .filter((line) => line.startsWith(CALL))
      .map((line) => line.slice(CALL.length))
      .filter((line) => !Object.keys(RUN_ELSEWHERE).includes(line.split(' ')[0] as string)),
  ),
]

const SOME = Array.from({ length: 10 }, (_, at) => aListed(`P${at}`))
let folder: string
let registry: TestRegistry

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pharmacy-registry-documents-'))
  registry = await openTestRegistry()
  source('ES-PV', { slug: 'es-pv-farmacias' })
  // Loaded by its name alone, so that nothing newer is there when its dated snapshot comes.
  source('ES-CT', { slug: 'SLUG', enabled: false })
})
afterAll(async () => {
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A source of the folder that the documents call `sources`. */
function source(territory: string, more: Partial<SourceDefinition>): void {
  const sources = join(folder, 'sources')
  writeRegister(sources, territory, SOME)
  const { file: _file, ...definition } = registerDefinition(sources, {
    territory,
    fetch: { kind: 'file', path: `./${territory}.csv` },
    ...more,
    slug: (more.slug ?? '').toLowerCase(),
  })
  writeFileSync(join(sources, `${territory}.yaml`), stringify(definition))
}

let quarantines = 0

/** A run of a territory of its own that waits for an operator. */
async function quarantinedRun(): Promise<string> {
  quarantines += 1
  const territory = `ES-Q${String.fromCharCode(64 + quarantines)}`
  const definition = registerDefinition(folder, {
    territory,
    guards: { max_removed_ratio: 0.05, floor: 1 },
  })
  const snapshot = (nth: number, rows: typeof SOME) => ({
    definition,
    file: writeRegister(folder, `${territory}-${nth}`, rows),
    observedAt: `2024-01-0${nth}T06:00:00.000Z`,
  })
  const runs = await registry.load(snapshot(1, SOME), snapshot(2, SOME.slice(5)))
  expect(runs.map(({ status }) => status)).toEqual(['committed', 'quarantined'])
  return runs[1]?.run_id ?? ''
}

async function issuedKey(): Promise<string> {
  const keys = openKeys(registry.db, { now: Date.now })
  return (await keys.issue({ name: 'prueba', territories: null, expires_at: null })).id
}

/** What the reader has to fill in. */
async function filledIn(line: string): Promise<string[]> {
  const values: Record<string, () => string | Promise<string>> = {
    sources: () => join(folder, 'sources'),
    SLUG: () => 'slug',
    'snapshot-2025-01-01.csv': () => writeRegister(folder, 'snapshot-2025-01-01', SOME),
    RUN_ID: quarantinedRun,
    KEY_ID: issuedKey,
  }
  const [command = '', ...rest] = line.split(' ')
  return [
    command,
    ...(await Promise.all(rest.map(async (word) => (await values[word]?.()) ?? word))),
  ]
}

describe('the documents', { timeout: 120_000 }, () => {
  test.each(documented)('%s', async (line) => {
    const { code, stderr } = await runCli(await filledIn(line), {
      ELASTICSEARCH_URL: elasticsearchUrl(),
      INDEX_PREFIX: registry.db.prefix,
      INDEX_REPLICAS: '0',
      SOURCES_DIR: join(folder, 'sources'),
      DATA_DIR: join(registry.context.workDir, '..'),
      LOG_LEVEL: 'fatal',
    })
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  })

  test('leave the registry sound', async () => {
    expect(documented.length).toBeGreaterThan(15)
    expect(await registry.broken()).toEqual([])
  })
})
