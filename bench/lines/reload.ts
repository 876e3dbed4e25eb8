import { csvDiff } from '../support/csv-diff.ts'
import type { Line } from '../support/line.ts'
import { alternate, spreadOf, spreadsOf } from '../support/measure.ts'
import { load, verify } from '../support/program.ts'
import { firstEdition, writeTables } from '../support/table.ts'

const RECORDS = 1_000_000
const MB = 1024 * 1024
const MAX_BYTES = 200 * MB
const MAX_BYTES_PER_RECORD = 150
const MAX_BLOCKED_MS = 50

/** A reload with 0.2 % changed, process start to committed, beside csv-diff on the same two files; and what it takes. */
export const reload: Line = {
  name: 'reload',
  title: 'Reload with 0.2 % changed',
  async run(setting) {
    const records = setting.size(RECORDS)
    const table = await writeTables(setting, records)
    const db = await setting.emptyRegistry()
    const first = await load(setting, db, firstEdition(table))
    const reloads: Awaited<ReturnType<typeof load>>[] = []
    const pairs = await alternate(setting.times, {
      async ours(turn) {
        // There and back again: every turn changes the same rows.
        const file = turn % 2 === 0 ? table.second : table.first
        const observedAt = `2024-02-${String(turn + 1).padStart(2, '0')}T06:00:00Z`
        const ran = await load(setting, db, { ...table, file, observedAt })
        reloads.push(ran)
        return ran.seconds
      },
      theirs: () => csvDiff(table.first, table.second),
    })
    await verify(setting, db)
    await setting.remove(db)
    const { ours, theirs, ratio } = spreadsOf(pairs)
    const limitMb = Math.round((MAX_BYTES + MAX_BYTES_PER_RECORD * records) / MB)
    const alone = (what: string, values: number[], unit: string, most: number) => {
      const spread = spreadOf(values)
      const target = { holds: 'at most' as const, value: most, unit }
      return { what, ours: spread, unit, judged: spread, target }
    }
    return [
      {
        what: `Reload of ${records} records, ${table.changed} changed`,
        ours,
        yardstick: { name: 'csv-diff of the two files', spread: theirs },
        unit: 's',
        judged: ratio,
        target: { holds: 'at most', value: 1 },
      },
      alone(`Peak memory of the first load of ${records}`, [first.peakBytes / MB], 'MB', limitMb),
      alone(
        `Peak memory of a reload of ${records}`,
        reloads.map(({ peakBytes }) => peakBytes / MB),
        'MB',
        limitMb,
      ),
      alone(
        `Event loop held up by loads of ${records}`,
        [first, ...reloads].map(({ blockedMs }) => blockedMs),
        'ms',
        MAX_BLOCKED_MS,
      ),
    ]
  },
}
