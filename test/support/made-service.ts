import { connect } from '../../src/store/client.ts'
import { type Db, openDb } from '../../src/store/db.ts'
import { ensureIndices } from '../../src/store/indices.ts'
import type { RegistryState } from '../../src/store/state.ts'
import { type MadeOptions, type MadeRegistry, makeRegistry } from './made-registry.ts'
import { elasticsearchUrl, testPrefix } from './registry.ts'
import { type Service, serveRegistry } from './service.ts'

/** A running API over a made registry. */
export interface MadeService extends Service {
  made: MadeRegistry
  /** the instant all requests arrive at; move it to let time pass */
  clock: { now: string }
  /** replaces the committed state, as a commit by somebody else would */
  setState(state: RegistryState): Promise<void>
}

/** Stores a made registry under a prefix of its own and serves it. */
export async function serveMade(
  options: MadeOptions,
  now: string,
  { shards = 2 }: { shards?: number } = {},
): Promise<MadeService> {
  const client = connect({ url: elasticsearchUrl() })
  const db = openDb(client, testPrefix())
  await ensureIndices(db, { shards, replicas: 0 })
  const made = makeRegistry(options)
  await storeAll(db, made)
  const clock = { now }
  const service = await serveRegistry(db, { now: () => Date.parse(clock.now) })
  return {
    ...service,
    made,
    clock,
    setState: (state) => storeState(db, state),
    async close() {
      await service.close()
      await client.close()
    },
  }
}

async function storeAll(db: Db, { state, stored }: MadeRegistry): Promise<void> {
  await storeBulk(db, 'pharmacies', stored.pharmacies)
  await storeBulk(db, 'events', stored.events)
  await storeBulk(db, 'changes', stored.changes)
  await storeBulk(db, 'runs', stored.runs)
  await storeState(db, state)
}

async function storeBulk(
  db: Db,
  name: 'pharmacies' | 'events' | 'changes' | 'runs',
  documents: readonly object[],
): Promise<void> {
  const index = db.alias(name)
  const result = await db.client.helpers.bulk({
    datasource: [...documents],
    onDocument: () => ({ index: { _index: index } }),
    onDrop: ({ error }) => {
      throw new Error(`not stored in ${index}: ${error?.reason}`)
    },
  })
  if (result.failed > 0) throw new Error(`${result.failed} documents not stored in ${index}`)
  await db.client.indices.refresh({ index })
}

async function storeState(db: Db, state: RegistryState): Promise<void> {
  await db.client.index({ index: db.alias('state'), id: 'registry', document: { body: state } })
}
