import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints } from '../../../src/http/routes.ts'
import { buildServer } from '../../../src/http/server.ts'
import { buildLog } from '../../../src/log.ts'
import { connect } from '../../../src/store/client.ts'
import { openDb } from '../../../src/store/db.ts'
import { openKeys } from '../../../src/store/keys.ts'
import { openStore } from '../../../src/store/store.ts'

// An API as a process of its own, so that its memory can be measured. It says where it listens, and, each time a line
// comes in, how much memory it holds.
const [url, prefix, rateLimit] = process.argv.slice(2) as [string, string, string]
const db = openDb(connect({ url }), prefix)
const folder = mkdtempSync(join(tmpdir(), 'pharmacy-registry-exports-'))
const server = buildServer({
  store: openStore(db),
  endpoints,
  keys: openKeys(db),
  log: buildLog({ level: 'silent' }),
  rateLimitPerMinute: Number(rateLimit),
  exports: { folder },
})
const listening = await server.listen(0, '127.0.0.1')
process.stdout.write(`${listening.url}\n`)
process.stdin.on('data', () => {
  const { rss } = process.memoryUsage()
  process.stdout.write(`${rss}\n`)
})
process.stdin.on('end', () => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})
