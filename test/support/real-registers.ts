import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BusinessEvent } from '../../src/domain/event.ts'
import type { Pharmacy } from '../../src/domain/pharmacy.ts'
import type { RunCounts } from '../../src/domain/run.ts'

/**
 * Published registers, pseudonymised. They lie beside a development checkout, not in the repository; what a load must
 * give is stated with them, in README.md (which the constants here repeat) and in *.expected.json.
 */
export const REAL_FOLDER = join(import.meta.dirname, '../../../shared/data/real')
export const HAS_REAL_REGISTERS = existsSync(REAL_FOLDER)

export interface StatedSnapshot {
  observed_at: string
  status: string
  baseline: boolean
  counts: RunCounts
  event_counts?: Record<string, number>
  events: Pick<BusinessEvent, 'event_type' | 'external_id' | 'old' | 'new'>[]
  /** of a first snapshot only how many of each */
  changes: { operation: string; external_id: string }[] | { upsert: number; delete: number }
  upsert_without_event?: string[]
  touched_but_unchanged?: string[]
}

export interface RealRegister {
  name: string
  territory: string
  file: string
  extension: 'csv' | 'geojson'
  total: number
  withCoordinates: number
  /** how many records of the first snapshot have no value, by field; official_last_modified_at is null in all */
  nulls: Partial<Record<keyof Pharmacy, number>>
  /** spot checks of the first snapshot */
  records: Record<string, Partial<Pharmacy>>
}

/** The stated records, in the columns of the README's tables. */
function spotChecks(
  rows: readonly [
    id: string,
    name: string,
    address_line: string,
    postal_code: string | null,
    city: string,
    province: string | null,
    owner_name: string | null,
    latitude: number | null,
    longitude: number | null,
  ][],
): Record<string, Partial<Pharmacy>> {
  return Object.fromEntries(
    rows.map(
      ([id, name, address_line, postal_code, city, province, owner_name, latitude, longitude]) => [
        id,
        { name, address_line, postal_code, city, province, owner_name, latitude, longitude },
      ],
    ),
  )
}

export const REAL_REGISTERS: readonly RealRegister[] = [
  {
    name: 'es-md',
    territory: 'ES-MD',
    file: 'es-md_oficinas_farmacia',
    extension: 'csv',
    total: 2928,
    withCoordinates: 2928,
    nulls: { postal_code: 2928, cnn_code: 2928 },
    records: spotChecks([
      [
        '419',
        'Farmacia Titular Inventádo é8360',
        'CALLE de Mario Moreno "Cantinflas", 72',
        null,
        'Madrid',
        'Madrid',
        'Titular Inventádo é8360',
        40.404735,
        -3.560034,
      ],
      [
        '2351',
        'Farmacia Titular Inventado Prueba 0995',
        'CTRA Ajalvir, KM 5',
        null,
        'Torrejón de Ardoz',
        'Madrid',
        'Titular Inventado Prueba 0995',
        40.478446,
        -3.478203,
      ],
      [
        '1023',
        'Farmacia Titular Inventado Prueba 3839',
        'CALLE de Méndez Álvaro',
        null,
        'Madrid',
        'Madrid',
        'Titular Inventado Prueba 3839',
        40.393728,
        -3.677478,
      ],
      [
        '3',
        'Farmacia Titular Inventado 4119',
        'CALLE de Ríos Rosas, 50',
        null,
        'Madrid',
        'Madrid',
        'Titular Inventado 4119',
        40.44159,
        -3.696234,
      ],
    ]),
  },
  {
    name: 'es-ct',
    territory: 'ES-CT',
    file: 'es-ct_catsalut_farmacies',
    extension: 'csv',
    total: 3257,
    withCoordinates: 0,
    nulls: {
      postal_code: 3,
      province: 3,
      latitude: 3257,
      longitude: 3257,
      coordinate_source: 3257,
      cnn_code: 3257,
    },
    records: spotChecks([
      [
        'F08012895',
        'Farmàcia TITULAR INVENTADO. 6183',
        'PG Arriassa, 7',
        null,
        'BARCELONA',
        null,
        'TITULAR INVENTADO. 6183',
        null,
        null,
      ],
      [
        'F08000096',
        'Farmàcia TITULAR 2534. T/TITULAR 2611. T',
        'CR PRIM, 156',
        '08911',
        'BADALONA',
        'Barcelona',
        'TITULAR 2534. T/TITULAR 2611. T',
        null,
        null,
      ],
      [
        'F08000120',
        'Farmàcia TITULAR INVENTADO. 3989',
        'AV MARQUES DE SANT MORI, 16 bis',
        '08913',
        'BADALONA',
        'Barcelona',
        'TITULAR INVENTADO. 3989',
        null,
        null,
      ],
      [
        'F08003210',
        'Farmàcia TÑITULAR INVENTADO. 1400',
        'AV REPUBLICA ARGENTINA, 175',
        '08023',
        'BARCELONA',
        'Barcelona',
        'TÑITULAR INVENTADO. 1400',
        null,
        null,
      ],
    ]),
  },
  {
    name: 'es-pv',
    territory: 'ES-PV',
    file: 'es-pv_farmaziak',
    extension: 'geojson',
    total: 842,
    withCoordinates: 842,
    nulls: { owner_name: 4, cnn_code: 842 },
    records: spotChecks([
      [
        '010073',
        'Farmacia',
        'La Poveda Etorbidea/Avenida 6',
        '01306',
        'LAPUEBLA DE LABARCA',
        'ARABA',
        null,
        42.492442,
        -2.57565,
      ],
      [
        '480910',
        'Farmacia TITULAR INVENTADO, 7593',
        'Tendería Kalea/Calle 32',
        '48005',
        'BILBAO',
        'BIZKAIA',
        'TITULAR INVENTADO, 4765 / TITULAR INVENTADO, 7593',
        43.256934,
        -2.923283,
      ],
      [
        '481013',
        'Farmacia TITULAR INVENTADO, 7114',
        'Foru Plaza/Plaza 12',
        '48460',
        'URDUÑA/ORDUÑA',
        'BIZKAIA',
        'TITULAR INVENTADO, 7114',
        42.99504,
        -3.009904,
      ],
    ]),
  },
]

export function realFile({ file, extension }: RealRegister, snapshot: 1 | 2): string {
  return join(REAL_FOLDER, `${file}.${snapshot}.${extension}`)
}

export function statedOf({ file }: RealRegister, snapshot: 1 | 2): StatedSnapshot {
  const path = join(REAL_FOLDER, `${file}.${snapshot}.expected.json`)
  return JSON.parse(readFileSync(path, 'utf8')) as StatedSnapshot
}
