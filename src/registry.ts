import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@elastic/elasticsearch'
import type { Config } from './config/settings.ts'
import { OperatorError } from './domain/problem.ts'
import { findElasticsearch } from './embedded/find-elasticsearch.ts'
import type { Log } from './log.ts'
import { connect } from './store/client.ts'
import { type Db, isUnavailable, openDb } from './store/db.ts'
import { ensureIndices } from './store/indices.ts'
import { createState } from './store/state-document.ts'

/** An open registry: Elasticsearch found or started, its indices in place and checked. */
export interface Registry {
  db: Db
  /** what was found: "external", "running", "cache"… */
  kind: string
  node: string
  close(): Promise<void>
}

const PATIENCE_MS = 60_000
const RETRY_MS = 2_000

export async function openRegistry(
  config: Config,
  options: {
    log: Log
    env: NodeJS.ProcessEnv
    say: (text: string) => void
    /** leaves the indices as they are, or are not: for what makes or replaces them itself */
    isBare?: boolean
  },
): Promise<Registry> {
  const found = await findElasticsearch({
    url: config.ELASTICSEARCH_URL,
    dataDir: config.DATA_DIR,
    env: options.env,
    log: options.log,
  })
  const client = connect({
    url: found.node,
    apiKey: config.ELASTICSEARCH_API_KEY,
    username: config.ELASTICSEARCH_USERNAME,
    password: config.ELASTICSEARCH_PASSWORD,
    caFile: config.ELASTICSEARCH_CA,
  })
  const close = async () => {
    await client.close()
    await found.stop()
  }
  try {
    const db = openDb(client, config.INDEX_PREFIX)
    await untilThere(client, { node: found.node, say: options.say })
    if (!options.isBare) {
      await ensureIndices(db, { shards: config.INDEX_SHARDS, replicas: config.INDEX_REPLICAS })
      await createState(db)
    }
    return { db, kind: found.kind, node: found.node, close }
  } catch (cause) {
    await close()
    throw cause
  }
}

/** Waits a bounded time for a cluster that is still starting; says so, because nothing else happens meanwhile. */
async function untilThere(
  client: Client,
  { node, say }: { node: string; say: (text: string) => void },
): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      await client.cluster.health(
        { wait_for_status: 'yellow', timeout: '5s' },
        { requestTimeout: 10_000, maxRetries: 0 },
      )
      return
    } catch (cause) {
      if (!isUnavailable(cause)) throw asOperatorError(cause, node)
      if (Date.now() >= deadline) {
        throw new OperatorError(
          `Elasticsearch at ${hostsOf(node)} did not answer for ${PATIENCE_MS / 1000} s: ${(cause as Error).message}. ` +
            'Check ELASTICSEARCH_URL and that the cluster runs.',
          cause,
        )
      }
      say(`Elasticsearch at ${hostsOf(node)} does not answer yet; trying again…`)
      await sleep(RETRY_MS)
    }
  }
}

function asOperatorError(cause: unknown, node: string): unknown {
  const status = (cause as { statusCode?: number }).statusCode
  if (status !== 401 && status !== 403) return cause
  return new OperatorError(
    `Elasticsearch at ${hostsOf(node)} refused the credentials (${status}). Check ELASTICSEARCH_API_KEY, or ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD.`,
    cause,
  )
}

/** The addresses without the password that a node in a container carries in its URL. */
export function hostsOf(node: string): string {
  return node
    .split(',')
    .map((url) => new URL(url.trim()).host)
    .join(', ')
}
