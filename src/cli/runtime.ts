import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Config } from '../config/settings.ts'
import type { LoadContext, Progress } from '../load/context.ts'
import { loadFolders } from '../load/load-folders.ts'
import { openWebhook } from '../load/webhook.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Registry } from '../registry.ts'
import type { Db } from '../store/db.ts'
import type { Tracing } from '../tracing.ts'

/** What commands work with once Elasticsearch is found and the registry is set up. */
export interface Runtime {
  config: Config
  db: Db
  log: Logger
  registry: Registry
  tracing?: Tracing | undefined
}

/**
 * A command whose flags and files are in order, ready to run. What is wrong with them is told before anything is
 * looked for or started.
 */
export type ReadyCommand = (runtime: Runtime) => Promise<number>

interface LoadOptions {
  waitSeconds?: number
  progress?: (progress: Progress) => void
  signal?: AbortSignal
  metrics?: Metrics
}

const DEFAULT_WAIT_S = 60

export function loadContext(runtime: Runtime, options: LoadOptions): LoadContext {
  const { config, db, log, tracing } = runtime
  const onRunEnded = alertOf(runtime, options)
  return {
    db,
    log,
    ...loadFolders(config.DATA_DIR, config.INDEX_PREFIX),
    archiveKeepDays: config.ARCHIVE_KEEP_DAYS,
    owner: `${hostname()} process ${process.pid}`,
    now: Date.now,
    leaseWaitMs: (options.waitSeconds ?? DEFAULT_WAIT_S) * 1000,
    ...(options.progress ? { progress: options.progress } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
    ...(onRunEnded ? { onRunEnded } : {}),
    ...(tracing ? { around: tracing.aroundRun } : {}),
  }
}

/** What is still to be delivered keeps the process alive for as long as its tries take, or until it is asked to stop. */
function alertOf(
  { config, log }: Runtime,
  { metrics, signal }: LoadOptions,
): LoadContext['onRunEnded'] {
  if (config.ALERT_WEBHOOK_URL === undefined) return undefined
  return openWebhook({
    url: config.ALERT_WEBHOOK_URL,
    secret: config.ALERT_WEBHOOK_SECRET,
    log,
    now: Date.now,
    onOutcome: metrics?.onAlert,
    ...(signal ? { signal } : {}),
  }).tell
}
