import type { Config } from '../config/settings.ts'
import { OperatorError } from '../domain/problem.ts'
import { startLoader } from '../load/schedule.ts'
import { startMetrics } from '../metrics/metrics.ts'
import { serveApi } from '../serve.ts'
import { readDefinitions } from '../sources/definitions.ts'
import { integerFlag, parseFlags } from './arguments.ts'
import { say } from './output.ts'
import { loadContext, type ReadyCommand, type Runtime } from './runtime.ts'
import { stopSignal, untilAskedToStop } from './stopping.ts'
import { leaveWorkers, startWorkers, tellListening, workerNumber } from './workers.ts'

export const SERVE_HELP = `serve [--port P] [--host H] [--workers N]     the API and dashboard only; stateless, run as many as you like

--workers starts so many processes on the one port, for machines with cores to spare. Each counts its own rate limits,
and serves its own metrics: the first at METRICS_PORT, the next one port above, and so on.`
export const LOADER_HELP = `loader [--sources DIR]          the cron loader only; any number may run, a lease lets one write`

const MAX_PORT = 65_535
const MAX_WORKERS = 64

export async function serveCommand(args: readonly string[]): Promise<ReadyCommand> {
  const { values } = parseFlags(
    args,
    { port: { type: 'string' }, host: { type: 'string' }, workers: { type: 'string' } },
    { min: 0, max: 0, usage: 'serve [--port P] [--host H] [--workers N]' },
  )
  const port = integerFlag('port', values.port, { min: 0, max: MAX_PORT })
  const count = integerFlag('workers', values.workers, { min: 1, max: MAX_WORKERS }) ?? 1
  const worker = workerNumber()
  if (count > 1 && worker === null) return (runtime) => serveWith(runtime, count)
  const given = {
    ...(port === undefined ? {} : { PORT: port }),
    ...(values.host === undefined ? {} : { HOST: values.host }),
  }
  return async (runtime) => {
    const config = { ...runtime.config, ...given, ...metricsPortOf(runtime.config, worker) }
    const metrics = await startMetrics(config, runtime)
    try {
      const api = await serveApi(config, { ...runtime, metrics })
      if (worker === null) say(`Serving on ${api.url}`)
      else tellListening(api.url)
      await untilAskedToStop()
      await api.close()
    } finally {
      await metrics.close()
      leaveWorkers()
    }
    return 0
  }
}

/** Each worker has a port of its own for its metrics. */
function metricsPortOf({ METRICS_PORT }: Config, worker: number | null) {
  return METRICS_PORT === undefined || worker === null
    ? {}
    : { METRICS_PORT: METRICS_PORT + worker - 1 }
}

/** Several processes that serve, and this one, which only minds them. */
async function serveWith({ registry, log }: Runtime, count: number): Promise<number> {
  const stopped = untilAskedToStop()
  const workers = await startWorkers({ count, env: { ELASTICSEARCH_URL: registry.node }, log })
  say(`Serving on ${workers.url} with ${count} workers`)
  await stopped
  await workers.stop()
  return 0
}

export async function loaderCommand(
  args: readonly string[],
  config: Config,
): Promise<ReadyCommand> {
  const { values } = parseFlags(
    args,
    { sources: { type: 'string' } },
    { min: 0, max: 0, usage: 'loader [--sources DIR]' },
  )
  const dir = values.sources ?? config.SOURCES_DIR
  if (!dir) throw new OperatorError('loader: set SOURCES_DIR, or give --sources DIR.')
  const definitions = await readDefinitions(dir)
  return async (runtime) => {
    const metrics = await startMetrics(config, runtime)
    try {
      const context = loadContext(runtime, { waitSeconds: 0, signal: stopSignal(), metrics })
      const loader = startLoader(context, definitions)
      say(`Loading on schedule from ${dir}`)
      await untilAskedToStop()
      await loader.stop()
    } finally {
      await metrics.close()
    }
    return 0
  }
}
