import type Type from 'typebox'
import type { Scope } from '../domain/scope.ts'
import type { Instant } from '../domain/time.ts'
import type { Store } from '../store/store.ts'
import type { CommitWatch } from './commit-watch.ts'
import type { ContentCoding } from './encoding.ts'
import type { ExportFiles } from './export-files.ts'

/** The authenticated caller. */
export interface Principal {
  keyId: string
  name: string
  scope: Scope
  expiresAt: Instant | null
}

/** The state of a key's bucket, as the RateLimit headers show it. */
export interface RateState {
  /** requests per minute, which is also the size of the bucket */
  limit: number
  remaining: number
  /** seconds until the bucket is full again */
  resetSeconds: number
}

/** One request after route, key, rate and parameter checks; `query` and `path` are typed and validated. */
export interface Call<Path, Query> {
  /** on an open endpoint: nobody, with an empty scope */
  principal: Principal
  /** null when rates are not limited */
  rate: RateState | null
  path: Path
  query: Query
  /** the instant the request arrived; the only clock a handler uses */
  now: Instant
  store: Store
  /** for requests that wait for the next commit */
  watch: CommitWatch
  /** for answers that are kept on disk */
  exports: ExportFiles
  /** aborted when the client goes away, or when the answer takes longer than the server allows */
  signal: AbortSignal
}

export interface Tag {
  /** the entity tag without quotes; the server adds the quotes, `W/` for weak tags, and answers 304 */
  value: string
  weak: boolean
}

/** Called before the first chunk of a stream, with the bytes of all of it, where that is known. */
export type TellLength = (bytes: number) => void

export type Answer =
  | { kind: 'json'; body: unknown; tag?: Tag; headers?: Record<string, string> }
  | {
      kind: 'stream'
      contentType: string
      /**
       * Its bytes in a coding, or plain. Called only when the answer is not a 304 and not a HEAD; pulled as fast as the client
       * reads.
       */
      read: (coding: ContentCoding | null, tell: TellLength) => AsyncIterable<Uint8Array>
      /** called with each chunk that was sent and is not read any more */
      done?: (chunk: Uint8Array) => void
      tag?: Tag
      headers?: Record<string, string>
    }
  | {
      /** a whole body at hand: a cached serialised answer, a document, a file */
      kind: 'text'
      contentType: string
      body: string | Uint8Array
      /** called when a body that was sent is not read any more: its memory may be used for something else */
      done?: () => void
      tag?: Tag
      headers?: Record<string, string>
    }

export const CHAPTERS = [
  'Events',
  'Changes',
  'Exports',
  'Pharmacies',
  'Registry',
  'Service',
] as const
export type Chapter = (typeof CHAPTERS)[number]

/** That an endpoint is to go, and what to do about it (RFC 9745, RFC 8594). */
export interface Deprecation {
  /** from when on it should not be used any more */
  since: Instant
  /** when it stops answering: at least twelve months after the announcement */
  sunset?: Instant
  /** where to read about it and its successor */
  link: string
}

/** What an endpoint is: its address, its schemas (the one source of validation, types and OpenAPI) and its handler. */
export interface Endpoint<
  Path extends Type.TSchema = Type.TSchema,
  Query extends Type.TSchema = Type.TSchema,
> {
  /** operation id, camelCase */
  name: string
  /** Restify path, e.g. `/v1/farmacias/export/:territory_code/csv` */
  path: string
  /** the chapter of the documents it belongs to */
  tag?: Chapter
  summary: string
  description: string
  pathSchema: Path
  querySchema: Query
  /** schema of the 200 body; for streams the schema of the parsed body or a string */
  responseSchema: Type.TSchema
  contentType:
    | 'application/json'
    | 'text/csv'
    | 'application/geo+json'
    | 'application/x-ndjson'
    | 'application/openapi+json'
  /** what its good answers carry besides the headers that all have */
  headers?: readonly ('Content-Disposition' | 'X-Changes-Cursor')[]
  /** without a key: health, documents */
  open?: boolean
  /** set when the endpoint is to go: announced in the headers of every answer and in the documents */
  deprecation?: Deprecation
  handle(call: Call<Type.Static<Path>, Type.Static<Query>>): Promise<Answer>
}
