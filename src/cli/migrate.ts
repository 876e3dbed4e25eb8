import { hostname } from 'node:os'
import { migrate } from '../store/migrate.ts'
import { integerFlag, parseFlags } from './arguments.ts'
import { print } from './output.ts'
import type { ReadyCommand } from './runtime.ts'

export const MIGRATE_HELP = `migrate [--wait SECONDS] [--remove-old] [--json]     copies indices of an older program into new ones, and swaps

The API goes on reading meanwhile; loads wait. The old indices are kept, without an alias, unless --remove-old.`

const DEFAULT_WAIT_S = 60
const MAX_WAIT_S = 86_400

export async function migrateCommand(args: readonly string[]): Promise<ReadyCommand> {
  const { values } = parseFlags(
    args,
    {
      json: { type: 'boolean' },
      wait: { type: 'string' },
      'remove-old': { type: 'boolean' },
    },
    { min: 0, max: 0, usage: 'migrate [--wait SECONDS] [--remove-old] [--json]' },
  )
  const wait = integerFlag('wait', values.wait, { min: 0, max: MAX_WAIT_S }) ?? DEFAULT_WAIT_S
  const removeOld = values['remove-old'] ?? false
  return async ({ db, config }) => {
    const done = await migrate(
      db,
      { shards: config.INDEX_SHARDS, replicas: config.INDEX_REPLICAS },
      {
        owner: `migrate on ${hostname()}, process ${process.pid}`,
        waitMs: wait * 1000,
        removeOld,
      },
    )
    print(values.json ? JSON.stringify(done) : describe(done, removeOld))
    return 0
  }
}

function describe(done: Awaited<ReturnType<typeof migrate>>, removeOld: boolean): string {
  if (done.length === 0) return 'Every index has the present version.'
  return done
    .map(
      ({ from, to, documents }) =>
        `${from.index} (version ${from.version}) → ${to.index} (version ${to.version}), ${documents} documents; ` +
        `the old index is ${removeOld ? 'removed' : 'kept'}.`,
    )
    .join('\n')
}
