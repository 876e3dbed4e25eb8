import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Db } from '../../src/store/db.ts'
import type { Figure, Line } from '../support/line.ts'
import { alternate, spreadsOf } from '../support/measure.ts'
import { load, runScript, verify } from '../support/program.ts'
import type { Setting } from '../support/setting.ts'
import { firstEdition, writeTables } from '../support/table.ts'

const RECORDS = 200_000
const RAW_BULK = fileURLToPath(new URL('../support/raw-bulk.ts', import.meta.url))

/** A first load, process start to process end, beside a process that sends the same documents ready made. */
export const firstLoad: Line = {
  name: 'first-load',
  title: 'First load',
  async run(setting) {
    const records = setting.size(RECORDS)
    const table = await writeTables(setting, records)
    const ours = async () => {
      const db = await setting.emptyRegistry()
      const { seconds } = await load(setting, db, firstEdition(table))
      await setting.remove(db)
      return seconds
    }
    const sample = await setting.emptyRegistry()
    await load(setting, sample, firstEdition(table))
    const bulk = join(setting.folder, 'bulk.ndjson')
    await writeBulkLines(setting, sample, bulk)
    await verify(setting, sample)
    await setting.remove(sample)

    const theirs = async () => {
      // The file names this registry's indices, so the same one is made anew each time.
      const db = await setting.emptyRegistry(sample)
      const args = [setting.url, bulk, `${db.prefix}-*`]
      const { seconds } = await runScript(RAW_BULK, args)
      await setting.remove(db)
      return seconds
    }
    const {
      ours: seconds,
      theirs: raw,
      ratio,
    } = spreadsOf(await alternate(setting.times, { ours, theirs }))
    const figure: Figure = {
      what: `First load of ${records} records`,
      ours: seconds,
      yardstick: { name: 'the same documents through raw _bulk', spread: raw },
      unit: 's',
      judged: ratio,
      target: { holds: 'at most', value: 1.25 },
    }
    return [figure]
  },
}

/** Everything a load has written of data, as the lines of a bulk: versions and changes. */
async function writeBulkLines(setting: Setting, db: Db, path: string): Promise<void> {
  const out = createWriteStream(path)
  for (const name of ['pharmacies', 'changes'] as const) {
    const index = db.alias(name)
    const documents = setting.client.helpers.scrollSearch({ index, size: 5_000 })
    for await (const { body } of documents) {
      for (const { _id, _source } of body.hits.hits) {
        const action = JSON.stringify({ index: { _index: index, _id } })
        if (!out.write(`${action}\n${JSON.stringify(_source)}\n`)) await once(out, 'drain')
      }
    }
  }
  out.end()
  await once(out, 'close')
}
