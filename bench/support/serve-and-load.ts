import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { setHeapFor } from '../../src/cli/engine.ts'
import { loadContext } from '../../src/cli/runtime.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { loadAll } from '../../src/load/load-all.ts'
import { buildLog } from '../../src/log.ts'
import { openRegistry } from '../../src/registry.ts'
import { serveApi } from '../../src/serve.ts'
import { readDefinitions } from '../../src/sources/definitions.ts'

// One process that serves and loads, as `npm start` does, but loads when it is told to: for each line of JSON that
// comes in (file, observedAt) it loads the file once and answers with how it went. Argument: the folder of sources.
const RESOLUTION_MS = 5
setHeapFor('start')
const config = readConfig(process.env)
const log = buildLog({ level: 'warn' })
const registry = await openRegistry(config, { log, env: process.env, say: () => undefined })
const api = await serveApi(config, { registry, log })
const definitions = await readDefinitions(process.argv[2] as string)
const context = loadContext({ config, db: registry.db, log, registry }, {})
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
process.stdout.write(`${JSON.stringify({ url: api.url })}\n`)

for await (const line of createInterface({ input: process.stdin })) {
  const { file, observedAt } = JSON.parse(line) as { file: string; observedAt: string }
  delay.reset()
  delay.enable()
  const statuses: string[] = []
  const requests = definitions.map((definition) => ({ definition, file, observedAt }))
  for await (const run of loadAll(context, requests)) statuses.push(run.status)
  delay.disable()
  const blockedMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS)
  process.stdout.write(`${JSON.stringify({ statuses, blockedMs })}\n`)
}
await api.close()
await registry.close()
