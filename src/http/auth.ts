import { Problem } from '../domain/problem.ts'
import type { Principal } from './endpoint.ts'
import type { Keyring } from './keyring.ts'
import type { RateLimiter } from './rate-limit.ts'

/** What authentication needs of a request. */
export interface Presented {
  /** the header X-API-Key; the only place a key is looked for */
  key: string | undefined
  /** where the request came from: wrong keys are limited per address */
  address: string
}

/** Nobody: the caller of an open endpoint. Its scope is empty, so even a mistake there would show nothing. */
export const NOBODY: Principal = { keyId: '', name: '', scope: [], expiresAt: null }

/**
 * Finds out who calls, or refuses with 401. An address that keeps sending wrong keys gets 429, before the store
 * is asked; keys known to be good still pass, so that one bad neighbour does not lock out a whole office.
 */
export function createAuthentication(
  keyring: Keyring,
  wrongKeys: RateLimiter | null,
): (presented: Presented) => Promise<Principal> {
  return async ({ key, address }) => {
    if (key === undefined || key === '') {
      throw new Problem('unauthorized', 'Send your API key in the header X-API-Key.')
    }
    const exhausted = wrongKeys?.look(address).retryAfterSeconds
    if (exhausted !== undefined && !keyring.remembers(key)) throw tooManyWrong(exhausted)
    const principal = await keyring.authenticate(key)
    if (principal) return principal
    wrongKeys?.take(address)
    throw new Problem(
      'unauthorized',
      'The API key in X-API-Key is not valid: unknown, expired or revoked.',
    )
  }
}

function tooManyWrong(retryAfterSeconds: number): Problem {
  return new Problem(
    'rate_limited',
    `Too many wrong API keys from this address; try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  )
}
