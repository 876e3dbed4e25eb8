import { describe, expect, it } from 'vitest'
import { en } from '../../../dashboard/src/text/en.ts'
import { es } from '../../../dashboard/src/text/es.ts'
import { fill } from '../../../dashboard/src/text/fill.ts'

const holesOf = (dictionary: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(dictionary).map(([key, sentence]) => [
      key,
      (sentence.match(/\{\w+\}/g) ?? []).sort(),
    ]),
  )

describe('the dictionaries of the dashboard', () => {
  it('have the same keys, and the same holes to fill in each', () => {
    expect(holesOf(en)).toEqual(holesOf(es))
  })

  it('leave no sentence empty', () => {
    const empty = [...Object.entries(en), ...Object.entries(es)].filter(([, text]) => !text.trim())
    expect(empty).toEqual([])
  })

  it('are filled in by name', () => {
    expect(fill('{a} de {b}, {a}', { a: 1, b: 'dos' })).toBe('1 de dos, 1')
  })
})
