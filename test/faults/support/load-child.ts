import { join } from 'node:path'
import { loadAll } from '../../../src/load/load-all.ts'
import { loadFolders } from '../../../src/load/load-folders.ts'
import { buildLog } from '../../../src/log.ts'
import { connect } from '../../../src/store/client.ts'
import { openDb } from '../../../src/store/db.ts'
import { registerDefinition } from '../../support/register.ts'
import type { ChildOrders, ChildWord } from './children.ts'

// A loader as a process of its own: the real load code, with a lease short enough to wait for.
const orders = JSON.parse(process.argv[2] as string) as ChildOrders
const say = (word: ChildWord) => process.stdout.write(`${JSON.stringify(word)}\n`)

const client = connect({ url: orders.url, requestTimeoutMs: orders.requestTimeoutMs })
const context = {
  db: openDb(client, orders.prefix, orders.patience),
  log: buildLog({ level: process.env.LOG_LEVEL ?? 'silent' }),
  ...loadFolders(orders.folder, orders.prefix),
  owner: `child ${process.pid}`,
  now: Date.now,
  leaseWaitMs: orders.leaseWaitMs,
  leaseTtlMs: orders.leaseTtlMs,
}

say({ said: 'ready' })
for (const { territory, file, observedAt } of orders.snapshots) {
  const definition = registerDefinition(join(orders.folder, 'definitions'), { territory })
  try {
    for await (const run of loadAll(context, [{ definition, file, observedAt }])) {
      const codes = run.reasons.map(({ code }) => code)
      say({ said: 'run', run_id: run.run_id, status: run.status, codes })
    }
  } catch (error) {
    const { name, message } = error as Error
    say({ said: 'error', name, message })
  }
}
await client.close()
say({ said: 'done' })
