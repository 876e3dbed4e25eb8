import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { readState } from '../../src/store/state-document.ts'
import { startCli } from '../support/cli.ts'
import { openTestRegistry } from '../support/loading.ts'
import { aListed, registerDefinition, writeRegister } from '../support/register.ts'
import { elasticsearchUrl } from '../support/registry.ts'

const folder = mkdtempSync(join(tmpdir(), 'pharmacy-registry-output-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Far more than a load takes, far less than for ever. */
const MAX_MS = 40_000

test('output that nobody reads any more keeps a load neither from its work nor from its end', async () => {
  const registry = await openTestRegistry()
  const { file: _file, ...definition } = registerDefinition(folder, {
    fetch: { kind: 'file', path: './ES-MD.csv' },
  })
  writeFileSync(join(folder, 'register.yaml'), stringify(definition))
  const snapshot = writeRegister(folder, 'ES-MD', [aListed('P1'), aListed('P2')])
  const args = ['load', '--sources', folder, '--source', definition.slug, '--file', snapshot]
  const { child } = startCli([...args, '--json'], {
    ELASTICSEARCH_URL: elasticsearchUrl(),
    INDEX_PREFIX: registry.db.prefix,
    INDEX_REPLICAS: '0',
    DATA_DIR: join(folder, 'data'),
    // Something to say until the end.
    LOG_LEVEL: 'debug',
  })
  child.stdout?.destroy()
  child.stderr?.destroy()
  const signal = AbortSignal.timeout(MAX_MS)
  try {
    expect(await once(child, 'exit', { signal })).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
  }
  const { state } = await readState(registry.db)
  expect(state.territories['ES-MD']).toMatchObject({ active: 2 })
  await registry.close()
})
