import { expect, test } from 'vitest'
import { Problem } from '../../../src/domain/problem.ts'
import { createAdmission } from '../../../src/http/admission.ts'

const LIMITS = { what: 'exports', max: 3, maxPerKey: 2 }

/** What entering comes to: nothing, or the code and the wait of the refusal. */
function refusalOf(enter: () => unknown): { code: string; retryAfterSeconds?: number } | null {
  try {
    enter()
    return null
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown
    return { code: thrown.code, retryAfterSeconds: thrown.retryAfterSeconds as number }
  }
}

test('a key has its share, all together have theirs, and who leaves makes room once', () => {
  const admission = createAdmission(LIMITS)
  const first = admission.enter('a')
  admission.enter('a')
  expect(refusalOf(() => admission.enter('a'))).toEqual({
    code: 'rate_limited',
    retryAfterSeconds: 2,
  })
  admission.enter('b')
  expect(refusalOf(() => admission.enter('c'))).toEqual({
    code: 'overloaded',
    retryAfterSeconds: 2,
  })
  first.leave()
  first.leave()
  admission.enter('c')
  expect(refusalOf(() => admission.enter('a'))).toEqual({
    code: 'overloaded',
    retryAfterSeconds: 2,
  })
})

test('whoever waits aside holds no place, and takes it again unless it has left meanwhile', async () => {
  const admission = createAdmission({ ...LIMITS, max: 1 })
  const place = admission.enter('a')
  const answer = await place.aside(async () => {
    admission.enter('b').leave()
    return 'waited'
  })
  expect(answer).toBe('waited')
  expect(refusalOf(() => admission.enter('b'))?.code).toBe('overloaded')
  await place.aside(async () => place.leave())
  expect(refusalOf(() => admission.enter('b'))).toBeNull()
})
