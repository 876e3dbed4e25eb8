import { describe, expect, it } from 'vitest'
import { PROVINCES, provinceByName, provinceOfPostalCode } from '../../../src/domain/provinces.ts'

describe('the provinces', () => {
  it('are 52, numbered without a gap, in 19 territories', () => {
    expect(PROVINCES.map(({ code }) => code)).toEqual(
      Array.from({ length: 52 }, (_, i) => String(i + 1).padStart(2, '0')),
    )
    expect(new Set(PROVINCES.map(({ territory_code }) => territory_code)).size).toBe(19)
  })

  it.each([
    ['15001', 'A Coruña'],
    ['35001', 'Las Palmas'],
    ['07001', 'Illes Balears'],
    ['01001', 'Araba/Álava'],
    ['03001', 'Alicante/Alacant'],
    ['12001', 'Castellón/Castelló'],
    ['46001', 'Valencia/València'],
    ['48001', 'Bizkaia'],
    ['26001', 'La Rioja'],
    ['51001', 'Ceuta'],
    ['52001', 'Melilla'],
  ])('postal code %s is of %s', (postalCode, name) => {
    expect(provinceOfPostalCode(postalCode)?.name).toBe(name)
  })

  it.each(['00001', '53001', '99999', ''])('postal code %j is of none', (postalCode) => {
    expect(provinceOfPostalCode(postalCode)).toBeNull()
  })

  it('know themselves by every name they have', () => {
    for (const province of PROVINCES) {
      for (const name of [province.name, ...province.other_names]) {
        expect([
          name,
          provinceByName(name)?.code,
          provinceByName(name.toUpperCase())?.code,
        ]).toEqual([name, province.code, province.code])
      }
    }
  })

  it.each([
    ['Orense', '32'],
    ['Gerona', '17'],
    ['LERIDA', '25'],
    ['Coruña (A)', '15'],
    ['Coruña', '15'],
    ['Palmas, Las', '35'],
    ['Provincia de Soria', '42'],
    ['Álava / Araba', '01'],
  ])('%j is %s', (text, code) => {
    expect(provinceByName(text)?.code).toBe(code)
  })

  it.each(['', 'Lisboa', 'Madrid / Toledo', 'Soria / Otra'])('%j is none', (text) => {
    expect(provinceByName(text)).toBeNull()
  })
})
