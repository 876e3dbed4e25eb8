import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldLetters } from '../../../src/domain/letters.ts'

/** The same fold as the table of Latin-1 gives, forced the long way by a letter outside of it. */
function theLongWay(text: string, stop: '' | ' '): string {
  return foldLetters(`\u0101 ${text}`, stop).replace(/^a ?/, '')
}

const latin = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 30,
})

test('the short way for Latin-1 folds as the long way does', () => {
  fc.assert(
    fc.property(latin, fc.constantFrom('' as const, ' ' as const), (text, stop) => {
      expect(foldLetters(text, stop)).toBe(theLongWay(text, stop))
    }),
    { numRuns: 3000 },
  )
  for (let code = 0; code < 256; code++) {
    const text = `x${String.fromCharCode(code)}y`
    expect([code, foldLetters(text, '')]).toEqual([code, theLongWay(text, '')])
  }
})

test.each([
  ['Farmàcia Núñez, S.L.', 'farmacia nunez sl', 'farmacia nunez s l'],
  ["L'Hospitalet · Sta.Cruz", 'lhospitalet stacruz', 'lhospitalet sta cruz'],
  ['  ¡Ñ!  3ª  N° 5 straße ½ ', 'n 3a no 5 strasse 1 2', 'n 3a no 5 strasse 1 2'],
  ['x'.repeat(3000), 'x'.repeat(3000), 'x'.repeat(3000)],
])('%s', (text, joined, spaced) => {
  expect(foldLetters(text, '')).toBe(joined)
  expect(foldLetters(text, ' ')).toBe(spaced)
})
