import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalRecord } from '../../../src/domain/canonical-record.ts'
import { digestSum } from '../../../src/http/dataset-digest.ts'
import { aPharmacy } from '../../support/pharmacy.ts'

const digestOf = (records: ReturnType<typeof aPharmacy>[]) => {
  const sum = digestSum()
  for (const record of records) sum.add(record)
  return sum.result()
}

test('the canonical text is a JSON array in column order, coordinates in whole millionths', () => {
  const record = aPharmacy({ name: 'Núñez "Ñ"\t/', latitude: 40.000001, longitude: -0.000001 })
  expect(canonicalRecord(record)).toBe(
    '["P1","Núñez \\"Ñ\\"\\t/","Calle Mayor, 5","42001","Soria","Soria","ES-CL",40000001,-1,' +
      '"official","Ana Inventada",null,"prueba","Registro inventado",' +
      '"https://registro.example/farmacias",null,"2024-01-02T06:00:00.000Z",true]',
  )
})

test('nothing has the digest zero; one record that of its own hash', () => {
  expect(digestOf([])).toEqual({ count: 0, digest: '0'.repeat(32) })
  const hash = createHash('sha256').update(canonicalRecord(aPharmacy())).digest('hex')
  expect(digestOf([aPharmacy()])).toEqual({ count: 1, digest: hash.slice(0, 32) })
})

test('the order does not count; any field, a lost record and a doubled one do', () => {
  const record = fc.record({
    external_id: fc.string({ minLength: 1 }),
    name: fc.option(fc.string()),
    latitude: fc.option(fc.integer({ min: 0, max: 1e6 }).map((n) => n / 1e6)),
    is_active: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 20 }), (fields) => {
      const records = fields.map((some) => aPharmacy(some))
      const { digest } = digestOf(records)
      expect(digestOf([...records].reverse()).digest).toBe(digest)
      const [first, ...rest] = records as [ReturnType<typeof aPharmacy>]
      expect(digestOf(rest).digest).not.toBe(digest)
      expect(digestOf([first, ...records]).digest).not.toBe(digest)
      const changed = { ...first, city: `${first.city}x` }
      expect(digestOf([changed, ...rest]).digest).not.toBe(digest)
    }),
  )
})

test('a sum beyond 128 bits begins again', () => {
  const records = Array.from({ length: 50 }, (_, n) => aPharmacy({ external_id: `P${n}` }))
  const sum = records.reduce((total, record) => {
    const hash = createHash('sha256').update(canonicalRecord(record)).digest('hex')
    return (total + BigInt(`0x${hash.slice(0, 32)}`)) % 2n ** 128n
  }, 0n)
  expect(digestOf(records).digest).toBe(sum.toString(16).padStart(32, '0'))
})
