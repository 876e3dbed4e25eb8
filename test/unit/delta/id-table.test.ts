import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentHash } from '../../../src/delta/content-hash.ts'
import { createHashColumn } from '../../../src/delta/hash-column.ts'
import { createIdTable } from '../../../src/delta/id-table.ts'
import { aPharmacy } from '../../support/pharmacy.ts'

const anyString = fc.string({ unit: 'binary', maxLength: 20 })
const halfPairs = fc.constantFrom(
  '\ud800',
  '\udfff',
  '\ud800\udfff',
  'ÿ',
  '\u00ff\u0100',
  'Añ',
  '\uff00',
)

describe('the id table', () => {
  it('behaves like a map from ids to the order of their first coming', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyString, halfPairs), { maxLength: 300 }),
        fc.nat(100),
        (ids, expected) => {
          const table = createIdTable(expected)
          const map = new Map<string, number>()
          for (const id of ids) {
            if (!map.has(id)) map.set(id, map.size)
            expect(table.add(id)).toBe(map.get(id))
          }
          expect(table.size).toBe(map.size)
          for (const [id, ordinal] of map) {
            expect([table.find(id), table.id(ordinal)]).toEqual([ordinal, id])
            expect(table.find(`${id}x`)).toBe(map.get(`${id}x`) ?? -1)
          }
        },
      ),
    )
  })

  it('finds a hundred thousand ids again after growing from nothing', () => {
    const table = createIdTable(0)
    for (let i = 0; i < 100_000; i++) table.add(`F${i}`)
    expect([table.size, table.find('F99999'), table.id(54_321), table.find('F100000')]).toEqual([
      100_000,
      99_999,
      'F54321',
      -1,
    ])
  })
})

describe('the hash column', () => {
  it('gives back what was set, by ordinal', () => {
    const column = createHashColumn()
    const hashes = Array.from({ length: 500 }, (_, i) =>
      contentHash(aPharmacy({ external_id: `P${i}` }), true),
    )
    hashes.forEach((hash, i) => {
      column.set(i, hash)
    })
    expect(hashes.map((_, i) => column.get(i))).toEqual(hashes)
    expect(
      hashes.map((hash, i) => [column.equals(i, hash), column.equals((i + 1) % 500, hash)]),
    ).toEqual(hashes.map(() => [true, false]))
  })
})

describe('the content hash', () => {
  it('is 128 bits in 22 characters and the same for the same content', () => {
    const hash = contentHash(aPharmacy(), true)
    expect(hash).toMatch(/^[A-Za-z0-9_-]{21}[AQgw]$/)
    expect(contentHash(aPharmacy({ observed_at: '2030-01-01T00:00:00.000Z' }), true)).toBe(hash)
  })

  it('differs when any field differs, also where only the border between two fields moves', () => {
    const one = aPharmacy()
    const others = [
      aPharmacy({ name: null }),
      aPharmacy({ name: '' }),
      aPharmacy({ name: 'Farmacia', address_line: 'InventadaCalle Mayor, 5' }),
      aPharmacy({ latitude: null, longitude: null, coordinate_source: null }),
      aPharmacy({ latitude: -2.468, longitude: 41.764 }),
      aPharmacy({ is_active: false }),
      aPharmacy({ cnn_code: '1' }),
      aPharmacy({ territory_code: 'ES-MD' }),
      aPharmacy({ source_slug: 'otra' }),
      aPharmacy({ official_source_name: 'Otro' }),
      aPharmacy({ official_source_url: 'https://otro.example/' }),
      aPharmacy({ official_last_modified_at: '2024-01-01T00:00:00.000Z' }),
    ]
    const hashes = [one, ...others].map((record) => contentHash(record, true))
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  it('leaves the date of the dataset out where it is no fact of the row', () => {
    const dated = aPharmacy({ official_last_modified_at: '2024-01-01T00:00:00.000Z' })
    expect(contentHash(dated, false)).toBe(contentHash(aPharmacy(), false))
  })
})
