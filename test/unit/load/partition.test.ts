import { expect, it } from 'vitest'
import type { Judged } from '../../../src/delta/normalise.ts'
import { warningTally } from '../../../src/domain/run.ts'
import { partition, readPart } from '../../../src/load/partition.ts'
import { aFolder } from '../sources/made-source.ts'

const rejected = (territory_code: string | null, external_id: string): Judged => ({
  kind: 'rejected',
  territory_code,
  external_id,
  reason: 'unreadable',
})
const filtered = (territory_code: string | null): Judged => ({ kind: 'filtered', territory_code })

it('gives every territory its rows and their warnings, and those that tell no territory to all', async () => {
  const parts = await partition(
    async function* (tally, onJudged) {
      const batch = [
        rejected('ES-AN', '1'),
        filtered('ES-AN'),
        filtered(null),
        rejected(null, '2'),
        rejected('ES-MD', '3'),
      ]
      for (const judged of batch) {
        if (judged.kind === 'rejected')
          tally.add('row_rejected', `${judged.external_id}: ${judged.reason}`)
        onJudged(judged)
      }
      yield batch
    },
    { folder: await aFolder(), slug: 'nacional' },
  )
  const read = async (territory: string) => {
    const tally = warningTally()
    const rows: Judged[] = []
    for await (const batch of readPart(parts, territory, tally)) rows.push(...batch)
    return { rows, warnings: tally.list().map(({ example, count }) => [count, example]) }
  }
  expect(await read('ES-AN')).toEqual({
    rows: [rejected('ES-AN', '1'), filtered('ES-AN'), rejected(null, '2')],
    warnings: [[2, '1: unreadable']],
  })
  expect(await read('ES-MD')).toEqual({
    rows: [rejected('ES-MD', '3'), rejected(null, '2')],
    warnings: [[2, '3: unreadable']],
  })
  expect((await read('ES-VC')).rows).toEqual([rejected(null, '2')])
})
