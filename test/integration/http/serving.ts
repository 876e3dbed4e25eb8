import { connect as connectSocket, type Socket } from 'node:net'
import { Client } from '@elastic/elasticsearch'
import { pino } from 'pino'
import Type from 'typebox'
import type { Answer, Call, Endpoint } from '../../../src/http/endpoint.ts'
import { buildServer, type ServerOptions } from '../../../src/http/server.ts'
import { type Db, openDb } from '../../../src/store/db.ts'
import { ensureIndices } from '../../../src/store/indices.ts'
import { type KeyStore, openKeys } from '../../../src/store/keys.ts'
import { openStore } from '../../../src/store/store.ts'
import { elasticsearchUrl, testPrefix } from '../../support/registry.ts'

/** A server over an empty registry with endpoints of the test's own, and a look at its log. */
export interface Serving {
  url: string
  port: number
  db: Db
  keys: KeyStore
  /** a key for all territories */
  key: string
  log: Record<string, unknown>[]
  /** what was logged, as text */
  logText(): string
  close(): Promise<void>
}

/** The registry behind the servers of one test file. */
export async function openTestRegistry(node = elasticsearchUrl()): Promise<Db> {
  const db = openDb(new Client({ node, maxRetries: 0 }), testPrefix())
  await ensureIndices(db, { shards: 1, replicas: 0 })
  return db
}

export async function serve(
  db: Db,
  endpoints: readonly Endpoint[],
  more: Partial<ServerOptions> = {},
): Promise<Serving> {
  const lines: string[] = []
  const keys = openKeys(db, more.now ? { now: more.now } : {})
  const server = buildServer({
    store: openStore(db),
    endpoints,
    keys,
    log: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
    rateLimitPerMinute: 0,
    ...more,
  })
  const { key } = await keys.issue({ name: 'prueba', territories: null, expires_at: null })
  const { url } = await server.listen(0, '127.0.0.1')
  return {
    url,
    port: Number(new URL(url).port),
    db,
    keys,
    key,
    get log() {
      return lines.map((line) => JSON.parse(line))
    },
    logText: () => lines.join(''),
    close: () => server.close(),
  }
}

const nothing = Type.Object({})

/** An endpoint that answers what the test says. */
export function endpointOf(
  path: string,
  handle: (
    call: Call<Record<string, unknown>, Record<string, unknown>>,
  ) => Promise<Answer> | Answer,
  more: Partial<Endpoint> = {},
): Endpoint {
  return {
    name: path,
    path,
    summary: 'A test',
    description: 'An endpoint of a test.',
    pathSchema: nothing,
    querySchema: nothing,
    responseSchema: Type.Unknown(),
    contentType: 'application/json',
    handle: async (call) => handle(call as never),
    ...more,
  }
}

/** Sends bytes and collects what comes back until the connection ends. */
export function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(port, '127.0.0.1', () => socket.write(bytes))
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
    socket.on('error', reject)
  })
}

/** Opens a connection, sends a request and stops reading before anything arrives. */
export function openStalled(port: number, request: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, '127.0.0.1', () => {
      socket.pause()
      socket.write(request)
      resolve(socket)
    })
    // A test that hangs up on purpose, or is hung up on, looks at what it got and not at this.
    socket.on('error', () => socket.destroy())
  })
}

/** Waits until something is true; fails loudly when it never is. */
export async function eventually(isTrue: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (isTrue()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`never happened: ${what}`)
}
