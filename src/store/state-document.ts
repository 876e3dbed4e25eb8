import { errors } from '@elastic/elasticsearch'
import { Problem } from '../domain/problem.ts'
import { type Db, isForbidden, unavailableAsProblem } from './db.ts'
import { NEW_REGISTRY, type RegistryState } from './state.ts'

const ID = 'registry'

/** The state as read, with the marks that a compare-and-set needs. */
export interface ReadState {
  state: RegistryState
  seqNo: number
  primaryTerm: number
}

/** Reads the state document by id: realtime, no refresh needed. */
export async function readState(db: Db, signal?: AbortSignal): Promise<ReadState> {
  try {
    const found = await unavailableAsProblem(
      db.client.get<{ body: RegistryState }>(
        { index: db.alias('state'), id: ID },
        signal ? { signal } : {},
      ),
    )
    return {
      state: (found._source as { body: RegistryState }).body,
      seqNo: found._seq_no as number,
      primaryTerm: found._primary_term as number,
    }
  } catch (cause) {
    if (cause instanceof errors.ResponseError && cause.statusCode === 404) {
      throw new Problem('store_unavailable', 'The registry is not set up yet.', {
        retryAfterSeconds: 5,
        cause,
      })
    }
    throw cause
  }
}

/** Creates the state document of a new registry; leaves an existing one alone. */
export async function createState(db: Db): Promise<void> {
  try {
    await db.client.create({ index: db.alias('state'), id: ID, document: { body: NEW_REGISTRY } })
  } catch (cause) {
    // Who may only read leaves this to the loader, and answers 503 until it is done.
    if (!isConflict(cause) && !isForbidden(cause)) throw cause
  }
}

/** Writes `next` if nobody wrote since `read`; false when somebody did. Unknown outcomes are thrown. */
export async function compareAndSet(
  db: Db,
  read: ReadState,
  next: RegistryState,
): Promise<boolean> {
  try {
    await db.client.index(
      {
        index: db.alias('state'),
        id: ID,
        if_seq_no: read.seqNo,
        if_primary_term: read.primaryTerm,
        document: { body: next },
      },
      // A blind retry could meet its own first write as a conflict; whoever calls decides by reading back.
      { maxRetries: 0 },
    )
    return true
  } catch (cause) {
    if (isConflict(cause)) return false
    throw cause
  }
}

function isConflict(cause: unknown): boolean {
  return cause instanceof errors.ResponseError && cause.statusCode === 409
}

const MAX_AGE_MS = 1000

/** Reads the state; what is known of it serves unless it is too old, or not enough for the caller. */
export type StateReader = (isEnough?: (state: RegistryState) => boolean) => Promise<RegistryState>

/**
 * Readers' view of the state: at most a second old, one request however many ask at once. A cursor of another
 * process may come from a commit that this one has not seen yet: then `isEnough` asks for a newer look.
 */
export function openStateReader(db: Db): StateReader {
  let cached: { state: RegistryState; at: number } | null = null
  let pending: Promise<RegistryState> | null = null

  const read = (): Promise<RegistryState> => {
    if (pending !== null) return pending
    const at = performance.now()
    pending = readState(db)
      .then(({ state }) => {
        cached = { state, at }
        return state
      })
      .finally(() => {
        pending = null
      })
    return pending
  }
  const known = () => (cached && performance.now() - cached.at < MAX_AGE_MS ? cached.state : null)

  return async (isEnough = () => true) => {
    const first = known() ?? (await read())
    return isEnough(first) ? first : read()
  }
}
