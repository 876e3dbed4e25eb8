import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { loadAll } from '../../src/load/load-all.ts'
import { loadFolders } from '../../src/load/load-folders.ts'
import { buildLog } from '../../src/log.ts'
import { readDefinitions } from '../../src/sources/definitions.ts'
import type { Line } from '../support/line.ts'
import { alternate, secondsOf, spreadsOf } from '../support/measure.ts'
import { dataDirOf, load } from '../support/program.ts'
import { firstEdition, writeTables } from '../support/table.ts'

const RECORDS = 1_000_000
const MORE_TURNS = 3

/** A load of the bytes it knows, as the loader does it every night, beside reading and hashing the file. */
export const unchanged: Line = {
  name: 'unchanged',
  title: 'Reload of an unchanged file',
  async run(setting) {
    const records = setting.size(RECORDS)
    const table = await writeTables(setting, records)
    const db = await setting.emptyRegistry()
    await load(setting, db, firstEdition(table))
    const definitions = await readDefinitions(table.sources)
    const dataDir = dataDirOf(setting, db)
    const context = {
      db,
      ...loadFolders(dataDir, db.prefix),
      owner: 'bench',
      log: buildLog({ level: 'warn' }),
      now: Date.now,
      leaseWaitMs: 10_000,
    }
    const ours = () =>
      secondsOf(async () => {
        for await (const run of loadAll(
          context,
          definitions.map((definition) => ({ definition })),
        )) {
          if (run.status !== 'unchanged') throw new Error(`the load ended ${JSON.stringify(run)}`)
        }
      })
    const theirs = () =>
      secondsOf(() => pipeline(createReadStream(table.first), createHash('sha256')))
    await ours()
    const {
      ours: seconds,
      theirs: reading,
      ratio,
    } = spreadsOf(await alternate(setting.times * MORE_TURNS, { ours, theirs }))
    await setting.remove(db)
    return [
      {
        what: `Reload of an unchanged file of ${records} records`,
        ours: seconds,
        yardstick: { name: 'reading and hashing the file', spread: reading },
        unit: 's',
        judged: ratio,
        target: { holds: 'at most', value: 1.5 },
      },
    ]
  },
}
