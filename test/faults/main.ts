import { parseArgs } from 'node:util'
import { table } from '../../src/cli/output.ts'
import { backupAndRestore } from './backup.ts'
import { cluster } from './cluster.ts'
import { elasticsearchFaults } from './elasticsearch.ts'
import { kills } from './kills.ts'
import { overload } from './overload.ts'
import { roles } from './roles.ts'
import { soak } from './soak.ts'
import { type BreakableNode, openNode } from './support/node.ts'
import type { Figure, Scenario } from './support/scenario.ts'
import { openViolations } from './support/violations.ts'
import { upgrade } from './upgrade.ts'
import { pausedWriters } from './writers.ts'

// `npm run test:faults [-- [--long] [--only NAME,…] [--minutes N]]`: breaks things for real and says what came of it.
const SCENARIOS: readonly Scenario[] = [
  kills,
  elasticsearchFaults,
  pausedWriters,
  backupAndRestore,
  upgrade,
  overload,
  roles,
  cluster,
  soak,
]

const { values } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    only: { type: 'string' },
    minutes: { type: 'string', default: '20' },
  },
})
const named = values.only?.split(',')
const unknown = named?.find((name) => !SCENARIOS.some((scenario) => scenario.name === name))
if (unknown !== undefined) {
  throw new Error(`--only ${unknown}: there are ${SCENARIOS.map(({ name }) => name).join(', ')}`)
}
const chosen = SCENARIOS.filter(({ name, isLongOnly, isByNameOnly }) =>
  named ? named.includes(name) : !isByNameOnly && (values.long || !isLongOnly),
)

const violations = openViolations()
const figures: Figure[] = []
let shared: BreakableNode | null = null
const node = async () => {
  shared ??= await openNode()
  return shared
}
const stopShared = async () => {
  await shared?.stop()
  shared = null
}
for (const scenario of chosen) {
  const began = performance.now()
  const say = (text: string) => process.stderr.write(`${scenario.name}: ${text}\n`)
  try {
    if (scenario.hasOwnNodes) await stopShared()
    const scene = { isLong: values.long, minutes: Number(values.minutes), violations, node, say }
    figures.push(...(await scenario.run(scene)))
  } catch (error) {
    violations.add(`${scenario.name}: ended early: ${(error as Error).stack ?? error}`)
    // In whatever state it was left: the next scenario gets another.
    await stopShared()
  }
  say(`${Math.round((performance.now() - began) / 1000)} s, ${violations.list.length} violations`)
}
await stopShared()

const rows = figures.map(({ fault, times, outcome }) => [fault, String(times), outcome])
process.stdout.write(`${table(['fault', 'times', 'outcome'], rows)}\n`)
const killed = figures.find(({ fault }) => fault.startsWith('loader killed'))
const recovered = Number(killed?.outcome.split(' ')[0] ?? 0)
process.stdout.write(
  `${killed?.times ?? 0} kills, ${recovered} recoveries, ${violations.list.length} violations\n`,
)
process.exitCode = violations.list.length === 0 ? 0 : 1
