import { describe, expect, it } from 'vitest'
import { compileNormaliser } from '../../../src/delta/normalise.ts'
import type { CoordinateRule } from '../../../src/domain/definition.ts'
import { OperatorError } from '../../../src/domain/problem.ts'
import type { Row } from '../../../src/domain/row.ts'
import { warningTally } from '../../../src/domain/run.ts'
import { aDefinition } from '../../support/pharmacy.ts'

const NOWHERE = { latitude: null, longitude: null, source: null }

function locate(
  rule: CoordinateRule,
  row: Row,
  header: string[] | null = ['id', 'nombre', 'x', 'y'],
) {
  const tally = warningTally()
  const normaliser = compileNormaliser(
    aDefinition({ coordinates: rule }),
    { header },
    { observedAt: '2024-01-02T06:00:00.000Z', datasetModifiedAt: null },
  )
  const judged = normaliser.judge(row, tally)
  if (judged.kind !== 'record') throw new Error(JSON.stringify(judged))
  const { latitude, longitude, coordinate_source: source } = judged.record
  return { latitude, longitude, source, warnings: tally.list().map(({ code }) => code) }
}

const xy = (rule: Partial<CoordinateRule>, x: string, y: string) =>
  locate({ crs: 'EPSG:4326', x: 'x', y: 'y', ...rule }, ['1', 'Uno', x, y])
const official = (latitude: number, longitude: number) => ({
  latitude,
  longitude,
  source: 'official',
  warnings: [],
})
const none = (...warnings: string[]) => ({ ...NOWHERE, warnings })

describe('projected coordinates', () => {
  it.each([
    ['EPSG:25830', '440000', '4475000', 40.423469, -3.707293],
    ['EPSG:25831', '430000', '4582000', 41.386484, 2.162767],
    ['EPSG:25829', '540000', '4747000', 42.874548, -8.510248],
    ['EPSG:4083', '458000', '3109000', 28.105833, -15.427582],
    ['EPSG:25830', '610000', '4741000', 42.813658, -1.654514],
    ['EPSG:3857', '-127000', '4577000', 37.982826, -1.14086],
    ['EPSG:102100', '-127000', '4577000', 37.982826, -1.14086],
    ['EPSG:32630', '440000', '4475000', 40.423469, -3.707293],
  ])('in %s at %s, %s', (crs, x, y, latitude, longitude) => {
    expect(xy({ crs }, x, y)).toEqual(official(latitude, longitude))
  })

  it('of ED50 and Lambert 93 are shifted and unrolled', () => {
    const ed50 = xy({ crs: 'EPSG:23030' }, '440109', '4475207')
    expect([
      Math.abs((ed50.latitude ?? 0) - 40.423469) < 1e-4,
      Math.abs((ed50.longitude ?? 0) + 3.707293) < 1e-4,
    ]).toEqual([true, true])
    expect(xy({ crs: 'EPSG:2154', bbox: [-5, 42, 8, 51] }, '700000', '6600000')).toEqual(
      official(46.5, 3),
    )
  })

  it('in a system nobody knows stop the start', () => {
    expect(() => xy({ crs: 'EPSG:9999' }, '1', '2')).toThrow(OperatorError)
  })
})

describe('a pair of coordinates', () => {
  it('is rounded to six decimals', () => {
    expect(xy({}, '-2.94839296592869', '43.2514558206498')).toEqual(official(43.251456, -2.948393))
  })

  it('may have a decimal comma and a group sign', () => {
    expect(xy({}, '-3,7', '40,4')).toEqual(official(40.4, -3.7))
    expect(xy({ crs: 'EPSG:25830', decimal: ',', group: '.' }, '440.000,0', '4.475.000')).toEqual(
      official(40.423469, -3.707293),
    )
  })

  it('is nowhere without a warning when there is nothing, with one when there is no number', () => {
    expect(xy({}, '', '-')).toEqual(none())
    expect(xy({}, '-3.7', '')).toEqual(none('coordinates_invalid'))
    expect(xy({}, 'oeste', '40.4')).toEqual(none('coordinates_invalid'))
  })

  it('that is nearly zero is a placeholder', () => {
    expect(xy({}, '0', '0')).toEqual(none('null_island'))
    expect(xy({}, '0', '0.000001')).toEqual(none('null_island'))
    expect(xy({ crs: 'EPSG:25830' }, '0', '0')).toEqual(none('null_island'))
    expect(xy({}, '0', '39.99')).toEqual(official(39.99, 0))
  })

  it.each([
    ['Ceuta', '-5.3101', '35.8801'],
    ['Melilla', '-2.938', '35.292'],
    ['Canarias', '-17.9', '28.7'],
    ['Menorca', '4.28', '39.88'],
    ['Tarifa', '-5.606', '36.013'],
  ])('in %s is in Spain', (_, x, y) => {
    expect(xy({}, x, y)).toEqual(official(Number(y), Number(x)))
  })

  it('outside the box is nowhere, and never turned unasked', () => {
    expect(xy({ bbox: [-4.6, 39.8, -3, 41.2] }, '40.4', '-3.7')).toEqual(
      none('coordinates_outside'),
    )
    expect(xy({}, '-3.7', '48.85')).toEqual(none('coordinates_outside'))
    expect(xy({ crs: 'EPSG:25830', bbox: [0.1, 40.5, 3.4, 42.9] }, '430000', '4582000')).toEqual(
      none('coordinates_outside'),
    )
  })

  it('is turned where that is asked for, and says so', () => {
    expect(xy({ swap_if_outside: true }, '40.4', '-3.7')).toEqual({
      latitude: 40.4,
      longitude: -3.7,
      source: 'official_swapped',
      warnings: [],
    })
    expect(xy({ swap_if_outside: true }, '140', '-3.7')).toEqual(none('coordinates_outside'))
  })

  it('is tried in each system of a list, by size and box', () => {
    const rule = {
      crs: ['EPSG:4326', 'EPSG:25830'],
      bbox: [-2.4, 37.3, -0.6, 38.8],
      swap_if_outside: true,
    }
    expect(xy(rule, '-1.1299', '37.9834')).toEqual(official(37.9834, -1.1299))
    expect(xy(rule, '678000', '4163000')).toEqual(official(37.596872, -0.983699))
    expect(xy(rule, '37.67', '-1.7')).toMatchObject({
      latitude: 37.67,
      longitude: -1.7,
      source: 'official_swapped',
    })
    expect(xy(rule, '0', '0')).toEqual(none('null_island'))
  })
})

describe('a geometry', () => {
  const geometry = (kind: 'geojson' | 'esri', value: unknown, crs = 'EPSG:4326') =>
    locate({ crs, geometry: kind }, { fields: { id: '1', nombre: 'Uno' }, geometry: value }, null)
  const column = (kind: NonNullable<CoordinateRule['geometry']>, value: unknown) =>
    locate(
      { crs: 'EPSG:4326', geometry: kind, column: 'g' },
      { fields: { id: '1', nombre: 'Uno', g: value } },
      null,
    )

  it.each([
    ['geojson', { type: 'Point', coordinates: [-3.7, 40.4] }],
    [
      'geojson',
      {
        type: 'MultiPoint',
        coordinates: [
          [-3.7, 40.4],
          [0, 0],
        ],
      },
    ],
    ['esri', { x: -3.7, y: 40.4 }],
    ['esri', { points: [[-3.7, 40.4]] }],
  ] as const)('%s of %j is a point', (kind, value) => {
    expect(geometry(kind, value)).toEqual(official(40.4, -3.7))
  })

  it('of Esri in web metres is a point', () => {
    expect(geometry('esri', { points: [[-666000, 4490000]] }, 'EPSG:3857')).toEqual(
      official(37.364244, -5.98278),
    )
  })

  it.each([
    ['geojson', null],
    ['geojson', { type: 'Point', coordinates: [] }],
    ['esri', { x: 'NaN', y: 'NaN' }],
    ['esri', { points: [] }],
  ] as const)('%s of %j is nothing', (kind, value) => {
    expect(geometry(kind, value)).toEqual(none())
  })

  it.each([
    ['geojson', { type: 'Polygon', coordinates: [[[-3.7, 40.4]]] }],
    ['geojson', { type: 'Point', coordinates: ['x', 'y'] }],
    ['esri', 'nada'],
  ] as const)('%s of %j is invalid', (kind, value) => {
    expect(geometry(kind, value)).toEqual(none('coordinates_invalid'))
  })

  it.each([
    ['wkt', 'POINT (-3.7 40.4)'],
    ['wkt', 'POINT(-3.7 40.4)'],
    ['wkt', 'SRID=4326;POINT(-3.7 40.4)'],
    ['wkt', 'point z (-3.7 40.4 600)'],
    ['wkt', 'MULTIPOINT ((-3.7 40.4), (0 0))'],
    ['lat_lng_text', '40.4, -3.7'],
    ['lat_lng_text', '(40.4 -3.7)'],
    ['lat_lng_text', '40,4; -3,7'],
    ['lat_lng_text', { lat: 40.4, lon: -3.7 }],
    ['lat_lng_text', [40.4, -3.7]],
    ['lng_lat_text', '-3.7,40.4'],
    ['lng_lat_text', '-3,7 40,4'],
    ['geojson', '{"type":"Point","coordinates":[-3.7,40.4]}'],
  ] as const)('%s in a column with %j is a point', (kind, value) => {
    expect(column(kind, value)).toEqual(official(40.4, -3.7))
  })

  it('of well-known text may name its own system', () => {
    const { latitude, longitude, source } = column('wkt', 'SRID=25830;POINT(440000 4475000)')
    expect({ latitude, longitude, source }).toEqual({
      latitude: 40.423469,
      longitude: -3.707293,
      source: 'official',
    })
  })

  it.each([
    ['wkt', 'POINT EMPTY', []],
    ['wkt', '', []],
    ['lat_lng_text', '-', []],
    ['wkt', 'LINESTRING(0 0, 1 1)', ['coordinates_invalid']],
    ['lat_lng_text', 'Soria', ['coordinates_invalid']],
    ['geojson', '{', ['coordinates_invalid']],
  ] as const)('%s in a column with %j is nowhere', (kind, value, warnings) => {
    expect(column(kind, value)).toEqual(none(...warnings))
  })
})
