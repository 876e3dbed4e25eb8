import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cleanCell,
  isGarbled,
  isPlain,
  readNumber,
  repairGarbled,
} from '../../../src/delta/cells.ts'

describe('a cell', () => {
  it.each([
    ['\ufeffP0001', 'P0001'],
    ['MoussiC)re\tUno', 'MoussiC)re Uno'],
    ['Calle\u00a0\u00a0Falsa 2', 'Calle Falsa 2'],
    ['zero\u200bwidth', 'zerowidth'],
    ['two\r\nlines', 'two lines'],
    ['  both ends ', 'both ends'],
    ['Pen\u0303a', 'Peña'],
    ['Peña, L·L «x» – €', 'Peña, L·L «x» – €'],
  ])('%j is cleaned to %j', (raw, clean) => {
    expect(cleanCell(raw)).toBe(clean)
  })

  it('that is plain needs no cleaning, and one that is clean stays', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const thorough = cleanCell(` ${text}`)
        expect(cleanCell(text)).toBe(thorough)
        expect(cleanCell(thorough)).toBe(thorough)
        if (isPlain(text)) expect(thorough).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['FarmÃ¡cia Titular PeÃ±a', 'Farmácia Titular Peña'],
    ['FarmÃ\u00a0cia', 'Farmàcia'],
    ['SÃ“L', 'SÓL'],
    ['NÂº 5', 'Nº 5'],
    ['Lâ€™Escala', 'L’Escala'],
  ])('%j looks encoded twice and is repaired to %j', (raw, repaired) => {
    expect([isGarbled(raw), repairGarbled(raw)]).toEqual([true, repaired])
  })

  it.each([
    'Farmàcia',
    '«CAFÉ»',
    'SÃO João',
    'COMPAÑÍA',
    'Mª Ñº',
    'Château',
    'MILÂ·LENARI',
    'Peña',
  ])('%j does not look encoded twice', (text) => {
    expect(isGarbled(text)).toBe(false)
  })
})

describe('a number', () => {
  it.each([
    ['40.4', {}, 40.4],
    ['-3,7', {}, -3.7],
    ['−3.7', {}, -3.7],
    ['440.000,5', { decimal: ',', group: '.' }, 440000.5],
    ['42.36', { decimal: ',' }, 42.36],
    ['1e3', {}, 1000],
    ['+.5', {}, 0.5],
  ])('in %j with %j is %d', (text, signs, value) => {
    expect(readNumber(text, signs)).toBe(value)
  })

  it.each(['', 'x', '1.2.3', '1,2,3', '0x10', 'Infinity', '40.4 N', '1.234,5'])(
    'is not in %j',
    (text) => {
      expect(readNumber(text)).toBeNull()
    },
  )
})
