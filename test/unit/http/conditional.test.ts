import { describe, expect, test } from 'vitest'
import { entityTag, isFresh } from '../../../src/http/conditional.ts'
import { chooseCoding } from '../../../src/http/encoding.ts'

const strong = { value: 'abc', weak: false }
const weak = { value: 'abc', weak: true }

describe('entity tags', () => {
  test('are quoted, and weak when weak or compressed', () => {
    expect(entityTag(strong, { compressed: false })).toBe('"abc"')
    expect(entityTag(strong, { compressed: true })).toBe('W/"abc"')
    expect(entityTag(weak, { compressed: false })).toBe('W/"abc"')
  })

  test.each(['"abc"', 'W/"abc"', '*', ' * ', '"x", "abc"', 'W/"x",W/"abc"', '"a,b", "abc"'])(
    'If-None-Match %s matches, weakly',
    (header) => {
      expect(isFresh(header, strong)).toBe(true)
      expect(isFresh(header, weak)).toBe(true)
    },
  )

  test.each([undefined, '', 'abc', '"abcd"', '"ABC"', '"', 'W/abc', '"x", "y"', '"a", abc'])(
    'If-None-Match %s does not',
    (header) => {
      expect(isFresh(header, strong)).toBe(false)
    },
  )

  test('nothing matches an answer without a tag', () => {
    expect(isFresh('*', undefined)).toBe(false)
  })
})

describe('content codings', () => {
  test.each([
    [undefined, null],
    ['', null],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['deflate', null],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['gzip;q=0', null],
    ['*', 'br'],
    ['*;q=0', null],
    ['br;q=0, *', 'gzip'],
    ['identity, gzip;q=0.5', null],
    ['GZIP;Q=1', 'gzip'],
    ['gzip;q=nonsense', null],
  ] as const)('Accept-Encoding %s gives %s', (header, coding) => {
    expect(chooseCoding(header, ['br', 'gzip'])).toBe(coding)
  })

  test('br is not promised where it is not at hand', () => {
    expect(chooseCoding('br, gzip;q=0.1', ['gzip'])).toBe('gzip')
    expect(chooseCoding('br', ['gzip'])).toBeNull()
  })
})
