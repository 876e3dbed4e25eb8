import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoadContext, LoadRequest } from '../../../src/load/context.ts'
import { loadAll } from '../../../src/load/load-all.ts'
import { loadFolders } from '../../../src/load/load-folders.ts'
import { buildLog } from '../../../src/log.ts'
import { connect } from '../../../src/store/client.ts'
import { type Db, openDb, type Patience } from '../../../src/store/db.ts'
import { ensureIndices } from '../../../src/store/indices.ts'
import type { RunDocument } from '../../../src/store/runs.ts'
import { scan } from '../../../src/store/scan.ts'
import type { RegistryState } from '../../../src/store/state.ts'
import { createState, readState } from '../../../src/store/state-document.ts'
import { verify } from '../../../src/verify/verify.ts'

/** An empty registry on a node that may break, ready to load into. */
export interface Registry {
  db: Db
  folder: string
  context: LoadContext
  load(request: LoadRequest): Promise<RunDocument>
  state(): Promise<RegistryState>
  runs(): Promise<RunDocument[]>
  /** broken invariants, as text; empty when all hold */
  broken(): Promise<string[]>
  close(): Promise<void>
}

let made = 0

export interface RegistryOptions {
  url: string
  /** with rights of its own; the default has all */
  client?: ReturnType<typeof connect>
  prefix?: string
  shards?: number
  replicas?: number
  requestTimeoutMs?: number
  patience?: Patience
  leaseTtlMs?: number
  leaseWaitMs?: number
}

export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  made += 1
  const { url, prefix = `faults-${process.pid}-${made}`, shards = 1, replicas = 0 } = options
  const client = options.client ?? connect({ url, requestTimeoutMs: options.requestTimeoutMs })
  const db = openDb(client, prefix, options.patience)
  await ensureIndices(db, { shards, replicas })
  await createState(db)
  const folder = await mkdtemp(join(tmpdir(), 'pharmacy-registry-faults-'))
  const context: LoadContext = {
    db,
    log: buildLog({ level: process.env.LOG_LEVEL ?? 'silent' }),
    ...loadFolders(folder, db.prefix),
    owner: 'fault test',
    now: Date.now,
    leaseWaitMs: options.leaseWaitMs ?? 20_000,
    ...(options.leaseTtlMs ? { leaseTtlMs: options.leaseTtlMs } : {}),
  }
  return {
    db,
    folder,
    context,
    async load(request) {
      for await (const run of loadAll(context, [request])) return run
      throw new Error('the load gave no run')
    },
    state: async () => (await readState(db)).state,
    async runs() {
      const all: RunDocument[] = []
      const sort = [{ run: 'asc' as const }]
      for await (const run of scan<RunDocument>(db, 'runs', { filter: [], sort })) all.push(run)
      return all
    },
    async broken() {
      const { invariants } = await verify(db)
      return invariants.flatMap(({ invariant, examples }) =>
        examples.map((example) => `${invariant}: ${example}`),
      )
    },
    async close() {
      const indices = await client.indices.get({ index: `${prefix}-*` })
      for (const index of Object.keys(indices)) await client.indices.delete({ index })
      await client.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
