import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openKeys } from '../../src/store/keys.ts'
import { readState } from '../../src/store/state-document.ts'
import { ended, ours } from '../support/children.ts'
import { writeEvents } from '../support/history.ts'
import { type Asker, openAsker } from '../support/http.ts'
import type { Line } from '../support/line.ts'
import { percentile, spreadOf } from '../support/measure.ts'
import { environmentFor, load } from '../support/program.ts'
import { type Questions, questionsOf } from '../support/questions.ts'
import { firstEdition, writeTables } from '../support/table.ts'

const RECORDS = 1_000_000
const EVENTS = 100_000
const IDLE_SECONDS = 8
const PAUSE_MS = 10
const MAX_BLOCKED_MS = 50
const SCRIPT = fileURLToPath(new URL('../support/serve-and-load.ts', import.meta.url))

/** One process that serves and loads: small reads during a load, beside the same reads while nothing is loaded. */
export const serveAndLoad: Line = {
  name: 'serve-and-load',
  title: 'Serving and loading in one process',
  async run(setting) {
    const records = setting.size(RECORDS)
    const table = await writeTables(setting, records)
    const db = await setting.emptyRegistry()
    await load(setting, db, firstEdition(table))
    await writeEvents(db, Math.min(EVENTS, records))
    const { state } = await readState(db)
    const { key } = await openKeys(db).issue({ name: 'bench', territories: null, expires_at: null })
    const process_ = await startBoth(table.sources, environmentFor(setting, db))
    const asker = openAsker(process_.url, { 'X-API-Key': key })
    const questions = questionsOf(db, state, { limit: 20 }).listing as Questions
    const idle: number[] = []
    const busy: number[] = []
    const blocked: number[] = []
    try {
      for (let turn = 0; turn < setting.times; turn += 1) {
        const calm = sleep(IDLE_SECONDS * 1000, { blockedMs: 0 })
        idle.push(await p99During(calm, asker, questions(2 * turn)))
        const file = turn % 2 === 0 ? table.second : table.first
        const observedAt = `2024-03-${String(turn + 1).padStart(2, '0')}T06:00:00Z`
        const loading = process_.load({ file, observedAt })
        busy.push(await p99During(loading, asker, questions(2 * turn + 1)))
        blocked.push((await loading).blockedMs)
      }
    } finally {
      asker.close()
      await process_.stop()
      await setting.remove(db)
    }
    return [
      {
        what: `Small reads while the same process reloads ${records} records, p99`,
        ours: spreadOf(busy),
        yardstick: { name: 'the same reads while nothing is loaded', spread: spreadOf(idle) },
        unit: 'ms',
        judged: spreadOf(busy.map((value, turn) => value / (idle[turn] as number))),
        target: { holds: 'at most', value: 3 },
      },
      {
        what: `Event loop held up, serving and reloading ${records} records`,
        ours: spreadOf(blocked),
        unit: 'ms',
        judged: spreadOf(blocked),
        target: { holds: 'at most', value: MAX_BLOCKED_MS, unit: 'ms' },
      },
    ]
  },
}

/** Milliseconds that 99 of 100 reads take at most, asked one after the other with a pause until the work ends. */
async function p99During(
  work: Promise<unknown>,
  asker: Asker,
  next: ReturnType<Questions>,
): Promise<number> {
  const ms: number[] = []
  let isOver = false
  const over = () => {
    isOver = true
  }
  // Its failure is told by whoever waits for it.
  work.then(over, over)
  while (!isOver) {
    ms.push((await asker.seconds(next().api)) * 1000)
    await sleep(PAUSE_MS)
  }
  return percentile(
    ms.sort((a, b) => a - b),
    0.99,
  )
}

async function startBoth(sources: string, env: NodeJS.ProcessEnv) {
  const child = ours(
    spawn(process.execPath, [SCRIPT, sources], {
      env: { ...process.env, ...env, PORT: '0' },
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async () => JSON.parse((await lines.next()).value as string)
  const { url } = (await answer()) as { url: string }
  return {
    url,
    async load(snapshot: { file: string; observedAt: string }): Promise<{ blockedMs: number }> {
      child.stdin.write(`${JSON.stringify(snapshot)}\n`)
      const { statuses, blockedMs } = await answer()
      if (statuses.join() !== 'committed') throw new Error(`the load ended ${statuses}`)
      return { blockedMs }
    },
    async stop() {
      child.stdin.end()
      await ended(child)
    },
  }
}
