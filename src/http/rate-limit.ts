import { boundedMap } from './bounded-map.ts'
import type { RateState } from './endpoint.ts'

/** Token buckets, one per name: so many per minute, all at once at most. */
export interface RateLimiter {
  /** takes a token; `retryAfterSeconds` is set when there was none */
  take(name: string): RateState & { retryAfterSeconds?: number }
  /** whether a token is there, without taking it; `retryAfterSeconds` is set when there is none */
  look(name: string): RateState & { retryAfterSeconds?: number }
}

const MAX_BUCKETS = 10_000

interface Bucket {
  tokens: number
  at: number
}

/** Null when `perMinute` is 0: rates are not limited. */
export function createRateLimiter(
  perMinute: number,
  options: { now: () => number },
): RateLimiter | null {
  if (perMinute <= 0) return null
  const perMs = perMinute / 60_000
  const buckets = boundedMap<string, Bucket>(MAX_BUCKETS)

  function filled(name: string): Bucket {
    const at = options.now()
    const bucket = buckets.get(name)
    if (!bucket) return { tokens: perMinute, at }
    // A clock that was set back must not empty a bucket.
    const gained = Math.max(0, at - bucket.at) * perMs
    return { tokens: Math.min(perMinute, bucket.tokens + gained), at }
  }

  function state({ tokens }: Bucket): RateState {
    return {
      limit: perMinute,
      remaining: Math.floor(tokens),
      resetSeconds: Math.ceil((perMinute - tokens) / perMs / 1000),
    }
  }

  function retryAfter({ tokens }: Bucket): { retryAfterSeconds?: number } {
    if (tokens >= 1) return {}
    return { retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / perMs / 1000)) }
  }

  return {
    take(name) {
      const bucket = filled(name)
      const refused = retryAfter(bucket)
      if (refused.retryAfterSeconds === undefined) bucket.tokens -= 1
      buckets.set(name, bucket)
      return { ...state(bucket), ...refused }
    },
    look(name) {
      const bucket = filled(name)
      return { ...state(bucket), ...retryAfter(bucket) }
    },
  }
}

/** The one family of headers, on every answer to a recognised key. */
export function rateHeaders(rate: RateState): Record<string, string> {
  return {
    'RateLimit-Limit': String(rate.limit),
    'RateLimit-Remaining': String(rate.remaining),
    'RateLimit-Reset': String(rate.resetSeconds),
  }
}
