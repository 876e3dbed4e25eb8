import { expect, test } from 'vitest'
import { EXPORT_COLUMNS } from '../../../src/domain/pharmacy.ts'
import { cellsIn } from '../../../src/http/csv-cells.ts'
import { seededRandom } from '../../support/random.ts'

const VALUES = [
  '',
  'P0000001',
  'Ñandú, 5',
  '},{"external_id":',
  '":',
  '"',
  '\\',
  'a\r\nb',
  'null',
  '\u{1f48a}',
  'longer than the thirteen characters that a slice takes',
  null,
  true,
  false,
  0,
  -3.707293,
  41.5,
  1e-7,
  1e21,
]

const ofText = (text: string) => `<${text}>`

/** By the rule, from the objects themselves. */
const expected = (records: readonly Record<string, unknown>[]) =>
  records.map((record) =>
    EXPORT_COLUMNS.map((column) => {
      const value = record[column] ?? null
      if (value === null) return ''
      return typeof value === 'string' ? ofText(value) : JSON.stringify(value)
    }),
  )

const jsonOf = (records: readonly object[]) =>
  records.map((record) => JSON.stringify(record)).join(',')

test('cells are the values, whatever they are', () => {
  const random = seededRandom(3)
  const simple = VALUES.filter((value) => !/["\\\r]/.test(String(value)))
  for (let round = 0; round < 4_000; round += 1) {
    const values = random.chance(0.5) ? simple : VALUES
    const records = Array.from({ length: random.integer(4) }, () =>
      Object.fromEntries(EXPORT_COLUMNS.map((column) => [column, random.pick(values)])),
    )
    expect(cellsIn(jsonOf(records), ofText)).toEqual(expected(records))
  }
})

const whole = Object.fromEntries(EXPORT_COLUMNS.map((column) => [column, 'x']))

test.each([
  ['one member more', [whole, { ...whole, more: 1 }]],
  ['another first', [{ more: 1, ...whole }]],
  ['another order', [Object.fromEntries(Object.entries(whole).reverse()), whole]],
  ['a member less', [{ external_id: 'a', name: 'b' }]],
  ['nothing in it', [whole, {}]],
])('a record with %s is read too', (_what, records) => {
  expect(cellsIn(jsonOf(records), ofText)).toEqual(expected(records))
})

test.each([
  ['-5.12E-4', '-0.000512'],
  ['5.0E-4', '0.0005'],
  ['1.0E-7', '1e-7'],
  ['41.5', '41.5'],
])('the number %s, as Elasticsearch may have written it, is %s', (written, shown) => {
  const json = jsonOf([whole]).replace('"latitude":"x"', `"latitude":${written}`)
  const [cells] = cellsIn(json, ofText)
  expect(cells?.[EXPORT_COLUMNS.indexOf('latitude')]).toBe(shown)
})

test('so is one with spaces around its parts', () => {
  const spaced = JSON.stringify(whole, null, 1)
  expect(cellsIn(`${spaced} ,${jsonOf([whole])}`, ofText)).toEqual(expected([whole, whole]))
})

test.each([
  jsonOf([whole]).slice(0, -1),
  `${jsonOf([whole])}${jsonOf([whole])}`,
  '{"external_id":x}',
  'gateway',
])('%s is no record', (json) => {
  expect(() => cellsIn(json, ofText)).toThrow(SyntaxError)
})
