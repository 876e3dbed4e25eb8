import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@elastic/elasticsearch'
import type { TestProject } from 'vitest/node'
import { findElasticsearch } from '../../src/embedded/find-elasticsearch.ts'
import { buildLog } from '../../src/log.ts'
import { withQuickStart } from './quick-start.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** the address of the run's Elasticsearch */
    elasticsearch: string
    /** what every index of this run starts with */
    runPrefix: string
  }
}

/** Gives the whole run one real Elasticsearch, found or started as the product does it, and clears up after it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pharmacy-registry-test-'))
  const found = await findElasticsearch({
    url: process.env.ELASTICSEARCH_URL,
    dataDir,
    env: project.name === 'integration' ? withQuickStart(process.env) : process.env,
    log: buildLog({ level: process.env.LOG_LEVEL ?? 'warn' }),
    isEphemeral: true,
    ephemeralIn: memoryFolder(),
    ...(process.env.TEST_ELASTICSEARCH_FROM === 'docker' ? { only: 'docker' as const } : {}),
  })
  const runPrefix = `test-${randomBytes(4).toString('hex')}`
  project.provide('elasticsearch', found.node)
  project.provide('runPrefix', runPrefix)
  return async () => {
    // A node of our own goes as a whole; a cluster that was lent is left as it was.
    if (found.kind === 'external') await removeEverything(found.node, runPrefix)
    await found.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const MEMORY = '/dev/shm'
/** Far more than the tests write. */
const MIN_FREE_BYTES = 4 * 1024 ** 3

/**
 * Memory that looks like a disk, where there is plenty of it. Tests make and remove thousands of small indices, and a
 * third of all time went into finding new file numbers among those just freed.
 */
function memoryFolder(): string | undefined {
  if (!existsSync(MEMORY)) return undefined
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= MIN_FREE_BYTES ? join(MEMORY, 'pharmacy-registry-tests') : undefined
}

async function removeEverything(node: string, runPrefix: string): Promise<void> {
  const client = new Client({ nodes: node.split(',') })
  const indices = await client.indices.get({ index: `${runPrefix}-*`, expand_wildcards: 'all' })
  for (const index of Object.keys(indices)) await client.indices.delete({ index })
  await client.indices.deleteIndexTemplate({ name: `${runPrefix}-*` }, { ignore: [404] })
  await client.close()
}
