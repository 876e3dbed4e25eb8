import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeOf } from '../../../src/delta/changes.ts'
import { identityReuseSuspected, sameContent } from '../../../src/delta/diff.ts'
import { eventsOf } from '../../../src/delta/events.ts'
import { foldText } from '../../../src/domain/fold.ts'
import type { Pharmacy } from '../../../src/domain/pharmacy.ts'
import { aPharmacy } from '../../support/pharmacy.ts'

const HERE = {
  address_line: 'Calle Mayor, 5',
  postal_code: '42001',
  city: 'Soria',
  province: 'Soria',
  latitude: 41.764,
  longitude: -2.468,
}
const IDENTITY = { territory_code: 'ES-CL', external_id: 'P1', name: 'Farmacia Inventada' }
const WHOLE = { name: 'Farmacia Inventada', owner_name: 'Ana Inventada', is_active: true, ...HERE }

describe('the events of one pharmacy', () => {
  it('opened, also when first seen inactive', () => {
    expect(eventsOf(null, aPharmacy({ is_active: false }))).toEqual([
      {
        event_type: 'opened',
        ...IDENTITY,
        old: {},
        new: { ...WHOLE, is_active: false },
        old_location: null,
        new_location: HERE,
      },
    ])
  })

  it('closed_hard, also when it was inactive', () => {
    expect(eventsOf(aPharmacy({ is_active: false }), null)).toEqual([
      {
        event_type: 'closed_hard',
        ...IDENTITY,
        old: { ...WHOLE, is_active: false },
        new: {},
        old_location: HERE,
        new_location: null,
      },
    ])
  })

  it.each([
    ['closed_soft', true, false],
    ['reopened', false, true],
  ])('%s shows state, name and location on both sides', (event_type, before, after) => {
    expect(eventsOf(aPharmacy({ is_active: before }), aPharmacy({ is_active: after }))).toEqual([
      {
        event_type,
        ...IDENTITY,
        old: { is_active: before, name: 'Farmacia Inventada', ...HERE },
        new: { is_active: after, name: 'Farmacia Inventada', ...HERE },
        old_location: HERE,
        new_location: HERE,
      },
    ])
  })

  it('relocated shows both locations, ownership_change both holders', () => {
    const there = { ...HERE, address_line: 'Plaza Sur, 1', latitude: null, longitude: null }
    const after = aPharmacy({ ...there, owner_name: 'Luis Ficticio' })
    expect(eventsOf(aPharmacy(), after)).toEqual([
      {
        event_type: 'relocated',
        ...IDENTITY,
        old: HERE,
        new: there,
        old_location: HERE,
        new_location: there,
      },
      {
        event_type: 'ownership_change',
        ...IDENTITY,
        old: { owner_name: 'Ana Inventada' },
        new: { owner_name: 'Luis Ficticio' },
        old_location: HERE,
        new_location: there,
      },
    ])
  })

  it('come one per kind, in the order of the spec, when several happen at once', () => {
    const after = aPharmacy({ is_active: false, city: 'Ólvega', owner_name: 'Luis', name: 'Otra' })
    expect(eventsOf(aPharmacy(), after).map(({ event_type, name }) => [event_type, name])).toEqual([
      ['closed_soft', 'Otra'],
      ['relocated', 'Otra'],
      ['ownership_change', 'Otra'],
    ])
  })

  it.each([
    ['a cosmetic edit', { address_line: 'CALLE MAYOR 5', city: 'SORIA' }],
    ['a street type spelt out', { address_line: 'C/ Mayor 5' }],
    ['another name', { name: 'Otra' }],
    ['a corrected point', { latitude: 41.765 }],
    ['a lost point', { latitude: null, longitude: null, coordinate_source: null }],
    ['a lost postal code', { postal_code: null }],
    ['a lost holder', { owner_name: null }],
  ])('are none for %s, which is an upsert', (_, fields) => {
    expect(eventsOf(aPharmacy(), aPharmacy(fields))).toEqual([])
    expect(eventsOf(aPharmacy(fields), aPharmacy())).toEqual([])
    expect(changeOf(aPharmacy(), aPharmacy(fields))).toEqual({
      operation: 'upsert',
      external_id: 'P1',
      payload: aPharmacy(fields),
    })
  })

  it('agree with the table of the spec for any two records', () => {
    const record = fc.option(
      fc.record({
        address_line: fc.constantFrom('Plaza 1', 'PLAZA, 1', 'Ronda 2', null),
        postal_code: fc.constantFrom('42001', '42002', null),
        city: fc.constantFrom('Soria', 'SORIA', 'Ólvega', null),
        province: fc.constantFrom('Soria', 'Ávila', null),
        owner_name: fc.constantFrom('Ana', 'ANA', 'Luis', null),
        is_active: fc.boolean(),
        latitude: fc.constantFrom(41.7, null),
      }),
    )
    const differ = (a: string | null, b: string | null) =>
      a !== null && b !== null && foldText(a) !== foldText(b)
    fc.assert(
      fc.property(record, record, (a, b) => {
        const before = a && aPharmacy(a)
        const after = b && aPharmacy(b)
        const expected: string[] = []
        if (!a && b) expected.push('opened')
        if (a && !b) expected.push('closed_hard')
        if (a && b) {
          if (a.is_active && !b.is_active) expected.push('closed_soft')
          if (!a.is_active && b.is_active) expected.push('reopened')
          if (
            (['address_line', 'postal_code', 'city', 'province'] as const).some((f) =>
              differ(a[f], b[f]),
            )
          )
            expected.push('relocated')
          if (differ(a.owner_name, b.owner_name)) expected.push('ownership_change')
        }
        expect(eventsOf(before, after).map(({ event_type }) => event_type)).toEqual(expected)
        const differs = JSON.stringify(a) !== JSON.stringify(b)
        const operation = b ? 'upsert' : 'delete'
        expect(changeOf(before, after)?.operation).toBe(differs ? operation : undefined)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('the change of one pharmacy', () => {
  it('is a delete with the last known record, or nothing when only observed_at moves', () => {
    const record = aPharmacy()
    expect(changeOf(record, null)).toEqual({
      operation: 'delete',
      external_id: 'P1',
      payload: record,
    })
    expect(changeOf(record, aPharmacy({ observed_at: '2030-01-01T00:00:00.000Z' }))).toBeNull()
    expect(changeOf(null, null)).toBeNull()
  })

  it('may leave the date of the dataset out of account', () => {
    const dated = aPharmacy({ official_last_modified_at: '2024-01-01T00:00:00.000Z' })
    expect([sameContent(aPharmacy(), dated), sameContent(aPharmacy(), dated, false)]).toEqual([
      false,
      true,
    ])
  })
})

describe('an id that seems to have been given away', () => {
  const other: Partial<Pharmacy> = { city: 'Ólvega', owner_name: 'Luis', name: 'Farmacia Otra' }
  it('has another city, holder and name at once', () => {
    const suspected = (fields: Partial<Pharmacy>) =>
      identityReuseSuspected(aPharmacy(), aPharmacy(fields))
    expect(suspected(other)).toBe(true)
    for (const field of ['city', 'owner_name', 'name'] as const) {
      expect(suspected({ ...other, [field]: aPharmacy()[field] })).toBe(false)
      expect(suspected({ ...other, [field]: null })).toBe(false)
    }
  })
})
