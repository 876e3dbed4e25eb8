import { readState } from '../../src/store/state-document.ts'
import { serve } from '../support/api.ts'
import { writeEvents } from '../support/history.ts'
import { type Asker, openAsker } from '../support/http.ts'
import type { Figure, Line } from '../support/line.ts'
import { percentile, type Spread, spreadOf } from '../support/measure.ts'
import { load } from '../support/program.ts'
import { type Questions, questionsOf } from '../support/questions.ts'
import type { Setting } from '../support/setting.ts'
import { settled } from '../support/settled.ts'
import { firstEdition, writeTables } from '../support/table.ts'

const SIZES = [20_000, 200_000, 2_000_000]
const EVENTS_PER_RECORD = 5
const READS = 200
const TIMES = 3

interface Costs {
  records: number
  loadMicros: Spread
  reloadMicros: Spread
  exportMicros: Spread
  readMs: Spread
}

/** What a record costs as there are more of them, up to two million with ten million events, and what a read does. */
export const scale: Line = {
  name: 'scale',
  title: 'From 20 000 to 2 000 000 records',
  async run(setting) {
    const costs: Costs[] = []
    for (const size of SIZES) costs.push(await costsAt(setting, setting.size(size)))
    return figuresOf(costs)
  },
}

async function costsAt(setting: Setting, records: number): Promise<Costs> {
  setting.say(`  ${records} records…`)
  const table = await writeTables(setting, records)
  const db = await setting.emptyRegistry()
  const micros = (seconds: number) => (seconds * 1e6) / records
  const first = await load(setting, db, firstEdition(table))
  const reloads: number[] = []
  for (let turn = 0; turn < TIMES; turn += 1) {
    const file = turn % 2 === 0 ? table.second : table.first
    const observedAt = `2024-02-0${turn + 1}T06:00:00Z`
    reloads.push(micros((await load(setting, db, { ...table, file, observedAt })).seconds))
  }
  await writeEvents(db, records * EVENTS_PER_RECORD)
  await settled(db)
  const { state } = await readState(db)
  const api = await serve(setting, db)
  const asker = openAsker(api.url, api.headers)
  try {
    const exports: number[] = []
    for (let turn = 0; turn < TIMES; turn += 1) {
      await api.forgetExports()
      const path = `/v1/farmacias/export/${table.territory}/csv`
      exports.push(micros(await asker.seconds({ path })))
    }
    const questions = questionsOf(db, state, { limit: 50 }).listing as Questions
    return {
      records,
      loadMicros: spreadOf([micros(first.seconds)]),
      reloadMicros: spreadOf(reloads),
      exportMicros: spreadOf(exports),
      readMs: spreadOf(await medians(asker, questions)),
    }
  } finally {
    asker.close()
    await api.stop()
    await setting.remove(db)
  }
}

async function medians(asker: Asker, questions: Questions): Promise<number[]> {
  const found: number[] = []
  for (let turn = 0; turn < TIMES; turn += 1) {
    const next = questions(turn)
    const ms: number[] = []
    for (let n = 0; n < READS; n += 1) ms.push((await asker.seconds(next().api)) * 1000)
    found.push(
      percentile(
        ms.sort((a, b) => a - b),
        0.5,
      ),
    )
  }
  return found
}

function figuresOf(costs: readonly Costs[]): Figure[] {
  const kinds = [
    ['First load', 'loadMicros', 'µs/record', 1.5],
    ['Reload', 'reloadMicros', 'µs/record', 1.5],
    ['Export, first time', 'exportMicros', 'µs/record', 1.5],
    ['Filtered listing, p50', 'readMs', 'ms', 2],
  ] as const
  return kinds.flatMap(([what, kind, unit, limit]) => {
    const rows: Figure[] = costs.map((cost) => ({
      what: `${what}, ${cost.records} records`,
      ours: cost[kind],
      unit,
      judged: cost[kind],
    }))
    const [least, most] = [costs.at(0), costs.at(-1)]
    if (least && most) {
      const growth = most[kind].median / least[kind].median
      rows.push({
        what: `${what}, ${most.records} over ${least.records}`,
        ours: most[kind],
        yardstick: { name: `at ${least.records} records`, spread: least[kind] },
        unit,
        judged: spreadOf([growth]),
        target: { holds: 'at most', value: limit },
      })
    }
    return rows
  })
}
