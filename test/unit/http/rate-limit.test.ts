import { describe, expect, test } from 'vitest'
import { createRateLimiter, rateHeaders } from '../../../src/http/rate-limit.ts'

function limiterAt(perMinute: number) {
  const clock = { ms: 1_000_000 }
  const limiter = createRateLimiter(perMinute, { now: () => clock.ms })
  if (!limiter) throw new Error('no limiter')
  return { clock, limiter }
}

describe('token buckets', () => {
  test('0 means no limiter at all', () => {
    expect(createRateLimiter(0, { now: Date.now })).toBeNull()
  })

  test('a burst of the whole minute is allowed, then one by one', () => {
    const { clock, limiter } = limiterAt(60)
    for (let left = 59; left >= 0; left--) {
      expect(limiter.take('a')).toEqual({ limit: 60, remaining: left, resetSeconds: 60 - left })
    }
    expect(limiter.take('a')).toEqual({
      limit: 60,
      remaining: 0,
      resetSeconds: 60,
      retryAfterSeconds: 1,
    })
    clock.ms += 1000
    expect(limiter.take('a')).toEqual({ limit: 60, remaining: 0, resetSeconds: 60 })
    clock.ms += 60_000
    expect(limiter.take('a').remaining).toBe(59)
  })

  test('api.md row 33: waiting Retry-After is enough, whatever the rate', () => {
    for (const perMinute of [1, 2, 7, 59, 600, 100_000]) {
      const { clock, limiter } = limiterAt(perMinute)
      for (let taken = 0; taken < perMinute; taken++) limiter.take('a')
      const { retryAfterSeconds = 0 } = limiter.take('a')
      expect(retryAfterSeconds).toBeGreaterThanOrEqual(1)
      clock.ms += retryAfterSeconds * 1000
      expect(limiter.take('a').retryAfterSeconds).toBeUndefined()
    }
  })

  test('a refused request costs nothing', () => {
    const { clock, limiter } = limiterAt(1)
    limiter.take('a')
    for (let tries = 0; tries < 100; tries++) limiter.take('a')
    clock.ms += 60_000
    expect(limiter.take('a').retryAfterSeconds).toBeUndefined()
  })

  test('keys do not share a bucket, and looking takes nothing', () => {
    const { limiter } = limiterAt(1)
    expect(limiter.look('a')).toEqual({ limit: 1, remaining: 1, resetSeconds: 0 })
    expect(limiter.take('a').remaining).toBe(0)
    expect(limiter.look('a').retryAfterSeconds).toBe(60)
    expect(limiter.take('b').retryAfterSeconds).toBeUndefined()
  })

  test('a clock that is set back empties no bucket', () => {
    const { clock, limiter } = limiterAt(2)
    limiter.take('a')
    clock.ms -= 3_600_000
    expect(limiter.take('a').retryAfterSeconds).toBeUndefined()
    clock.ms += 60_000
    expect(limiter.take('a').remaining).toBe(1)
  })

  test('the headers are one family of whole numbers', () => {
    expect(rateHeaders({ limit: 600, remaining: 12, resetSeconds: 59 })).toEqual({
      'RateLimit-Limit': '600',
      'RateLimit-Remaining': '12',
      'RateLimit-Reset': '59',
    })
  })
})
