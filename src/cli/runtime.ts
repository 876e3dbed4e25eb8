import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { LoadContext, Progress } from '../load/context.ts'
import type { Registry } from '../registry.ts'
import { openArchive } from '../sources/archive.ts'
import type { Db } from '../store/db.ts'

/** What commands work with once Elasticsearch is found and the registry is set up. */
export interface Runtime {
  config: Config
  db: Db
  log: Logger
  registry: Registry
}

const DEFAULT_WAIT_S = 60

export function loadContext(
  { config, db, log }: Runtime,
  options: { waitSeconds?: number; progress?: (progress: Progress) => void; signal?: AbortSignal },
): LoadContext {
  return {
    db,
    log,
    archive: openArchive(join(config.DATA_DIR, 'archive')),
    archiveKeepDays: config.ARCHIVE_KEEP_DAYS,
    workDir: join(config.DATA_DIR, 'work'),
    owner: `${hostname()} process ${process.pid}`,
    now: Date.now,
    leaseWaitMs: (options.waitSeconds ?? DEFAULT_WAIT_S) * 1000,
    ...(options.progress ? { progress: options.progress } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
  }
}
