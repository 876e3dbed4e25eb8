import { hash, randomBytes } from 'node:crypto'
import { OperatorError } from '../domain/problem.ts'
import { isTerritoryCode } from '../domain/territory.ts'
import { type Instant, parseInstant } from '../domain/time.ts'

// What an API key looks like, and what may be asked of a new one.

const ID_BYTES = 6
const SECRET_BYTES = 32
const KEY = /^frk_([0-9a-f]{12})_[A-Za-z0-9_-]{43}$/

/** The id inside a key; null when the text cannot be a key, which needs no look at the store. */
export function idOfKey(presented: string): string | null {
  return KEY.exec(presented)?.[1] ?? null
}

export function hashOfKey(key: string): string {
  return hash('sha256', key, 'hex')
}

/** A new key, with the id that is part of it. */
export function makeKey(): { id: string; key: string } {
  const id = randomBytes(ID_BYTES).toString('hex')
  return { id, key: `frk_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}` }
}

export interface KeyRequest {
  name: string
  territories: readonly string[] | null
  expires_at: Instant | null
}

/** The request with its parts in order; an OperatorError says what is wrong with it. */
export function checkedRequest(
  request: KeyRequest,
  nowMs: number,
): { name: string; territories: string[] | null; expires_at: Instant | null } {
  const name = request.name.trim()
  if (name === '' || name.length > 100) {
    throw new OperatorError('The name of a key must have 1 to 100 characters.')
  }
  const wrong = request.territories?.find((territory) => !isTerritoryCode(territory))
  if (wrong !== undefined) {
    throw new OperatorError(`"${wrong}" is not a territory code of the form ES-XX, such as ES-MD.`)
  }
  if (request.territories?.length === 0) {
    throw new OperatorError(
      'A key needs at least one territory; leave the list out for all of them.',
    )
  }
  const expires_at = request.expires_at === null ? null : parseInstant(request.expires_at)
  if (request.expires_at !== null && expires_at === null) {
    throw new OperatorError(
      `"${request.expires_at}" is not an instant such as 2027-01-31T00:00:00Z.`,
    )
  }
  if (expires_at !== null && Date.parse(expires_at) <= nowMs) {
    throw new OperatorError(`A key that expired at ${expires_at} would never work.`)
  }
  const territories = request.territories && [...new Set(request.territories)].sort()
  return { name, territories, expires_at }
}
