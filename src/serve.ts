import { join } from 'node:path'
import type { Config } from './config/settings.ts'
import { dashboardMount } from './dashboard-build.ts'
import { docsMounts } from './http/docs-page.ts'
import { endpoints } from './http/routes.ts'
import { buildServer } from './http/server.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Registry } from './registry.ts'
import { openKeys } from './store/keys.ts'
import { openStore } from './store/store.ts'
import type { Tracing } from './tracing.ts'

/** Starts the API of an open registry, with the dashboard at its root; returns its address and how to end it. */
export async function serveApi(
  config: Config,
  service: { registry: Registry; log: Log; metrics?: Metrics; tracing?: Tracing | undefined },
): Promise<{ url: string; close(): Promise<void> }> {
  const { registry, log, metrics, tracing } = service
  const server = buildServer({
    store: openStore(registry.db),
    endpoints,
    keys: openKeys(registry.db),
    log,
    rateLimitPerMinute: config.RATE_LIMIT_PER_MINUTE,
    static: [await dashboardMount(), ...docsMounts()],
    ...(config.EXPORT_CACHE_MB > 0 ? { exports: exportsOf(config) } : {}),
    ...(metrics?.onAnswer ? { onAnswer: metrics.onAnswer } : {}),
    ...(tracing ? { around: tracing.aroundRequest } : {}),
  })
  const { url } = await server.listen(config.PORT, config.HOST)
  return { url, close: () => server.close() }
}

/** A folder for each registry: several may share DATA_DIR, and API processes of one registry share the folder. */
function exportsOf({ DATA_DIR, INDEX_PREFIX, EXPORT_CACHE_MB }: Config) {
  return { folder: join(DATA_DIR, 'exports', INDEX_PREFIX), maxBytes: EXPORT_CACHE_MB * 1_000_000 }
}
