import type Type from 'typebox'
import { Compile } from 'typebox/compile'
import { endpoints } from '../../src/http/routes.ts'
import { buildServer } from '../../src/http/server.ts'
import { buildLog } from '../../src/log.ts'
import { connect } from '../../src/store/client.ts'
import { type Db, openDb } from '../../src/store/db.ts'
import { ensureIndices } from '../../src/store/indices.ts'
import { openKeys } from '../../src/store/keys.ts'
import { openStore } from '../../src/store/store.ts'
import type { RegistryState } from '../../src/store/state.ts'
import { type MadeOptions, type MadeRegistry, makeRegistry } from './made-registry.ts'
import { elasticsearchUrl, testPrefix } from './registry.ts'

/** What a response holds, for assertions. */
export interface Got {
  status: number
  headers: Headers
  text: string
  // The shape is what the tests assert.
  // biome-ignore lint/suspicious/noExplicitAny: a response body is read before anything is known of it
  body: any
}

/** A running API over a made registry. */
export interface MadeService {
  made: MadeRegistry
  db: Db
  url: string
  /** the instant all requests arrive at; move it to let time pass */
  clock: { now: string }
  /** a key for all territories, or for some */
  key(territories?: readonly string[]): Promise<string>
  /** GET as the key for all territories, unless another is given */
  get(path: string, more?: { key?: string; headers?: Record<string, string> }): Promise<Got>
  /** replaces the committed state, as a commit by somebody else would */
  setState(state: RegistryState): Promise<void>
  close(): Promise<void>
}

/** Stores a made registry under a prefix of its own and serves it. */
export async function serveMade(options: MadeOptions, now: string): Promise<MadeService> {
  const client = connect({ url: elasticsearchUrl() })
  const db = openDb(client, testPrefix())
  await ensureIndices(db, { shards: 2, replicas: 0 })
  const made = makeRegistry(options)
  await storeAll(db, made)
  const clock = { now }
  const keys = openKeys(db, { now: () => Date.parse(clock.now) })
  const server = buildServer({
    store: openStore(db),
    endpoints,
    keys,
    log: buildLog({ level: 'silent' }),
    rateLimitPerMinute: 0,
    now: () => Date.parse(clock.now),
  })
  const { url } = await server.listen(0, '127.0.0.1')
  const key = async (territories?: readonly string[]) =>
    (await keys.issue({ name: 'prueba', territories: territories ?? null, expires_at: null })).key
  const everywhere = await key()
  return {
    made,
    db,
    url,
    clock,
    key,
    get: (path, more = {}) => get(`${url}${path}`, { key: everywhere, ...more }),
    setState: (state) => storeState(db, state),
    async close() {
      await server.close()
      await client.close()
    },
  }
}

async function get(
  url: string,
  { key, headers }: { key: string; headers?: Record<string, string> },
): Promise<Got> {
  const response = await fetch(url, { headers: { 'X-API-Key': key, ...headers } })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const body = isJson && text !== '' ? JSON.parse(text) : undefined
  if (response.status === 200) assertDocumented(new URL(url).pathname, body)
  return { status: response.status, headers: response.headers, text, body }
}

const documented = endpoints.map((endpoint) => ({
  pattern: new RegExp(`^${endpoint.path.replace(/:[a-z_]+/g, '[^/]+')}$`),
  contentType: endpoint.contentType,
  schema: Compile(closed(endpoint.responseSchema)),
}))

/** Every good answer has exactly the shape its endpoint documents. */
function assertDocumented(path: string, body: unknown): void {
  const endpoint = documented.find(({ pattern }) => pattern.test(path))
  if (!endpoint || endpoint.contentType !== 'application/json') return
  if (endpoint.schema.Check(body)) return
  const [first] = endpoint.schema.Errors(body)
  throw new Error(`${path} answers off its schema: ${JSON.stringify(first)}`)
}

/** The same schema with no room for properties it does not name. */
function closed(schema: Type.TSchema): Type.TSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    value?.type === 'object' ? { ...value, additionalProperties: false } : value,
  )
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
