import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@elastic/elasticsearch'
import { findElasticsearch } from '../../src/embedded/find-elasticsearch.ts'
import { buildLog } from '../../src/log.ts'
import { connect } from '../../src/store/client.ts'
import { type Db, openDb } from '../../src/store/db.ts'
import { ensureIndices } from '../../src/store/indices.ts'
import { createState } from '../../src/store/state-document.ts'

/** Where lines are measured: one Elasticsearch for the whole run, a folder, and how much is asked for. */
export interface Setting {
  url: string
  client: Client
  /** for files; goes away at the end */
  folder: string
  /** how often each pair is measured */
  times: number
  /** how many records a line takes that usually takes so many */
  size(usual: number): number
  say(text: string): void
  /** an empty registry under a prefix of its own, or where a removed one was */
  emptyRegistry(removed?: Db): Promise<Db>
  /** removes all indices of a registry */
  remove(db: Db): Promise<void>
  close(): Promise<void>
}

export interface SettingOptions {
  times: number
  /** replaces the usual size of every line */
  size?: number
  /** a tenth of the usual sizes */
  isQuick: boolean
}

const HEAP_MB = 2048

export async function openSetting({ times, size, isQuick }: SettingOptions): Promise<Setting> {
  const folder = await mkdtemp(join(tmpdir(), 'pharmacy-registry-bench-'))
  const found = await findElasticsearch({
    url: process.env.ELASTICSEARCH_URL,
    dataDir: folder,
    env: process.env,
    log: buildLog({ level: 'warn' }),
    isEphemeral: true,
    heapMb: HEAP_MB,
  })
  const client = connect({ url: found.node, requestTimeoutMs: 300_000 })
  let registries = 0
  const remove = async (db: Db) => {
    const indices = await client.indices.get({ index: `${db.prefix}-*`, expand_wildcards: 'all' })
    for (const index of Object.keys(indices)) await client.indices.delete({ index })
    await client.indices.deleteIndexTemplate({ name: `${db.prefix}-*` })
  }
  const opened: Db[] = []
  return {
    url: found.node,
    client,
    folder,
    times,
    size: (usual) => size ?? (isQuick ? Math.round(usual / 10) : usual),
    say: (text) => process.stderr.write(`${text}\n`),
    async emptyRegistry(removed) {
      if (!removed) registries += 1
      const db = removed ?? openDb(client, `bench-${process.pid}-${registries}`)
      await ensureIndices(db, { shards: 1, replicas: 0 })
      await createState(db)
      if (!removed) opened.push(db)
      return db
    },
    remove,
    async close() {
      for (const db of opened) {
        if (await client.indices.exists({ index: db.alias('state') })) await remove(db)
      }
      await client.close()
      await found.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
