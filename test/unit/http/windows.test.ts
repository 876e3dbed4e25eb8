import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/domain/problem.ts'
import { resolveWindow } from '../../../src/http/windows.ts'

const now = '2026-03-31T12:00:00.000Z'

function faultOf(asked: Parameters<typeof resolveWindow>[0]) {
  try {
    resolveWindow(asked)
  } catch (thrown) {
    if (thrown instanceof Problem) return { code: thrown.code, errors: thrown.errors }
    throw thrown
  }
  return null
}

describe('resolveWindow', () => {
  test('without anything: the last thirty days', () => {
    expect(resolveWindow({ now })).toEqual({ from: '2026-03-01T12:00:00.000Z', to: now })
  })

  test('days count back from to, and to is now unless it is sent', () => {
    expect(resolveWindow({ now, days: 1 })).toEqual({ from: '2026-03-30T12:00:00.000Z', to: now })
    expect(resolveWindow({ now, days: 2, to: '2026-01-03T00:00:00.000Z' })).toEqual({
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-03T00:00:00.000Z',
    })
  })

  test('from wins over days', () => {
    const from = '2020-01-01T00:00:00.000Z'
    expect(resolveWindow({ now, from, days: 1 })).toEqual({ from, to: now })
  })

  test('a day is 24 hours, over a clock change too', () => {
    expect(resolveWindow({ now: '2026-03-30T00:00:00.000Z', days: 1 }).from).toBe(
      '2026-03-29T00:00:00.000Z',
    )
  })

  test.each([
    [{ now, from: now }, 'must be before to, which is now unless it is sent'],
    [
      { now, from: '2026-01-02T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z' },
      'must be before to; the window includes from and excludes to',
    ],
    [{ now, from: now, to: now }, 'must be before to; the window includes from and excludes to'],
  ])('an empty window %j is refused', (asked, reason) => {
    expect(faultOf(asked)).toEqual({
      code: 'invalid_parameter',
      errors: [{ parameter: 'from', reason }],
    })
  })

  test('a window that would begin before the year 0000 is refused', () => {
    expect(faultOf({ now, to: '0001-01-01T00:00:00.000Z', days: 36_500 })).toEqual({
      code: 'invalid_parameter',
      errors: [{ parameter: 'days', reason: 'the window would begin before the year 0000' }],
    })
  })
})
