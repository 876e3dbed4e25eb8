import { setHeapFor } from './cli/engine.ts'
import { outliveReaders, print, say } from './cli/output.ts'
import { progressLine } from './cli/progress.ts'
import { loadContext } from './cli/runtime.ts'
import { untilAskedToStop } from './cli/stopping.ts'
import { readConfig } from './config/read-config.ts'
import { loadDemo } from './demo.ts'
import { OperatorError } from './domain/problem.ts'
import { startLoader } from './load/schedule.ts'
import { localKey } from './local-key.ts'
import { buildLog } from './log.ts'
import { startMetrics } from './metrics/metrics.ts'
import { hostsOf, openRegistry, type Registry } from './registry.ts'
import { serveApi } from './serve.ts'
import { readDefinitions } from './sources/definitions.ts'
import { startTracing, type Tracing } from './tracing.ts'

const HELP = `npm start     Everything on one machine: Elasticsearch (found or started), API, dashboard and cron loader.

Without SOURCES_DIR it loads the bundled demo territories. Settings come from the environment: see docs/configuration.md.
Ctrl-C stops all of it.`

setHeapFor('start')
outliveReaders()
process.exitCode = await main()

async function main(): Promise<number> {
  if (process.argv.includes('--help')) {
    print(HELP)
    return 0
  }
  try {
    await start()
    return 0
  } catch (cause) {
    if (!(cause instanceof OperatorError)) throw cause
    say(cause.message)
    return 1
  }
}

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const log = buildLog({ level: process.env.LOG_LEVEL ? config.LOG_LEVEL : 'warn' })
  const stopped = untilAskedToStop()
  const tracing = await startTracing(process.env)
  say('Looking for Elasticsearch, or starting one (about half a minute the first time)…')
  const registry = await openRegistry(config, { log, env: process.env, say })
  try {
    say(`Elasticsearch: ${hostsOf(registry.node)} (${registry.kind})`)
    await run({ config, log, registry, stopped, tracing })
  } finally {
    await registry.close()
    await tracing?.close()
  }
}

async function run(service: {
  config: ReturnType<typeof readConfig>
  log: ReturnType<typeof buildLog>
  registry: Registry
  stopped: Promise<void>
  tracing: Tracing | undefined
}): Promise<void> {
  const { config, log, registry, stopped, tracing } = service
  const stopping = new AbortController()
  void stopped.then(() => stopping.abort())
  const runtime = { config, db: registry.db, log, registry, tracing }
  const progress = progressLine()
  const context = loadContext(runtime, {
    signal: stopping.signal,
    waitSeconds: 60,
    progress: progress.show,
  })
  const sourcesDir =
    config.SOURCES_DIR ?? (await loadDemo(context, { dataDir: config.DATA_DIR, say }))
  progress.clear()
  if (stopping.signal.aborted) return

  const definitions = await readDefinitions(sourcesDir)
  const metrics = await startMetrics(config, runtime)
  const api = await serveApi(config, { registry, log, metrics, tracing })
  const loading = { waitSeconds: 0, signal: stopping.signal, metrics }
  const loader = startLoader(loadContext(runtime, loading), definitions)
  const key = await localKey(registry.db, config.DATA_DIR)
  print(`
Pharmacy Registry Service is running.

  Dashboard   ${api.url}/#key=${key}
  API key     ${key}
  Try         curl -s -H 'X-API-Key: ${key}' '${api.url}/v1/farmacias/incremental/latest?window=30d'

Ctrl-C stops everything.`)
  await stopped
  say('Stopping…')
  await Promise.all([api.close(), loader.stop(), metrics.close()])
}
