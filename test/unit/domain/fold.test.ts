import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canonicalAddress,
  canonicalPlace,
  canonicalProvince,
  cityGroup,
  cityKey,
  cityKeys,
  foldText,
  provinceGroup,
  provinceKey,
  provinceKeys,
  provinceLabel,
  sameField,
} from '../../../src/domain/fold.ts'

describe('foldText', () => {
  it.each([
    ['ÁVILA', 'avila'],
    ['Peña Çedilla', 'pena cedilla'],
    ["L'Hospitalet", 'lhospitalet'],
    ['L´Hospitalet', 'lhospitalet'],
    ['L’Hospitalet', 'lhospitalet'],
    ['Paral·lel', 'parallel'],
    ['Paraŀlel', 'parallel'],
    ['S.A.', 'sa'],
    ['Pérez Ficticio, Ana', 'perez ficticio ana'],
    ['Puig-Reig', 'puig reig'],
    ['Mª Nº 5º', 'ma no 5o'],
    ['N° 5', 'no 5'],
    ['Straße', 'strasse'],
    ['Œuvre æther', 'oeuvre aether'],
    ['  dos   blancos ', 'dos blancos'],
    ['Ｆａｒｍａｃｉａ', 'farmacia'],
    ['---', ''],
  ])('folds %j to %j', (text, folded) => {
    expect(foldText(text)).toBe(folded)
  })

  it('gives the same again for what it has folded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('does not depend on case, composition or surrounding blanks', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zñçáéíóúüàèò .,'·-]{0,30}$/), (text) => {
        const folded = foldText(text)
        expect(
          [text.toUpperCase(), text.normalize('NFD'), ` ${text}\t`].map((other) => foldText(other)),
        ).toEqual([folded, folded, folded])
      }),
    )
  })
})

describe('an address', () => {
  it.each([
    ['C/ Mayor, 5', 'Calle Mayor 5'],
    ['CL MAYOR 5', 'Calle Mayor, 5'],
    ['C. Mayor 5', 'calle mayor 5'],
    ['C.Mayor 5', 'Calle Mayor 5'],
    ['Av. de la Prueba 7', 'AVENIDA DE LA PRUEBA, 7'],
    ['Avda. de la Prueba 7', 'Avenida de la Prueba 7'],
    ['AVD DE LA PRUEBA 7', 'Avenida de la Prueba 7'],
    ['Pza. Falsa 1', 'Plaza Falsa, 1'],
    ['Pl. Falsa 1', 'Plaza Falsa, 1'],
    ['Plz Falsa 1', 'Plaza Falsa, 1'],
    ['Ctra. de Soria KM 5', 'CARRETERA de Soria, km 5'],
    ['P.º de la Paz 1', 'Paseo de la Paz, 1'],
    ['Pº de la Paz 1', 'Paseo de la Paz, 1'],
    ['Pso. de la Paz 1', 'Paseo de la Paz, 1'],
    ['Rda. Norte 3', 'Ronda Norte 3'],
    ['Trav. Corta 2', 'Travesía Corta 2'],
    ['TRVA Corta 2', 'Travesía Corta 2'],
    ['Gta. del Sol 1', 'Glorieta del Sol 1'],
    ['Urb. El Pinar, 4', 'Urbanización El Pinar 4'],
    ['Pol. Sur, 4', 'Polígono Sur 4'],
    ['Pol. Ind. Sur, 4', 'Polígono Industrial Sur 4'],
    ['C.º Viejo 1', 'Camino Viejo 1'],
    ['Cno. Viejo 1', 'Camino Viejo 1'],
    ['G.V. Sur 5', 'Gran Vía Sur, 5'],
    ['Calle Ávila S/N', 'CALLE AVILA, s/n'],
    ['Calle Ávila s.n.', 'CALLE AVILA, sn'],
    ['Calle Ávila, sin número', 'CALLE AVILA, S/N'],
    ['C/ Prim, 156', 'Carrer Prim, 156'],
    ['CR PRIM, 156', 'Carrer Prim, 156'],
    ['Av. Diagonal 1', 'Avinguda Diagonal, 1'],
    ['Pl. Major, 2', 'Plaça Major 2'],
    ['Pg. de Gràcia 3', 'Passeig de Gràcia, 3'],
    ['Rb. Nova 4', 'Rambla Nova 4'],
    ['R/ do Vilar, 3', 'Rúa do Vilar 3'],
    ['Prim K. 31', 'Prim Kalea, 31'],
    ['Calle  Falsa 4.', 'Calle Falsa, 4'],
    ["Carrer de l' Obertura, 4", "Carrer de l'Obertura, 4"],
    ['C/ d’ Aragó 4', 'Carrer d’Aragó, 4'],
  ])('is the same as %j and as %j', (a, b) => {
    expect(sameField('address_line', a, b)).toBe(true)
    expect(sameField('address_line', b, a)).toBe(true)
  })

  it.each([
    ['Calle Mayor 5', 'Carrer Mayor 5'],
    ['Plaza Mayor 5', 'Plaça Mayor 5'],
    ['Avenida Sur 5', 'Avinguda Sur 5'],
    ['Calle Mayor 5', 'Avenida Mayor 5'],
    ['Calle Mayor 5', 'Mayor 5'],
    ['Calle Mayor 5', 'Calle Mayor 6'],
    ['Calle Mayor 1 2', 'Calle Mayor 12'],
    ['Calle Mayor s/n', 'Calle Mayor'],
    ['Calle del Paseo 1', 'Paseo 1'],
  ])('is another in %j and %j', (a, b) => {
    expect(sameField('address_line', a, b)).toBe(false)
  })

  it('has one canonical text per spelling of an unambiguous type', () => {
    expect(canonicalAddress('Ctra. de Soria, S/N')).toBe('carretera de soria sn')
    expect(canonicalAddress('CARRETERA DE SORIA sn')).toBe('carretera de soria sn')
  })
})

describe('a field that is the same', () => {
  it.each([
    ['city', 'BARCELONA', 'Barcelona'],
    ['city', 'Donostia / San Sebastián', 'SAN SEBASTIAN/DONOSTIA'],
    ['city', 'Coruña, A', 'A Coruña'],
    ['city', 'Coruña (A)', 'A Coruña'],
    ['city', 'Sta.Cruz', 'Sta. Cruz'],
    ['province', 'Vizcaya', 'Bizkaia'],
    ['province', 'ARABA', 'Araba/Álava'],
    ['province', 'Alacant', 'Alicante'],
    ['province', 'Rioja, La', 'LA RIOJA'],
    ['province', 'STA.CRUZ DE TENERIFE', 'Santa Cruz de Tenerife'],
    ['province', 'S.C.TENERIFE', 'S.C. Tenerife'],
    ['province', 'BIZKAIA-VIZCAYA', 'Bizkaia'],
    ['province', 'CORUÑA A', 'A Coruña'],
    ['province', 'NAVARRA - NAFARROA', 'Navarra'],
    ['city', "L' Hospitalet", "L'Hospitalet"],
    ['owner_name', 'Perez Ficticio, Ana', 'PÉREZ FICTICIO ANA'],
    ['owner_name', 'TITULAR INVENTADO. 7903', 'TITULAR INVENTADO.7903'],
    ['owner_name', 'Uno, S.L.', 'UNO SL'],
    ['owner_name', 'Ana Una / Luis Dos', 'LUIS DOS/ANA UNA'],
    ['postal_code', '28001', '28001'],
    ['city', null, 'Soria'],
    ['city', 'Soria', null],
    ['owner_name', 'Ana', '.'],
  ] as const)('%s: %j is %j', (field, a, b) => {
    expect(sameField(field, a, b)).toBe(true)
  })

  it.each([
    ['city', 'Soria', 'Ólvega'],
    ['city', 'Donostia / San Sebastián', 'Donostia'],
    ['province', 'Madrid', 'Toledo'],
    ['province', 'Madrid-Toledo', 'Madrid'],
    ['owner_name', 'TITULAR UNO', 'TITULAR DOS / TITULAR UNO'],
    ['postal_code', '28001', '28002'],
  ] as const)('%s: %j is not %j', (field, a, b) => {
    expect(sameField(field, a, b)).toBe(false)
  })
})

describe('the canonical form of places', () => {
  it('keeps two names as a set', () => {
    expect(canonicalPlace('DONOSTIA / SAN SEBASTIÁN')).toBe('donostia/san sebastian')
    expect(canonicalPlace('San Sebastián/Donostia')).toBe('donostia/san sebastian')
  })

  it('knows a province by what it is, and leaves what is none', () => {
    expect(canonicalProvince('Guipúzcoa')).toBe('ine:20')
    expect(canonicalProvince('Tras-os-Montes')).toBe('tras os montes')
  })
})

describe('the keys of a city', () => {
  const finds = (asked: string, published: string) => cityKeys(published).includes(cityKey(asked))

  it.each([
    ['a coruña', 'Coruña, A'],
    ['Coruña', 'A Coruña'],
    ['La Coruña', 'Coruña, A'],
    ['Pola de Prueba', 'POLA DE PRUEBA, LA'],
    ['La Pola de Prueba', 'POLA DE PRUEBA, LA'],
    ['hospitalet de llobregat', "L'Hospitalet de Llobregat"],
    ["Hospitalet de Llobregat, L'", "L'Hospitalet de Llobregat"],
    ['Donostia', 'Donostia / San Sebastián'],
    ['san sebastian', 'DONOSTIA / SAN SEBASTIÁN'],
    ['San Sebastián/Donostia', 'Donostia / San Sebastián'],
    ['Sta Cruz', 'Sta.Cruz'],
  ])('%j finds %j', (asked, published) => {
    expect(finds(asked, published)).toBe(true)
  })

  it.each([
    ['Madrid', 'Rivas-Vaciamadrid'],
    ['San', 'Donostia / San Sebastián'],
    ['Donostia / Bilbao', 'Donostia / San Sebastián'],
  ])('%j does not find %j', (asked, published) => {
    expect(finds(asked, published)).toBe(false)
  })

  it('is found by itself whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(cityKey(text) !== '')
        expect(cityKeys(text)).toContain(cityKey(text))
        expect(provinceKeys(text)).toContain(provinceKey(text))
      }),
    )
  })

  it('groups spellings of one city', () => {
    expect(new Set(['Coruña, A', 'A CORUÑA', 'La Coruña'].map((name) => cityGroup(name)))).toEqual(
      new Set(['coruna']),
    )
  })
})

describe('the keys of a province', () => {
  it.each([
    ['Vizcaya', 'BIZKAIA'],
    ['Alacant', 'Alicante/Alacant'],
    ['alicante', 'ALACANT'],
    ['Coruña, A', 'La Coruña'],
    ['Islas Baleares', 'Balears, Illes'],
    ['Valencia', 'Valencia/València'],
    ['Álava', 'Araba'],
  ])('%j finds %j', (asked, published) => {
    expect(provinceKeys(published)).toContain(provinceKey(asked))
  })

  it('shows a group by its official name, and an unknown one as it was spelt', () => {
    expect(provinceLabel(provinceGroup('ALACANT'), 'ALACANT')).toBe('Alicante/Alacant')
    expect(provinceLabel(provinceGroup('Otro Sitio'), 'Otro Sitio')).toBe('Otro Sitio')
  })
})
