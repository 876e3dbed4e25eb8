import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import type { SourceDefinition } from '../../../src/domain/definition.ts'
import type { PharmacyField } from '../../../src/domain/pharmacy.ts'
import { type Loaded, loadSnapshot, type Snapshot, tableOf } from '../../support/scenario.ts'

/** Published registers, pseudonymised; what a load must give is stated beside them. */
const FOLDER = join(import.meta.dirname, '../../../../shared/data/real')

const REGISTERS = [
  {
    name: 'es-md',
    file: 'es-md_oficinas_farmacia',
    read: (path: string) => tableOf(readFileSync(path, 'latin1'), { delimiter: ';' }),
    nulls: { postal_code: 2928, cnn_code: 2928 },
    records: {
      '419': {
        name: 'Farmacia Titular Inventádo é8360',
        address_line: 'CALLE de Mario Moreno "Cantinflas", 72',
        postal_code: null,
        city: 'Madrid',
        province: 'Madrid',
        owner_name: 'Titular Inventádo é8360',
        latitude: 40.404735,
        longitude: -3.560034,
      },
      '2351': {
        name: 'Farmacia Titular Inventado Prueba 0995',
        address_line: 'CTRA Ajalvir, KM 5',
        postal_code: null,
        city: 'Torrejón de Ardoz',
        province: 'Madrid',
        owner_name: 'Titular Inventado Prueba 0995',
        latitude: 40.478446,
        longitude: -3.478203,
      },
      '1023': {
        address_line: 'CALLE de Méndez Álvaro',
        latitude: 40.393728,
        longitude: -3.677478,
      },
      '3': { address_line: 'CALLE de Ríos Rosas, 50', latitude: 40.44159, longitude: -3.696234 },
    },
  },
  {
    name: 'es-ct',
    file: 'es-ct_catsalut_farmacies',
    read: (path: string) => tableOf(readFileSync(path, 'utf8'), { delimiter: ',' }),
    nulls: {
      postal_code: 3,
      province: 3,
      latitude: 3257,
      longitude: 3257,
      coordinate_source: 3257,
      cnn_code: 3257,
    },
    records: {
      F08012895: {
        name: 'Farmàcia TITULAR INVENTADO. 6183',
        address_line: 'PG Arriassa, 7',
        postal_code: null,
        province: null,
      },
      F08000096: {
        address_line: 'CR PRIM, 156',
        postal_code: '08911',
        city: 'BADALONA',
        province: 'Barcelona',
        owner_name: 'TITULAR 2534. T/TITULAR 2611. T',
      },
      F08000120: { address_line: 'AV MARQUES DE SANT MORI, 16 bis', postal_code: '08913' },
      F08003210: {
        owner_name: 'TÑITULAR INVENTADO. 1400',
        address_line: 'AV REPUBLICA ARGENTINA, 175',
      },
    },
  },
  {
    name: 'es-pv',
    file: 'es-pv_farmaziak',
    read: (path: string) => featuresOf(readFileSync(path, 'utf8')),
    nulls: { owner_name: 4, cnn_code: 842 },
    records: {
      '010073': {
        name: 'Farmacia',
        address_line: 'La Poveda Etorbidea/Avenida 6',
        postal_code: '01306',
        city: 'LAPUEBLA DE LABARCA',
        province: 'ARABA',
        owner_name: null,
        latitude: 42.492442,
        longitude: -2.57565,
      },
      '480910': {
        name: 'Farmacia TITULAR INVENTADO, 7593',
        owner_name: 'TITULAR INVENTADO, 4765 / TITULAR INVENTADO, 7593',
        latitude: 43.256934,
        longitude: -2.923283,
      },
      '481013': {
        address_line: 'Foru Plaza/Plaza 12',
        city: 'URDUÑA/ORDUÑA',
        latitude: 42.99504,
        longitude: -3.009904,
      },
    },
  },
] as const

function featuresOf(text: string): Pick<Snapshot, 'layout' | 'rows'> {
  const { features } = JSON.parse(text) as {
    features: { properties: Record<string, unknown>; geometry: unknown }[]
  }
  return {
    layout: { header: null },
    rows: features.map(({ properties, geometry }) => ({ fields: properties, geometry })),
  }
}

interface Expected {
  observed_at: string
  counts: Loaded['counts']
  events: { event_type: string; external_id: string; old: object; new: object }[]
  changes: { operation: string; external_id: string }[]
}

describe.runIf(existsSync(FOLDER)).each(REGISTERS)(
  '$name',
  ({ name, file, read, nulls, records }) => {
    const extension = name === 'es-pv' ? 'geojson' : 'csv'
    const expected = (number: number) =>
      JSON.parse(readFileSync(join(FOLDER, `${file}.${number}.expected.json`), 'utf8')) as Expected
    const load = (number: number, previous?: Loaded['state']) => {
      const definition = parseYaml(
        readFileSync(join(FOLDER, 'sources', `${name}.yaml`), 'utf8'),
      ) as SourceDefinition
      const { observed_at: observedAt } = expected(number)
      return loadSnapshot(
        definition,
        { ...read(join(FOLDER, `${file}.${number}.${extension}`)), observedAt },
        previous,
      )
    }

    it('gives the stated records in the first snapshot', () => {
      const { state, counts, warnings, reasons } = load(1)
      expect({ counts, warnings, reasons }).toEqual({
        counts: expected(1).counts,
        warnings: [],
        reasons: [],
      })
      const found: Record<string, number> = {}
      for (const { record } of state.values()) {
        for (const [field, value] of Object.entries(record) as [PharmacyField, unknown][]) {
          if (value === null && field !== 'official_last_modified_at')
            found[field] = (found[field] ?? 0) + 1
        }
      }
      expect(found).toEqual(nulls)
      for (const [id, fields] of Object.entries(records))
        expect(state.get(id)?.record).toMatchObject(fields)
    })

    it('gives exactly the stated counts, events and changes in the second', () => {
      const second = load(2, load(1).state)
      const stated = expected(2)
      expect(second.counts).toEqual(stated.counts)
      expect(second.reasons).toEqual([])
      expect(
        second.events.map(({ event_type, external_id, old, new: after }) => ({
          event_type,
          external_id,
          old,
          new: after,
        })),
      ).toEqual(stated.events)
      expect(
        second.changes.map(({ operation, external_id }) => ({ operation, external_id })),
      ).toEqual(stated.changes)
    })
  },
)
