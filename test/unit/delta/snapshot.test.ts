import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentHash } from '../../../src/delta/content-hash.ts'
import type { Judged } from '../../../src/delta/normalise.ts'
import { createComparison } from '../../../src/delta/snapshot.ts'
import type { SourceDefinition } from '../../../src/domain/definition.ts'
import type { Pharmacy } from '../../../src/domain/pharmacy.ts'
import { type WarningTally, warningTally } from '../../../src/domain/run.ts'
import { aDefinition, aPharmacy } from '../../support/pharmacy.ts'

const hashOf = (record: Pharmacy) => contentHash(record, true)
const judged = (fields: Partial<Pharmacy>, prefer: string | null = null): Judged => {
  const record = aPharmacy(fields)
  return { kind: 'record', record, hash: hashOf(record), prefer }
}
const rejected = (id: string | null): Judged => ({
  kind: 'rejected',
  territory_code: 'ES-CL',
  external_id: id,
  reason: 'prueba',
})
const filtered: Judged = { kind: 'filtered', territory_code: 'ES-CL' }

function compare(
  previous: readonly Pharmacy[],
  rows: readonly Judged[],
  definition: SourceDefinition = aDefinition(),
  tally: WarningTally = warningTally(),
) {
  const comparison = createComparison({ definition, expected: previous.length, tally })
  for (const record of previous) comparison.previous(record.external_id, hashOf(record))
  const spool = rows.filter((row) => comparison.row(row) !== 'skip')
  if (comparison.unresolved) for (const row of rows) comparison.resolve(row)
  const outcome = comparison.finish()
  const walk = () => {
    const wins = comparison.winners()
    return spool.flatMap((row) => {
      if (row.kind !== 'record') return []
      const kind = wins(row.record.external_id, row.hash)
      return kind ? [{ kind, record: row.record }] : []
    })
  }
  return {
    ...outcome,
    codes: outcome.reasons.map(({ code }) => code),
    written: walk(),
    again: walk(),
    removed: [...comparison.removed()],
    packed: Buffer.concat([...comparison.packed()]),
    warnings: tally.list(),
  }
}

const shown = (written: { kind: string; record: Pharmacy }[]) =>
  written.map(({ kind, record }) => [kind, record.external_id, record.city])

describe('a comparison', () => {
  it('finds what is added, updated, removed and unchanged', () => {
    const previous = ['1', '2', '3'].map((external_id) => aPharmacy({ external_id }))
    const result = compare(previous, [
      judged({ external_id: '4' }),
      judged({ external_id: '2', city: 'Ólvega' }),
      judged({ external_id: '1', observed_at: '2030-01-01T00:00:00.000Z' }),
      filtered,
    ])
    expect(result.counts).toEqual({
      read: 4,
      rejected: 0,
      duplicates: 0,
      added: 1,
      updated: 1,
      removed: 1,
      unchanged: 1,
    })
    expect(shown(result.written)).toEqual([
      ['added', '4', 'Soria'],
      ['updated', '2', 'Ólvega'],
    ])
    expect(result.again).toEqual(result.written)
    expect(result.removed).toEqual(['3'])
    const next = createComparison({ definition: aDefinition(), expected: 0, tally: warningTally() })
    // A piece of the state may end within an entry: the rest comes with the next piece.
    const taken = next.previousPacked(result.packed.subarray(0, result.packed.length - 5))
    next.previousPacked(result.packed.subarray(taken))
    expect([...next.removed()]).toEqual(['1', '2', '4'])
  })

  it('collapses identical rows', () => {
    const row = judged({ external_id: '1' })
    const result = compare([], [row, row, row])
    expect(result.counts).toMatchObject({ read: 3, duplicates: 2, added: 1 })
    expect([result.written.length, result.conflicts, result.warnings]).toEqual([1, 0, []])
  })

  it('keeps a record whose row was rejected, and says so; an unknown or unreadable id is only rejected', () => {
    const previous = ['1', '2'].map((external_id) => aPharmacy({ external_id }))
    const result = compare(
      previous,
      [rejected('1'), rejected('9'), rejected(null), judged({ external_id: '2' })],
      aDefinition({ guards: { max_rejected_ratio: 1 } }),
    )
    expect(result.counts).toEqual({
      read: 4,
      rejected: 3,
      duplicates: 0,
      added: 0,
      updated: 0,
      removed: 0,
      unchanged: 2,
    })
    expect([result.removed, result.rejectedKnown]).toEqual([[], 1])
    expect(result.warnings).toEqual([{ code: 'rejected_known_id', count: 1, example: '1' }])
  })

  it('lets a good row stand beside a rejected one of the same id', () => {
    const result = compare(
      [aPharmacy({ external_id: '1' })],
      [rejected('1'), judged({ external_id: '1', city: 'Ólvega' })],
      aDefinition({ guards: { max_rejected_ratio: 1 } }),
    )
    expect(shown(result.written)).toEqual([['updated', '1', 'Ólvega']])
    expect(result.rejectedKnown).toBe(0)
  })

  const many = Array.from({ length: 200 }, (_, i) => judged({ external_id: `M${i}` }))
  const rivals = [
    judged({ external_id: 'X', city: 'Soria', name: 'Ñu' }, '2020'),
    judged({ external_id: 'X', city: 'Ávila', name: 'Zeta' }, '2019'),
    judged({ external_id: 'X', city: 'Ávila', name: 'zeta' }, '2021'),
  ]

  it.each([
    ['first', 'Ñu'],
    ['last', 'zeta'],
    [{ prefer: 'nombre', order: 'max' as const }, 'zeta'],
    [{ prefer: 'nombre', order: 'min' as const }, 'Zeta'],
  ] as const)('picks the winner by %j whatever the order of rows', (conflicting, name) => {
    const definition = aDefinition({ duplicates: { conflicting } })
    fc.assert(
      fc.property(fc.shuffledSubarray([...many, ...rivals], { minLength: 203 }), (rows) => {
        const result = compare([], rows, definition)
        expect(result.written.find(({ record }) => record.external_id === 'X')?.record.name).toBe(
          name,
        )
        expect(result.counts).toMatchObject({ read: 203, added: 201, duplicates: 2 })
        expect(result.warnings).toEqual([{ code: 'duplicate_conflict', count: 1, example: 'X' }])
        expect(result.codes).toEqual([])
      }),
      { numRuns: 30 },
    )
  })

  it('changes nothing when the winner is what was there before', () => {
    const winner = aPharmacy({ external_id: 'X', city: 'Soria', name: 'Ñu' })
    const result = compare([winner], [...many, ...rivals])
    expect(result.counts).toMatchObject({ added: 200, updated: 0, unchanged: 1 })
    expect(result.written.some(({ record }) => record.external_id === 'X')).toBe(false)
  })

  it('fails when over one per cent of rows conflict, or any where the definition allows none', () => {
    expect(compare([], [...many.slice(0, 100), ...rivals]).codes).toEqual(['too_many_conflicts'])
    expect(
      compare([], [...many, ...rivals], aDefinition({ duplicates: { conflicting: 'error' } }))
        .codes,
    ).toEqual(['too_many_conflicts'])
    const oneId = Array.from({ length: 300 }, (_, i) => judged({ external_id: '1', city: `C${i}` }))
    expect(compare([], oneId).codes).toEqual(['too_many_conflicts'])
  })

  it('lets any number compete where the definition prefers one', () => {
    const history = Array.from({ length: 50 }, (_, i) => [
      judged({ external_id: `H${i}`, name: 'vieja' }, '2001'),
      judged({ external_id: `H${i}`, name: 'nueva' }, '2020'),
    ]).flat()
    const definition = aDefinition({
      duplicates: { conflicting: { prefer: 'desde', order: 'max' } },
    })
    const result = compare([], history, definition)
    expect([result.codes, new Set(result.written.map(({ record }) => record.name))]).toEqual([
      [],
      new Set(['nueva']),
    ])
  })

  it('agrees with a plain map of the winners for any rows and any previous state', () => {
    const id = fc.integer({ min: 0, max: 8 }).map(String)
    const city = fc.constantFrom('Soria', 'Ávila', 'soria', 'Ólvega')
    const rows = fc.array(fc.record({ external_id: id, city }), { maxLength: 25 })
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ external_id: id, city }), { selector: (r) => r.external_id }),
        rows,
        (old, now) => {
          // prefer: no limit on conflicts; without a value the smallest record wins
          const definition = aDefinition({
            duplicates: { conflicting: { prefer: 'x', order: 'max' } },
          })
          const previous = old.map((fields) => aPharmacy(fields))
          const result = compare(
            previous,
            now.map((fields) => judged(fields)),
            definition,
          )
          const order: string[] = ['Ávila', 'Ólvega', 'Soria', 'soria']
          const expected = new Map<string, string>()
          for (const { external_id, city: place } of now) {
            const best = expected.get(external_id)
            if (best === undefined || order.indexOf(place) < order.indexOf(best))
              expected.set(external_id, place)
          }
          const applied = new Map<string, string>(
            old.map((record) => [record.external_id, record.city]),
          )
          for (const gone of result.removed) applied.delete(gone)
          for (const { record } of result.written)
            applied.set(record.external_id, record.city ?? '')
          expect(applied).toEqual(expected)
          const changed = [...expected].filter(
            ([key, place]) => old.find((r) => r.external_id === key)?.city !== place,
          )
          expect(result.written.length).toBe(changed.length)
          expect(result.counts.added + result.counts.updated + result.counts.unchanged).toBe(
            expected.size,
          )
          const next = createComparison({ definition, expected: 0, tally: warningTally() })
          expect(next.previousPacked(result.packed)).toBe(result.packed.length)
          for (const [external_id, place] of expected)
            next.row(judged({ external_id, city: place }))
          expect(next.finish().counts).toMatchObject({
            unchanged: expected.size,
            added: 0,
            updated: 0,
            removed: 0,
          })
        },
      ),
    )
  })
})
