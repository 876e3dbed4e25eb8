import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { loadDemo } from '../../src/demo.ts'
import { findElasticsearch } from '../../src/embedded/find-elasticsearch.ts'
import { docsMounts } from '../../src/http/docs-page.ts'
import { endpoints } from '../../src/http/routes.ts'
import { buildServer } from '../../src/http/server.ts'
import type { LoadContext } from '../../src/load/context.ts'
import { loadFolders } from '../../src/load/load-folders.ts'
import { buildLog } from '../../src/log.ts'
import { connect } from '../../src/store/client.ts'
import { type Db, openDb } from '../../src/store/db.ts'
import { ensureIndices } from '../../src/store/indices.ts'
import { openKeys } from '../../src/store/keys.ts'
import { createState, readState } from '../../src/store/state-document.ts'
import { openStore } from '../../src/store/store.ts'

/** A real service over the demo data, in indices of its own. */
export interface ContractService {
  url: string
  /** for the loaded territories, and for all there could be */
  keys: { loaded: string; everywhere: string }
  territories: string[]
  /** some of the pharmacies, as territory|external_id */
  pharmacies: string[]
  answered(): number
  statuses(): ReadonlyMap<number, number>
  close(): Promise<void>
}

export async function openContractService(folder: string): Promise<ContractService> {
  const log = buildLog({ level: 'error' })
  const found = await findElasticsearch({
    url: process.env.ELASTICSEARCH_URL,
    dataDir: folder,
    env: process.env,
    log,
    isEphemeral: true,
  })
  const client = connect({ url: found.node })
  const db = openDb(client, `contract-${randomBytes(4).toString('hex')}`)
  await ensureIndices(db, { shards: 1, replicas: 0 })
  await createState(db)
  const context: LoadContext = {
    db,
    log,
    ...loadFolders(folder, db.prefix),
    owner: 'contract',
    now: Date.now,
    leaseWaitMs: 60_000,
  }
  await loadDemo(context, { dataDir: folder, say: (text) => process.stderr.write(`${text}\n`) })
  const statuses = new Map<number, number>()
  const keys = openKeys(db)
  const server = buildServer({
    store: openStore(db),
    endpoints,
    keys,
    log,
    rateLimitPerMinute: 0,
    static: docsMounts(),
    exports: { folder: join(folder, 'exports') },
    onAnswer: ({ status }) => statuses.set(status, (statuses.get(status) ?? 0) + 1),
    // Thousands of requests that wait for nothing would take hours.
    watchLimits: { all: 100, perKey: 100, longestMs: 20 },
  })
  const { url } = await server.listen(0, '127.0.0.1')
  const territories = Object.keys((await readState(db)).state.territories)
  const issue = async (scope: string[] | null) =>
    (await keys.issue({ name: 'contract', territories: scope, expires_at: null })).key
  return {
    url,
    keys: { loaded: await issue(territories), everywhere: await issue(null) },
    territories,
    pharmacies: await somePharmacies(db),
    answered: () => [...statuses.values()].reduce((sum, count) => sum + count, 0),
    statuses: () => statuses,
    async close() {
      await server.close()
      const indices = await client.indices.get({ index: `${db.prefix}-*` })
      for (const index of Object.keys(indices)) await client.indices.delete({ index })
      await client.close()
      await found.stop()
    },
  }
}

async function somePharmacies(db: Db): Promise<string[]> {
  const answer = await db.client.search<{ territory_code: string; external_id: string }>({
    index: db.alias('pharmacies'),
    size: 40,
    _source: ['territory_code', 'external_id'],
  })
  return answer.hits.hits.map(({ _source: at }) => `${at?.territory_code}|${at?.external_id}`)
}
