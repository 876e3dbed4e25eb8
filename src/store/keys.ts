import { errors } from '@elastic/elasticsearch'
import { OperatorError, Problem } from '../domain/problem.ts'
import { type Instant, instantOf } from '../domain/time.ts'
import { checkedRequest, hashOfKey, type KeyRequest, makeKey } from './api-key.ts'
import { type Db, isForbidden, search, unavailableAsProblem } from './db.ts'

/** A key as operators see it: everything but its secret, of which only a hash exists. */
interface KeyRecord {
  id: string
  name: string
  /** the scope; null is all territories */
  territories: string[] | null
  created_at: Instant
  expires_at: Instant | null
  revoked_at: Instant | null
  /** end of the grace period, once a successor was issued */
  valid_until: Instant | null
  successor_id: string | null
  /** within about a minute; null when never used */
  last_used_at: Instant | null
}

/** A key document: the record and the SHA-256 of the whole key, in hex. */
export interface StoredKey extends KeyRecord {
  hash: string
}

/** What issuing answers; the only moment at which the key itself exists outside its owner's hands. */
interface IssuedKey {
  id: string
  key: string
  name: string
  territories: string[] | null
  expires_at: Instant | null
}

interface RotatedKey extends IssuedKey {
  previous: { id: string; valid_until: Instant }
}

export interface KeyStore {
  issue(request: KeyRequest): Promise<IssuedKey>
  list(): Promise<KeyRecord[]>
  /** a successor with the same name, scope and expiry; the old key stays valid for the grace period */
  rotate(id: string, graceSeconds: number): Promise<RotatedKey>
  revoke(id: string): Promise<KeyRecord>
  /** by id, realtime; null when there is no such key */
  read(id: string): Promise<StoredKey | null>
  /** remembers when a key was last used */
  touch(id: string, at: Instant): Promise<void>
}

export function openKeys(db: Db, options: { now?: () => number } = {}): KeyStore {
  const now = options.now ?? Date.now
  let mayTouch = true
  return {
    issue: (request) => issue(db, request, now()),
    list: () => list(db),
    rotate: (id, graceSeconds) => rotate(db, { id, graceSeconds, now: now() }),
    revoke: (id) => revoke(db, id, now()),
    read: async (id) => (await find(db, id))?.key ?? null,
    async touch(id, at) {
      if (!mayTouch) return
      try {
        await touch(db, id, at)
      } catch (cause) {
        // With the rights of a reader this is told once, and left.
        if (isForbidden(cause)) mayTouch = false
        throw cause
      }
    },
  }
}

async function issue(db: Db, request: KeyRequest, nowMs: number): Promise<IssuedKey> {
  const { name, territories, expires_at } = checkedRequest(request, nowMs)
  const { id, key } = makeKey()
  const document: StoredKey = {
    id,
    name,
    hash: hashOfKey(key),
    territories,
    created_at: instantOf(nowMs),
    expires_at,
    revoked_at: null,
    valid_until: null,
    successor_id: null,
    last_used_at: null,
  }
  await unavailableAsProblem(
    db.client.create(
      { index: db.alias('keys'), id, document, refresh: true, require_alias: true },
      // A retry could meet its own first write as a conflict; an orphan nobody was shown does no harm.
      { maxRetries: 0 },
    ),
  )
  return { id, key, name, territories, expires_at }
}

const PAGE = 1000

async function list(db: Db): Promise<KeyRecord[]> {
  const records: KeyRecord[] = []
  for (;;) {
    const last = records.at(-1)
    const answer = await search<KeyRecord>(db, 'keys', {
      size: PAGE,
      sort: [{ created_at: 'asc' }, { id: 'asc' }],
      _source: { excludes: ['hash'] },
      ...(last ? { search_after: [Date.parse(last.created_at), last.id] } : {}),
    })
    const page = answer.hits.hits.map((hit) => hit._source as KeyRecord)
    records.push(...page)
    if (page.length < PAGE) return records
  }
}

async function rotate(
  db: Db,
  asked: { id: string; graceSeconds: number; now: number },
): Promise<RotatedKey> {
  const found = await findForChange(db, asked.id)
  const { key: old } = found
  if (old.revoked_at !== null)
    throw new OperatorError(`Key ${old.id} was revoked; issue a new one.`)
  if (old.successor_id !== null) {
    throw new OperatorError(
      `Key ${old.id} was rotated already; its successor is ${old.successor_id}.`,
    )
  }
  if (!Number.isFinite(asked.graceSeconds) || asked.graceSeconds < 0) {
    throw new OperatorError('The grace period must be a number of seconds, 0 or more.')
  }
  const valid_until = instantOf(asked.now + asked.graceSeconds * 1000)
  // The successor first: a crash in between leaves a key that nobody was shown, never a caller without one.
  const successor = await issue(db, old, asked.now)
  const ended = await update(db, found, { valid_until, successor_id: successor.id })
  if (!ended) {
    await revoke(db, successor.id, asked.now)
    throw new OperatorError(`Key ${old.id} was changed by somebody else meanwhile; look again.`)
  }
  return { ...successor, previous: { id: old.id, valid_until } }
}

async function revoke(db: Db, id: string, nowMs: number): Promise<KeyRecord> {
  for (;;) {
    const found = await findForChange(db, id)
    const { hash: _secret, ...record } = found.key
    if (record.revoked_at !== null) return record
    const revoked_at = instantOf(nowMs)
    if (await update(db, found, { revoked_at })) return { ...record, revoked_at }
  }
}

interface Found {
  key: StoredKey
  seqNo: number
  primaryTerm: number
}

async function findForChange(db: Db, id: string): Promise<Found> {
  const found = await find(db, id)
  if (!found) throw new OperatorError(`There is no key with the id "${id}".`)
  return found
}

async function find(db: Db, id: string): Promise<Found | null> {
  try {
    const found = await unavailableAsProblem(
      db.client.get<StoredKey>({ index: db.alias('keys'), id }),
    )
    return {
      key: found._source as StoredKey,
      seqNo: found._seq_no as number,
      primaryTerm: found._primary_term as number,
    }
  } catch (cause) {
    if (!(cause instanceof errors.ResponseError) || cause.statusCode !== 404) throw cause
    if ((cause.body as { found?: boolean } | undefined)?.found === false) return null
    throw new Problem('store_unavailable', 'The registry is not set up yet.', { cause })
  }
}

/** Changes some fields if nobody changed the key since it was found; false when somebody did. */
async function update(db: Db, found: Found, fields: Partial<StoredKey>): Promise<boolean> {
  try {
    await unavailableAsProblem(
      db.client.update(
        {
          index: db.alias('keys'),
          id: found.key.id,
          if_seq_no: found.seqNo,
          if_primary_term: found.primaryTerm,
          doc: fields,
          refresh: true,
        },
        { maxRetries: 0 },
      ),
    )
    return true
  } catch (cause) {
    if (cause instanceof errors.ResponseError && cause.statusCode === 409) return false
    throw cause
  }
}

async function touch(db: Db, id: string, at: Instant): Promise<void> {
  await unavailableAsProblem(
    db.client.update({
      index: db.alias('keys'),
      id,
      doc: { last_used_at: at },
      require_alias: true,
      retry_on_conflict: 3,
    }),
  )
}
