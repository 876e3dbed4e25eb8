import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Type from 'typebox'
import { Compile } from 'typebox/compile'
import { ProblemBody } from '../../src/http/problem.ts'
import { endpoints } from '../../src/http/routes.ts'
import { buildServer, type ServerOptions } from '../../src/http/server.ts'
import { buildLog } from '../../src/log.ts'
import type { Db } from '../../src/store/db.ts'
import { openKeys } from '../../src/store/keys.ts'
import { readState } from '../../src/store/state-document.ts'
import { openStore } from '../../src/store/store.ts'

/** What a response holds, for assertions. */
export interface Got {
  status: number
  headers: Headers
  text: string
  // The shape is what the tests assert.
  // biome-ignore lint/suspicious/noExplicitAny: a response body is read before anything is known of it
  body: any
}

/** A running API over a registry. */
export interface Service {
  db: Db
  url: string
  /** a key for all territories, or for some */
  key(territories?: readonly string[]): Promise<string>
  /** GET as the key for all territories, unless another is given */
  get(path: string, more?: { key?: string; headers?: Record<string, string> }): Promise<Got>
  close(): Promise<void>
}

interface Serving extends Pick<ServerOptions, 'onAnswer' | 'around'> {
  now?: () => number
  isFresh?: boolean
}

/**
 * Serves a registry. `isFresh` reads the state for every request, as a process would that has just started: for
 * tests that look right after a load, without waiting until what was read a moment ago is too old.
 */
export async function serveRegistry(
  db: Db,
  { now = Date.now, isFresh = false, ...hooks }: Serving = {},
): Promise<Service> {
  const keys = openKeys(db, { now })
  const store = openStore(db)
  const folder = await mkdtemp(join(tmpdir(), 'pharmacy-registry-exports-'))
  const server = buildServer({
    store: isFresh ? { ...store, state: async () => (await readState(db)).state } : store,
    endpoints,
    keys,
    log: buildLog({ level: 'silent' }),
    rateLimitPerMinute: 0,
    now,
    exports: { folder },
    ...hooks,
  })
  const { url } = await server.listen(0, '127.0.0.1')
  const key = async (territories?: readonly string[]) =>
    (await keys.issue({ name: 'prueba', territories: territories ?? null, expires_at: null })).key
  const everywhere = await key()
  return {
    db,
    url,
    key,
    get: (path, more = {}) => get(`${url}${path}`, { key: everywhere, ...more }),
    async close() {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function get(
  url: string,
  { key, headers }: { key: string; headers?: Record<string, string> },
): Promise<Got> {
  const response = await fetch(url, { headers: { 'X-API-Key': key, ...headers } })
  const text = await response.text()
  const isJson = /^application\/([a-z.]+\+)?json/.test(response.headers.get('content-type') ?? '')
  const body = isJson && text !== '' ? JSON.parse(text) : undefined
  if (response.status === 200) assertDocumented(new URL(url).pathname, body)
  if (response.status >= 400) assertProblem(url, body, text)
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
  if (!endpoint || !/json$/.test(endpoint.contentType) || body === undefined) return
  assertCursor(path, body)
  if (endpoint.schema.Check(body)) return
  const [first] = endpoint.schema.Errors(body)
  throw new Error(`${path} answers off its schema: ${JSON.stringify(first)}`)
}

/** A cursor needs no encoding, whatever it carries (api.md row 6). */
function assertCursor(path: string, body: unknown): void {
  const { next_cursor: cursor } = body as { next_cursor?: unknown }
  if (typeof cursor !== 'string' || /^[A-Za-z0-9_-]+$/.test(cursor)) return
  throw new Error(`${path} gives a cursor that needs encoding: ${cursor}`)
}

const problem = Compile(closed(ProblemBody))
/** What only the engine behind the service would say. */
const ENGINE = /elastic|lucene|_exception|search_after|shard|too large, from|\bat .*\.ts:/i

/** Every refusal has the one documented shape and says nothing of the engine (api.md rows 2, 35 and 38). */
function assertProblem(url: string, body: unknown, text: string): void {
  const { pathname } = new URL(url)
  if (!problem.Check(body)) throw new Error(`${pathname} refuses off the schema: ${text}`)
  if (ENGINE.test(text)) throw new Error(`${pathname} speaks of the engine: ${text}`)
}

/** The same schema with no room for properties it does not name. */
function closed(schema: Type.TSchema): Type.TSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    value?.type === 'object' ? { ...value, additionalProperties: false } : value,
  )
}
