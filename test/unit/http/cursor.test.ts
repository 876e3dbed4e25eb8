import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/domain/problem.ts'
import { type Cursor, decodeCursor, encodeCursor, filtersHash } from '../../../src/http/cursor.ts'

const cursor: Cursor = {
  endpoint: 'listBusinessEvents',
  filtersHash: filtersHash({ territories: ['ES-MD'] }),
  window: { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' },
  run: 42,
  last: [Date.parse('2026-01-15T12:00:00.500Z'), 9_007_199_254_740_991],
}
const expected = { endpoint: cursor.endpoint, filtersHash: cursor.filtersHash }

function refusal(text: string, against = expected): string {
  try {
    decodeCursor(text, against)
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.code === 'invalid_parameter') {
      expect(thrown.errors.map((error) => error.parameter)).toEqual(['cursor'])
      return thrown.errors[0]?.reason ?? ''
    }
    throw thrown
  }
  return 'accepted'
}

/** A text with any payload and a checksum that fits, as somebody who read the source could make it. */
function forged(payload: string): string {
  const bytes = Buffer.from(payload)
  const checksum = createHash('sha256').update('pharmacy-cursor:').update(bytes).digest()
  return Buffer.concat([checksum.subarray(0, 9), bytes]).toString('base64url')
}

describe('cursors', () => {
  test('come back as they were', () => {
    expect(decodeCursor(encodeCursor(cursor), expected)).toEqual(cursor)
    const bare = { ...cursor, window: null, last: ['0071', 3] }
    expect(decodeCursor(encodeCursor(bare), expected)).toEqual(bare)
  })

  test('api.md row 6: need no encoding in a URL, whatever they carry', () => {
    fc.assert(
      fc.property(
        fc.record({
          run: fc.nat(),
          last: fc.array(fc.oneof(fc.integer(), fc.string()), { maxLength: 5, minLength: 1 }),
        }),
        ({ run, last }) => {
          const text = encodeCursor({ ...cursor, run, last })
          expect(text).toMatch(/^[A-Za-z0-9_-]+$/)
          expect(encodeURIComponent(text)).toBe(text)
          expect(decodeCursor(text, expected)).toEqual({ ...cursor, run, last })
        },
      ),
    )
  })

  test('api.md row 7: every single altered character is noticed, of every class', () => {
    const text = encodeCursor(cursor)
    for (let at = 0; at < text.length; at++) {
      for (const other of ['A', 'z', '0', '9', '-', '_', '=', '.', '+', '/', ' ', 'ñ']) {
        if (text[at] === other) continue
        expect(refusal(text.slice(0, at) + other + text.slice(at + 1))).toMatch(/^is not a cursor/)
      }
    }
  })

  test('api.md row 7: the unused bits of the last character count too', () => {
    for (const run of [1, 10, 100]) {
      const text = encodeCursor({ ...cursor, run })
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      for (const last of alphabet) {
        if (text.endsWith(last)) continue
        expect(refusal(text.slice(0, -1) + last)).toMatch(/^is not a cursor/)
      }
    }
  })

  test('api.md row 7: cut, lengthened, swapped or foreign text', () => {
    const text = encodeCursor(cursor)
    for (let length = 0; length < text.length; length++) {
      expect(refusal(text.slice(0, length))).toMatch(/^is not a cursor/)
    }
    const swapped = text.slice(0, 20) + text.slice(21, 22) + text.slice(20, 21) + text.slice(22)
    for (const other of [`${text}A`, text + text, swapped, 'null', '0', '-1', 'undefined', '{}']) {
      expect(refusal(other)).toMatch(/^is not a cursor/)
    }
  })

  test.each([
    'not json',
    '{}',
    'null',
    '[1]',
    '[2,"listBusinessEvents","x",null,null,1,1]',
    '[1,7,"x",null,null,1,1]',
    '[1,"listBusinessEvents","x",1e99,null,1,1]',
    '[1,"listBusinessEvents","x",0,253402300800000,1,1]',
    '[1,"listBusinessEvents","x",null,null,"1",1]',
    '[1,"listBusinessEvents","x",null,null,1.5,1]',
    '[1,"listBusinessEvents","x",null,null,1,{}]',
    '[1,"listBusinessEvents","x",null,null,1,null]',
    '[1,"listBusinessEvents","x",null,null,1,1,1,1,1,1,1,1]',
  ])('a forged payload %s is refused like any other', (payload) => {
    expect(refusal(forged(payload))).toMatch(/^is not a cursor/)
  })

  test('another endpoint or other filters are refused with the way out', () => {
    const text = encodeCursor(cursor)
    expect(refusal(text, { ...expected, endpoint: 'listRelocations' })).toBe(
      'belongs to another endpoint; send the same parameters plus the cursor, exactly as next_cursor gave it',
    )
    expect(
      refusal(text, { ...expected, filtersHash: filtersHash({ territories: ['ES-CT'] }) }),
    ).toBe(
      'was made for other parameters; send the same parameters plus the cursor, exactly as next_cursor gave it',
    )
  })
})

describe('filtersHash', () => {
  test('does not depend on order, absence, limit or cursor', () => {
    const hash = filtersHash({ territories: ['ES-CT', 'ES-MD'], days: 7 })
    expect(filtersHash({ days: 7, territories: ['ES-MD', 'ES-CT'] })).toBe(hash)
    expect(
      filtersHash({
        days: 7,
        territories: ['ES-MD', 'ES-CT'],
        limit: 3,
        cursor: 'x',
        to: undefined,
      }),
    ).toBe(hash)
  })

  test.each([
    { territories: ['ES-MD'] },
    { territories: ['ES-MD', 'ES-CT'], days: 8 },
    { territories: ['ES-MD', 'ES-CT'], days: 7, to: '2026-01-01T00:00:00.000Z' },
    { event_types: ['ES-MD', 'ES-CT'], days: 7 },
    {},
  ])('differs for %j', (params) => {
    expect(filtersHash(params)).not.toBe(filtersHash({ territories: ['ES-CT', 'ES-MD'], days: 7 }))
  })
})
