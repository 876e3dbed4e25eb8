import { inject } from 'vitest'
import { dashboardMount } from '../../../src/dashboard-build.ts'
import { endpoints } from '../../../src/http/routes.ts'
import { buildServer } from '../../../src/http/server.ts'
import { buildLog } from '../../../src/log.ts'
import { connect } from '../../../src/store/client.ts'
import { openDb } from '../../../src/store/db.ts'
import { openKeys } from '../../../src/store/keys.ts'
import { openStore } from '../../../src/store/store.ts'
import type { Demo } from './setup.ts'

/** The product's API with the dashboard, over the demo data or other indices. */
export interface TestService {
  url: string
  /** what the API says, asked without the page */
  ask<Body>(path: string, key: string): Promise<Body>
  /** a key for all territories of the registry that is served */
  issueKey(name: string): Promise<string>
  close(): Promise<void>
}

/** The demo of this run. */
export function demo(): Demo {
  const found = inject('demo')
  if (!found) throw new Error('there is no demo without a browser')
  return found
}

export async function serveDashboard(
  options: { prefix?: string; rateLimitPerMinute?: number; port?: number } = {},
): Promise<TestService> {
  const client = connect({ url: inject('elasticsearch') })
  const db = openDb(client, options.prefix ?? demo().prefix)
  const keys = openKeys(db)
  const server = buildServer({
    store: openStore(db),
    endpoints,
    keys,
    log: buildLog({ level: 'silent' }),
    rateLimitPerMinute: options.rateLimitPerMinute ?? 0,
    static: [await dashboardMount()],
    closeWithinMs: 200,
  })
  const { url } = await server.listen(options.port ?? 0, '127.0.0.1')
  return {
    url,
    async ask(path, key) {
      const response = await fetch(`${url}${path}`, { headers: { 'X-API-Key': key } })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return response.json()
    },
    async issueKey(name) {
      return (await keys.issue({ name, territories: null, expires_at: null })).key
    },
    async close() {
      await server.close()
      await client.close()
    },
  }
}
