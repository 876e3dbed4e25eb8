import { describe, expect, test } from 'vitest'
import { askedReadings, searchTokens } from '../../../src/domain/search-tokens.ts'

const NOTHING = { name: null, owner_name: null, address_line: null, city: null }

describe('searchTokens', () => {
  test('every folded word once, of name, city, address and holder', () => {
    const tokens = searchTokens({
      name: 'Farmacia Núñez',
      owner_name: 'Ana Núñez Inventada',
      address_line: 'C/ Mayor, 5',
      city: 'Alcalá',
    })
    expect(tokens).toEqual(['farmacia', 'nunez', 'alcala', 'c', 'mayor', '5', 'ana', 'inventada'])
  })

  test('both readings where a stop or an apostrophe joins words', () => {
    expect(searchTokens({ ...NOTHING, name: "S.L. L'Hospitalet" })).toEqual([
      'sl',
      'lhospitalet',
      's',
      'l',
      'hospitalet',
    ])
  })

  test('nothing of nothing; bounded however long the texts are', () => {
    expect(searchTokens(NOTHING)).toEqual([])
    expect(searchTokens({ ...NOTHING, name: '·-·' })).toEqual([])
    const long = Array.from({ length: 500 }, (_, n) => `w${n}${'x'.repeat(100)}`).join(' ')
    const tokens = searchTokens({ ...NOTHING, name: long })
    expect([tokens.length, Math.max(...tokens.map(({ length }) => length))]).toEqual([64, 40])
  })
})

describe('askedReadings', () => {
  test('the last word is a beginning; a street type stands for what it abbreviates', () => {
    expect(askedReadings('Pl. MAYOR')).toEqual([
      [{ anyOf: ['pl', 'plaza', 'placa', 'praza'] }, { anyOf: ['mayor'], prefix: 'mayor' }],
    ])
  })

  test('an apostrophe gives two readings, no letter or digit none', () => {
    expect(askedReadings("l'or")).toEqual([
      [{ anyOf: ['lor'], prefix: 'lor' }],
      [{ anyOf: ['l'] }, { anyOf: ['or'], prefix: 'or' }],
    ])
    expect(askedReadings(' - ')).toEqual([])
  })

  test('a word longer than a token is cut like the token', () => {
    expect(askedReadings('x'.repeat(50))).toEqual([
      [{ anyOf: ['x'.repeat(40)], prefix: 'x'.repeat(40) }],
    ])
  })
})
