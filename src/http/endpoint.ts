import type Type from 'typebox'
import type { Scope } from '../domain/scope.ts'
import type { Instant } from '../domain/time.ts'
import type { Store } from '../store/store.ts'

/** The authenticated caller. */
export interface Principal {
  keyId: string
  name: string
  scope: Scope
  expiresAt: Instant | null
}

/** One request after route, key, rate and parameter checks; `query` and `path` are typed and validated. */
export interface Call<Path, Query> {
  principal: Principal
  path: Path
  query: Query
  /** the instant the request arrived; the only clock a handler uses */
  now: Instant
  store: Store
  /** aborted when the client goes away */
  signal: AbortSignal
}

export interface Tag {
  /** the entity tag without quotes; the server adds the quotes, `W/` for weak tags, and answers 304 */
  value: string
  weak: boolean
}

export type Answer =
  | { kind: 'json'; body: unknown; tag?: Tag; headers?: Record<string, string> }
  | {
      kind: 'stream'
      contentType: string
      /** made only when the answer is not a 304 and not a HEAD; pulled as fast as the client reads */
      open: () => AsyncIterable<string | Uint8Array>
      tag?: Tag
      headers?: Record<string, string>
    }

/** What an endpoint is: its address, its schemas (the one source of validation, types and OpenAPI) and its handler. */
export interface Endpoint<Path extends Type.TSchema = Type.TSchema, Query extends Type.TSchema = Type.TSchema> {
  /** operation id, camelCase */
  name: string
  /** Restify path, e.g. `/v1/farmacias/export/:territory_code/csv` */
  path: string
  summary: string
  description: string
  pathSchema: Path
  querySchema: Query
  /** schema of the 200 body; for streams the schema of the parsed body or a string */
  responseSchema: Type.TSchema
  contentType: 'application/json' | 'text/csv'
  /** without a key: health, documents */
  open?: boolean
  handle(call: Call<Type.Static<Path>, Type.Static<Query>>): Promise<Answer>
}
