import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, errors, type estypes } from '@elastic/elasticsearch'
import { Problem } from '../domain/problem.ts'

/** The indices of one registry; every name on the wire is `<prefix>-<name>`, an alias of the real index. */
export const INDICES = ['pharmacies', 'events', 'changes', 'runs', 'keys', 'state'] as const
export type IndexName = (typeof INDICES)[number]

/** A connection to one registry: the client and the naming of its indices. All of store/ takes it first. */
export interface Db {
  readonly client: Client
  readonly prefix: string
  readonly patience: Patience
  alias(name: IndexName): string
}

/** How often a write is tried while Elasticsearch is away or overloaded, and the first pause in between. */
export interface Patience {
  attempts: number
  firstDelayMs: number
}

const PATIENCE: Patience = { attempts: 8, firstDelayMs: 200 }

export function openDb(client: Client, prefix: string, patience: Patience = PATIENCE): Db {
  return { client, prefix, patience, alias: (name) => `${prefix}-${name}` }
}

const MAX_DELAY_MS = 10_000

/** The pause before try number `attempt + 1`: doubled each time, bounded, spread so that writers do not march in step. */
export function pauseMs({ firstDelayMs }: Patience, attempt: number): number {
  return Math.min(MAX_DELAY_MS, firstDelayMs * 2 ** (attempt - 1)) * (0.5 + Math.random())
}

/** What every search of a reader asks for: all shards or none, in bounded time. */
export const SEARCH_DEFAULTS = {
  allow_partial_search_results: false,
  timeout: '20s',
  track_total_hits: false,
} as const

/**
 * Runs one search of a reader. A timed-out or partly failed answer is refused: never a 200 with less than there is.
 */
export async function search<Doc, Aggs = Record<string, estypes.AggregationsAggregate>>(
  db: Db,
  index: IndexName,
  body: estypes.SearchRequest,
  signal?: AbortSignal,
): Promise<estypes.SearchResponse<Doc, Aggs>> {
  const answer = await unavailableAsProblem(
    db.client.search<Doc, Aggs>(
      {
        index: db.alias(index),
        ...SEARCH_DEFAULTS,
        ...body,
      },
      signal ? { signal } : {},
    ),
  )
  return complete(answer)
}

/** Passes on an answer of all shards; anything less is refused, because a part looks like a smaller whole. */
export function complete<Answer extends Pick<estypes.SearchResponse, 'timed_out' | '_shards'>>(
  answer: Answer,
): Answer {
  if (!answer.timed_out && answer._shards.failed === 0) return answer
  throw new Problem('store_unavailable', 'The search did not complete; try again.', {
    retryAfterSeconds: 2,
    cause: answer._shards.failures,
  })
}

/** Runs `work` again, with pauses, while Elasticsearch is away or overloaded. Only for what may be done twice. */
export async function patiently<T>(db: Db, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (cause) {
      if (!isUnavailable(cause) || attempt >= db.patience.attempts) throw cause
      await sleep(pauseMs(db.patience, attempt))
    }
  }
}

/** Makes everything written so far visible to searches, on every copy: a copy left behind would show half a run. */
export async function refresh(db: Db, names: readonly IndexName[]): Promise<void> {
  await patiently(db, () => refreshOnce(db, names))
}

/** The same without a second try. */
export async function refreshOnce(db: Db, names: readonly IndexName[]): Promise<void> {
  const { _shards: shards } = await db.client.indices.refresh({
    index: names.map((name) => db.alias(name)),
  })
  if (!shards?.failed) return
  throw new Problem('store_unavailable', 'Not every copy of the data could be refreshed.', {
    cause: shards.failures,
  })
}

/** Turns "Elasticsearch is away or overloaded" into a 503 problem; anything else is passed on. */
export async function unavailableAsProblem<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    if (isUnavailable(cause) && !(cause instanceof Problem)) {
      throw new Problem('store_unavailable', 'The data store is not available at the moment.', {
        retryAfterSeconds: 5,
        cause,
      })
    }
    throw cause
  }
}

/** The credentials are good, and not for this. */
export function isForbidden(cause: unknown): boolean {
  return statusOf(cause) === 403 && typeOf(cause) === 'security_exception'
}

function statusOf(cause: unknown): number | undefined {
  return cause instanceof errors.ResponseError ? cause.statusCode : undefined
}

/** The name Elasticsearch gives to what went wrong. */
export function typeOf(cause: unknown): string | undefined {
  if (!(cause instanceof errors.ResponseError)) return undefined
  return (cause.body as { error?: { type?: string } } | undefined)?.error?.type
}

/** Faults that pass by themselves: connection, time-out, overload, a shard that is moving. */
export function isUnavailable(cause: unknown): boolean {
  if (cause instanceof Problem) return cause.code === 'store_unavailable'
  if (
    cause instanceof errors.ConnectionError ||
    cause instanceof errors.TimeoutError ||
    cause instanceof errors.NoLivingConnectionsError
  ) {
    return true
  }
  // A block is set for a while: by a full disk, or by a migration.
  if (typeOf(cause) === 'cluster_block_exception') return true
  return [429, 502, 503, 504].includes(statusOf(cause) ?? 0)
}
