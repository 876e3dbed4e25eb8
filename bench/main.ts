import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { dashboard } from './lines/dashboard.ts'
import { exports } from './lines/exports.ts'
import { firstLoad } from './lines/first-load.ts'
import { reads } from './lines/reads.ts'
import { reload } from './lines/reload.ts'
import { scale } from './lines/scale.ts'
import { serveAndLoad } from './lines/serve-and-load.ts'
import { slowExports } from './lines/slow-exports.ts'
import { unchanged } from './lines/unchanged.ts'
import { workers } from './lines/workers.ts'
import { stopped } from './support/children.ts'
import { type Figure, isMet, type Line } from './support/line.ts'
import { plotOf } from './support/plot.ts'
import { machineOf, tableOf } from './support/report.ts'
import { openSetting } from './support/setting.ts'

// `npm run bench [-- --only NAME,… --size N --quick --times N --json FILE --plot FILE]`: measures every line of the table of
// targets, each beside its yardstick in the same run.
const LINES: readonly Line[] = [
  firstLoad,
  reload,
  unchanged,
  reads,
  dashboard,
  exports,
  slowExports,
  serveAndLoad,
  workers,
  scale,
]
const TIMES = 5
const QUICK_TIMES = 3

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    size: { type: 'string' },
    quick: { type: 'boolean', default: false },
    times: { type: 'string' },
    json: { type: 'string' },
    plot: { type: 'string' },
  },
})
const named = values.only?.split(',')
const unknown = named?.find((name) => !LINES.some((line) => line.name === name))
if (unknown !== undefined) {
  throw new Error(`--only ${unknown}: there are ${LINES.map(({ name }) => name).join(', ')}`)
}
const size = numberOf('size')
const setting = await openSetting({
  times: numberOf('times') ?? (values.quick ? QUICK_TIMES : TIMES),
  isQuick: values.quick,
  ...(size === undefined ? {} : { size }),
})
const figures: Figure[] = []
try {
  const machine = await machineOf(setting)
  process.stdout.write(`${machine.join('\n')}\n\n`)
  for (const line of LINES) {
    if (named && !named.includes(line.name)) continue
    stopped.throwIfAborted()
    setting.say(`${line.title}…`)
    const found = await line.run(setting)
    figures.push(...found)
    setting.say(tableOf(found))
    // After each line: all of them take most of an hour, and what was measured must not be lost with the rest.
    const measured = JSON.stringify({ machine, figures }, null, 2)
    if (values.json) await writeFile(values.json, `${measured}\n`)
    if (values.plot) await writeFile(values.plot, plotOf(figures))
  }
  process.stdout.write(`${tableOf(figures)}\n`)
} finally {
  await setting.close()
}
const judged = figures.filter(({ target }) => target)
const missed = judged.filter((figure) => !isMet(figure))
process.stdout.write(
  `\n${judged.length - missed.length} of ${judged.length} hold${missed.map(({ what }) => `\n  missed: ${what}`).join('')}\n`,
)
process.exitCode = missed.length === 0 ? 0 : 1

function numberOf(name: 'size' | 'times'): number | undefined {
  const text = values[name]
  if (text === undefined) return undefined
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} ${text}: no number`)
  return number
}
