import type { Config } from '../config/settings.ts'
import { OperatorError } from '../domain/problem.ts'
import { startLoader } from '../load/schedule.ts'
import { startMetrics } from '../metrics/metrics.ts'
import { serveApi } from '../serve.ts'
import { readDefinitions } from '../sources/definitions.ts'
import { integerFlag, parseFlags } from './arguments.ts'
import { say } from './output.ts'
import { loadContext, type ReadyCommand } from './runtime.ts'
import { stopSignal, untilAskedToStop } from './stopping.ts'

export const SERVE_HELP = `serve [--port P] [--host H]     the API and dashboard only; stateless, run as many as you like`
export const LOADER_HELP = `loader [--sources DIR]          the cron loader only; any number may run, a lease lets one write`

const MAX_PORT = 65_535

export async function serveCommand(args: readonly string[]): Promise<ReadyCommand> {
  const { values } = parseFlags(
    args,
    { port: { type: 'string' }, host: { type: 'string' } },
    { min: 0, max: 0, usage: 'serve [--port P] [--host H]' },
  )
  const port = integerFlag('port', values.port, { min: 0, max: MAX_PORT })
  return async (runtime) => {
    const config = {
      ...runtime.config,
      ...(port === undefined ? {} : { PORT: port }),
      ...(values.host === undefined ? {} : { HOST: values.host }),
    }
    const metrics = await startMetrics(config, runtime)
    try {
      const api = await serveApi(config, { ...runtime, metrics })
      say(`Serving on ${api.url}`)
      await untilAskedToStop()
      await api.close()
    } finally {
      await metrics.close()
    }
    return 0
  }
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
