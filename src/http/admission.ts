import { Problem } from '../domain/problem.ts'

/** A place among those being served. */
export interface Place {
  /** gives the place up; more than once does no harm */
  leave(): void
  /** gives the place up while `work` merely waits, and takes it again for what follows */
  aside<T>(work: () => Promise<T>): Promise<T>
}

export interface AdmissionLimits {
  /** what is counted, for the refusal */
  what: string
  max: number
  maxPerKey: number
}

export interface Admission {
  /** a place, or a refusal at once: who is refused early can come again, who queues for long only gives up */
  enter(keyId: string): Place
}

const RETRY_AFTER_S = 2

/**
 * So many at a time, and so many per key, whatever the clients do: memory and waiting times stay bounded because
 * the rest is told to come again.
 */
export function createAdmission(limits: AdmissionLimits): Admission {
  const byKey = new Map<string, number>()
  let inside = 0

  const count = (keyId: string, by: 1 | -1) => {
    inside += by
    const mine = (byKey.get(keyId) ?? 0) + by
    if (mine === 0) byKey.delete(keyId)
    else byKey.set(keyId, mine)
  }

  return {
    enter(keyId) {
      if (inside >= limits.max) {
        throw new Problem('overloaded', `Too many ${limits.what} at once; try again.`, {
          retryAfterSeconds: RETRY_AFTER_S,
        })
      }
      if ((byKey.get(keyId) ?? 0) >= limits.maxPerKey) {
        throw new Problem(
          'rate_limited',
          `This key may have ${limits.maxPerKey} ${limits.what} at once; try again when one has ended.`,
          { retryAfterSeconds: RETRY_AFTER_S },
        )
      }
      let isInside = false
      let hasLeft = false
      const be = (inside: boolean) => {
        if (inside !== isInside) count(keyId, inside ? 1 : -1)
        isInside = inside
      }
      be(true)
      return {
        leave() {
          hasLeft = true
          be(false)
        },
        async aside(work) {
          be(false)
          try {
            return await work()
          } finally {
            // The caller may have gone for good meanwhile.
            be(!hasLeft)
          }
        },
      }
    },
  }
}
