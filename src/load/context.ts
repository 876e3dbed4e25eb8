import type { Logger } from 'pino'
import type { SourceDefinition } from '../domain/definition.ts'
import type { Run } from '../domain/run.ts'
import type { Archive } from '../sources/archive.ts'
import type { AppliedSnapshot } from '../sources/archive-log.ts'
import type { Db } from '../store/db.ts'
import type { RunDocument } from '../store/runs.ts'
import type { RememberedHashes } from './remembered-hashes.ts'

/** What every load needs from outside; configuration, clock and signal arrive as arguments. */
export interface LoadContext {
  db: Db
  archive: Archive
  /** how long a snapshot that nothing needs stays in the archive; for ever where it is left out or 0 */
  archiveKeepDays?: number
  /** what each territory's last run left, at hand */
  hashes: RememberedHashes
  /** folder for downloads and spools; emptied after each load */
  workDir: string
  /** host and process, shown to whoever waits for the lease */
  owner: string
  log: Logger
  now(): number
  leaseWaitMs: number
  leaseTtlMs?: number
  signal?: AbortSignal
  progress?: (progress: Progress) => void
  /** told about every run of a load when it has ended, to alert a person */
  onRunEnded?: (run: Run) => void
  /** wraps every run, for traces */
  around?: (run: TracedRun, attempt: () => Promise<RunDocument>) => Promise<RunDocument>
}

/** What a trace tells of a run before it begins. */
export interface TracedRun {
  territory_code: string
  source_slug: string
}

/** How far a run is, for a person who waits. */
export interface Progress {
  territory_code: string
  stage: 'fetching' | 'reading' | 'comparing' | 'writing' | 'committing'
  done: number
}

/** One load of one source. `file` and `observedAt` replace the definition's input and clock. */
export interface LoadRequest {
  definition: SourceDefinition
  file?: string
  /** an archived snapshot takes the place of the input, as it was applied once */
  archived?: AppliedSnapshot
  /** only these territories of the definition; all where it is left out */
  territories?: readonly string[]
  observedAt?: string
  /** passes the guards that quarantine */
  force?: boolean
}
