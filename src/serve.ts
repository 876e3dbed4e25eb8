import type { Config } from './config.ts'
import { endpoints } from './http/routes.ts'
import { buildServer } from './http/server.ts'
import type { Log } from './log.ts'
import type { Registry } from './registry.ts'
import { openKeys } from './store/keys.ts'
import { openStore } from './store/store.ts'

/** Starts the API of an open registry; returns its address and how to end it. */
export async function serveApi(
  config: Config,
  { registry, log }: { registry: Registry; log: Log },
): Promise<{ url: string; close(): Promise<void> }> {
  const server = buildServer({
    store: openStore(registry.db),
    endpoints,
    keys: openKeys(registry.db),
    log,
    rateLimitPerMinute: config.RATE_LIMIT_PER_MINUTE,
  })
  const { url } = await server.listen(config.PORT, config.HOST)
  return { url, close: () => server.close() }
}
