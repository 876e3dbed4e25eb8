import type { Scope } from '../domain/scope.ts'
import { type Commits, openCommits } from './commits.ts'
import type { Db } from './db.ts'
import { getRun, listRuns, type RunDocument } from './runs.ts'
import { openStateReader, type StateReader } from './state-document.ts'

/** What the read street needs of the registry, and nothing that writes. */
export interface Store extends Commits {
  db: Db
  /** the committed state: read by id, at most a second old, one request however many ask at once */
  state: StateReader
  runs: {
    list(criteria: { territories: Scope; limit: number; before?: number }): Promise<{
      items: RunDocument[]
      more: boolean
    }>
    get(runId: string): Promise<RunDocument | null>
  }
}

export function openStore(db: Db): Store {
  return {
    db,
    state: openStateReader(db),
    ...openCommits(db),
    runs: {
      list: (criteria) => listRuns(db, criteria),
      get: (runId) => getRun(db, runId),
    },
  }
}
