import { describe, expect, it } from 'vitest'
import { createRekeyCounter, judgeDelta, judgeRows } from '../../../src/delta/guards.ts'
import { noCounts, type RunCounts } from '../../../src/domain/run.ts'
import { aPharmacy } from '../../support/pharmacy.ts'

const QUIET = { previousTotal: 1000, removed: 0, softClosed: 0, relocated: 0, rekeyed: 0, added: 0 }
const codes = (delta: Partial<typeof QUIET>, guards = {}) =>
  judgeDelta({ ...QUIET, ...delta }, guards).map(({ code }) => code)

describe('the guards of a delta', () => {
  it.each([
    ['nothing', {}, []],
    ['5 % removed exactly', { removed: 50 }, []],
    ['just over 5 % removed', { removed: 51 }, ['mass_removal']],
    ['10 of 100 removed: not over the floor', { previousTotal: 100, removed: 10 }, []],
    ['11 of 100 removed', { previousTotal: 100, removed: 11 }, ['mass_removal']],
    ['soft closures', { softClosed: 51 }, ['mass_soft_close']],
    ['moves', { relocated: 51 }, ['mass_relocation']],
    ['kinds judged by themselves', { removed: 40, softClosed: 40, relocated: 40 }, []],
    ['a quarter added', { added: 250 }, []],
    ['over a quarter added', { added: 251 }, ['mass_growth']],
    ['new ids for all', { removed: 1000, added: 1000, rekeyed: 1000 }, ['id_scheme_change']],
    [
      'new ids and removals beside',
      { removed: 200, added: 100, rekeyed: 100 },
      ['id_scheme_change', 'mass_removal'],
    ],
    [
      'few new ids hide no removal',
      { previousTotal: 100, removed: 15, added: 8, rekeyed: 8 },
      ['mass_removal'],
    ],
    ['growth from nothing', { previousTotal: 0, added: 11 }, ['mass_growth']],
  ])('%s', (_, delta, expected) => {
    expect(codes(delta)).toEqual(expected)
  })

  it('take the definition’s limits', () => {
    expect(codes({ removed: 51 }, { max_removed_ratio: 0.1 })).toEqual([])
    expect(codes({ removed: 51 }, { floor: 60 })).toEqual([])
    expect(codes({ relocated: 3 }, { floor: 0, max_relocated_ratio: 0.001 })).toEqual([
      'mass_relocation',
    ])
  })

  it('say what was found', () => {
    expect(judgeDelta({ ...QUIET, removed: 51 })).toEqual([
      { code: 'mass_removal', detail: '51 of 1000 are over 5 % and over 10 records' },
    ])
  })
})

describe('the guards of rows', () => {
  const judge = (counts: Partial<RunCounts>, more = {}, guards = {}) =>
    judgeRows(
      { counts: { ...noCounts(), ...counts }, conflicts: 0, rejectedKnown: 0, ...more },
      { guards },
    ).map(({ code }) => code)

  it.each([
    ['no rows', { read: 0 }, ['empty_dataset']],
    ['all rows filtered out', { read: 50 }, ['empty_dataset']],
    ['all rows rejected', { read: 5, rejected: 5 }, ['too_many_rejected']],
    ['one of a hundred rejected', { read: 100, rejected: 1, added: 99 }, []],
    ['two of a hundred rejected', { read: 100, rejected: 2, added: 98 }, ['too_many_rejected']],
    [
      'rejected ones not hidden by filtered ones',
      { read: 1000, rejected: 1, added: 9 },
      ['too_many_rejected'],
    ],
  ])('%s', (_, counts, expected) => {
    expect(judge(counts)).toEqual(expected)
  })

  it('ask for the least number of rows', () => {
    expect(judge({ read: 9, unchanged: 9 }, {}, { min_rows: 10 })).toEqual(['below_min_rows'])
    expect(judge({ read: 10, unchanged: 9, duplicates: 1 }, {}, { min_rows: 10 })).toEqual([])
  })

  it('limit conflicts', () => {
    expect(judge({ read: 100, added: 100 }, { conflicts: 1 })).toEqual([])
    expect(judge({ read: 100, added: 100 }, { conflicts: 2 })).toEqual(['too_many_conflicts'])
  })
})

describe('records under new ids', () => {
  it('are matched one to one by name, address and holder in canonical form', () => {
    const counter = createRekeyCounter()
    counter.removed(aPharmacy({ external_id: '1', address_line: 'C/ Mayor, 5' }))
    counter.removed(aPharmacy({ external_id: '2', address_line: 'C/ Mayor, 5' }))
    counter.removed(aPharmacy({ external_id: '3', address_line: 'Plaza Sur 1' }))
    counter.added(aPharmacy({ external_id: 'MD-1', address_line: 'CALLE MAYOR 5' }))
    counter.added(aPharmacy({ external_id: 'MD-9', address_line: 'Plaza Norte 1' }))
    expect(counter.count()).toBe(1)
  })

  it('are not recognised by a name alone', () => {
    const counter = createRekeyCounter()
    counter.removed(aPharmacy({ external_id: '1', address_line: null, owner_name: null }))
    counter.added(aPharmacy({ external_id: '2', address_line: null, owner_name: null }))
    expect(counter.count()).toBe(0)
  })

  it('are counted over thousands', () => {
    const counter = createRekeyCounter()
    for (let i = 0; i < 5000; i++)
      counter.removed(aPharmacy({ external_id: `A${i}`, address_line: `Calle ${i}` }))
    for (let i = 9999; i >= 2000; i--)
      counter.added(aPharmacy({ external_id: `B${i}`, address_line: `Calle ${i}` }))
    expect(counter.count()).toBe(3000)
  })
})
