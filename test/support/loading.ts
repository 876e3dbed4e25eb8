import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Pharmacy } from '../../src/domain/pharmacy.ts'
import type { LoadContext, LoadRequest } from '../../src/load/context.ts'
import { loadAll } from '../../src/load/load-all.ts'
import { loadFolders } from '../../src/load/load-folders.ts'
import { buildLog } from '../../src/log.ts'
import { connect } from '../../src/store/client.ts'
import { type Db, INDICES, type IndexName, openDb } from '../../src/store/db.ts'
import type { ChangeDocument, EventDocument, VersionDocument } from '../../src/store/documents.ts'
import { ensureIndices } from '../../src/store/indices.ts'
import { recordOf } from '../../src/store/previous.ts'
import type { RunDocument } from '../../src/store/runs.ts'
import { scan } from '../../src/store/scan.ts'
import { NEW_REGISTRY, pinOf, type RegistryState } from '../../src/store/state.ts'
import { compareAndSet, createState, readState } from '../../src/store/state-document.ts'
import { visibleRecords, visibleVersions } from '../../src/store/visible.ts'
import { verify } from '../../src/verify/verify.ts'
import { elasticsearchUrl, testPrefix } from './registry.ts'

/** An empty registry of its own on the run's Elasticsearch, ready to load into. */
export interface TestRegistry {
  db: Db
  context: LoadContext
  load(...requests: LoadRequest[]): Promise<RunDocument[]>
  state(): Promise<RegistryState>
  /** the current dataset of one territory, by external_id */
  current(territory: string): Promise<Map<string, Pharmacy>>
  eventsOfRun(run: number): Promise<EventDocument[]>
  changesOfRun(run: number): Promise<ChangeDocument[]>
  /** broken invariants, as text; empty when all hold */
  broken(): Promise<string[]>
  /** makes the registry new again, which is quicker than opening another one */
  empty(): Promise<void>
  close(): Promise<void>
}

export async function openTestRegistry(
  overrides: Partial<LoadContext> = {},
): Promise<TestRegistry> {
  const client = connect({ url: elasticsearchUrl() })
  const db = openDb(client, testPrefix())
  await ensureIndices(db, { shards: 1, replicas: 0 })
  await createState(db)
  const folder = await mkdtemp(join(tmpdir(), 'pharmacy-registry-load-'))
  const context: LoadContext = {
    db,
    log: buildLog({ level: process.env.LOG_LEVEL ?? 'fatal' }),
    ...loadFolders(folder, db.prefix),
    owner: 'test',
    now: Date.now,
    leaseWaitMs: 10_000,
    ...overrides,
  }
  const collect = async <T>(documents: AsyncGenerator<T>) => {
    const all: T[] = []
    for await (const document of documents) all.push(document)
    return all
  }
  const state = async () => (await readState(db)).state
  return {
    db,
    context,
    state,
    load: (...requests) => collect(loadAll(context, requests)),
    async current(territory) {
      const filter = [
        { term: { territory_code: territory } },
        ...visibleVersions(pinOf(await state())),
      ]
      const versions = await collect(
        scan<VersionDocument>(db, 'pharmacies', { filter, sort: [{ external_id: 'asc' }] }),
      )
      return new Map(versions.map((version) => [version.external_id, recordOf(version)]))
    },
    async eventsOfRun(run) {
      const filter = [{ term: { run } }, ...visibleRecords(pinOf(await state()))]
      return collect(scan<EventDocument>(db, 'events', { filter, sort: [{ seq: 'asc' }] }))
    },
    async changesOfRun(run) {
      const filter = [{ term: { run } }, ...visibleRecords(pinOf(await state()))]
      return collect(scan<ChangeDocument>(db, 'changes', { filter, sort: [{ id: 'asc' }] }))
    },
    async broken() {
      const { invariants } = await verify(db)
      return invariants.flatMap(({ invariant, examples }) =>
        examples.map((example) => `${invariant}: ${example}`),
      )
    },
    async empty() {
      const read = await readState(db)
      await Promise.all(CONTENT.map((name) => removeDocuments(db, name)))
      // Run numbers go on: what was written under the old ones is remembered by its version for a while.
      await compareAndSet(db, read, { ...NEW_REGISTRY, next_run: read.state.next_run })
      await rm(folder, { recursive: true, force: true })
    },
    async close() {
      const indices = await client.indices.get({ index: `${db.prefix}-*` })
      // Together, and with their templates: each change of the cluster's state has to be written to disk.
      await client.indices.delete({ index: Object.keys(indices) })
      await client.indices.deleteIndexTemplate({ name: `${db.prefix}-*` })
      await client.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const CONTENT = INDICES.filter((name) => name !== 'state')

async function removeDocuments(db: Db, name: IndexName): Promise<void> {
  const index = db.alias(name)
  await db.client.indices.refresh({ index })
  const { hits } = await db.client.search({ index, size: 10_000, _source: false })
  const operations = hits.hits.map(({ _id }) => ({ delete: { _index: index, _id: _id ?? '' } }))
  if (operations.length > 0) await db.client.bulk({ operations, refresh: true })
}

/** The same for one test: closed when the test ends. */
export async function registryForTest(overrides: Partial<LoadContext> = {}): Promise<TestRegistry> {
  const registry = await openTestRegistry(overrides)
  onTestFinished(() => registry.close())
  return registry
}
