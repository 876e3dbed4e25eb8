import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findElasticsearch } from '../../../src/embedded/find-elasticsearch.ts'
import { clearLeftovers, lastingFolder } from '../../../src/embedded/node-folders.ts'
import { openRecord, recordFile, writeRecord } from '../../../src/embedded/record.ts'
import { buildLog } from '../../../src/log.ts'

const folder = mkdtempSync(join(tmpdir(), 'embedded-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const log = buildLog({ level: 'silent' })

/** A machine with nothing unpacked. */
function aMachine(name: string) {
  const cache = join(folder, `${name}-cache`)
  const dataDir = join(folder, `${name}-data`)
  mkdirSync(cache, { recursive: true })
  return { cache, dataDir, env: { ELASTICSEARCH_CACHE_DIR: cache, PATH: '', HOME: folder } }
}

test('a cluster that is named is taken as it is, and is not stopped', async () => {
  const { dataDir, env } = aMachine('named')
  const found = await findElasticsearch({ url: 'http://a:9200,http://b:9200', dataDir, env, log })
  expect([found.node, found.kind]).toEqual(['http://a:9200,http://b:9200', 'external'])
  await found.stop()
  expect(existsSync(dataDir)).toBe(false)
})

test('when nothing works one message says what was tried and the shortest way out', async () => {
  const { cache, dataDir, env } = aMachine('empty')
  await expect(findElasticsearch({ dataDir, env, log, only: 'cache' })).rejects.toThrow(
    [
      'No Elasticsearch was found and none could be started. Tried:',
      `  cache: nothing usable is unpacked in ${cache}`,
      'Shortest way out: start Docker, or install Maven and a JDK 21 or newer, or set ELASTICSEARCH_URL to a cluster that runs.',
    ].join('\n'),
  )
})

test('data that lives in a Docker volume is not replaced by an empty local node', async () => {
  const { dataDir, env } = aMachine('docker')
  writeRecord(dataDir, { id: '0123abcd', home: 'docker' })
  await expect(findElasticsearch({ dataDir, env, log, only: 'maven' })).rejects.toThrow(
    [
      'No Elasticsearch was found and none could be started. Tried:',
      '  maven: the data of this DATA_DIR lives in a Docker volume',
      'Shortest way out: start Docker, or choose another DATA_DIR.',
    ].join('\n'),
  )
})

test('a record that is not ours is refused, not overwritten', () => {
  const { dataDir } = aMachine('foreign')
  mkdirSync(dataDir)
  writeFileSync(recordFile(dataDir), '{"id":7}')
  expect(() => openRecord(dataDir)).toThrow(
    `${recordFile(dataDir)} was not written by this program; move it away to start afresh.`,
  )
})

test('a node keeps its data inside DATA_DIR, or in the cache where its user cannot get there', () => {
  const { cache, dataDir } = aMachine('folders')
  const stranger = { uid: 2 ** 30, gid: 2 ** 30 }
  const here = { cache, dataDir, id: '0123abcd' }
  expect(lastingFolder({ ...here, account: undefined })).toBe(join(dataDir, 'elasticsearch'))
  // mkdtemp made the folder above for its owner alone
  expect(lastingFolder({ ...here, account: stranger })).toBe(join(cache, 'nodes', '0123abcd'))
})

test('folders of nodes whose DATA_DIR or process is gone are cleared, the others stay', () => {
  const { cache, dataDir } = aMachine('leftovers')
  const stranger = { uid: 2 ** 30, gid: 2 ** 30 }
  const { id } = openRecord(dataDir)
  const kept = lastingFolder({ cache, dataDir, id, account: stranger })
  const gone = lastingFolder({
    cache,
    dataDir: join(folder, 'gone'),
    id: '0123abcd',
    account: stranger,
  })
  const dead = join(cache, 'nodes', `process-${2 ** 30}-x`)
  const alive = join(cache, 'nodes', `process-${process.pid}-x`)
  for (const each of [dead, alive]) mkdirSync(each)
  clearLeftovers(cache)
  expect([kept, gone, dead, alive].map((each) => existsSync(each))).toEqual([
    true,
    false,
    false,
    true,
  ])
})
