import { instantOf } from '../domain/time.ts'
import { bulkFlow, WRITTEN } from './bulk-flow.ts'
import { changeLines, eventLines, versionLines } from './commit-lines.ts'
import { type Db, refresh } from './db.ts'
import type { RunLease } from './lease.ts'
import type { Modification } from './modification.ts'
import { type RunDocument, writeRun } from './runs.ts'
import type { RegistryState, TerritoryState } from './state.ts'

/** Steps 4 to 6 of the commit (design section 3) for one run of one territory. */
export interface Commit {
  /**
   * writes version, events and change of one pharmacy under the run's number; nothing of it is visible yet. A promise
   * only when one must wait before the next.
   */
  write(modification: Modification): Promise<void> | undefined
  /** replaces what was written of pharmacies that had no version before, and of which there are no events */
  amend(amendments: AsyncIterable<Amendment>): Promise<void>
  /** refreshes, then makes the run visible with one compare-and-set */
  finish(run: RunDocument, territory: (committedAt: string) => TerritoryState): Promise<RunDocument>
}

export interface Amendment {
  /** which of the run's changes it was, counted from 0 */
  position: number
  modification: Modification
}

export function openCommit(
  db: Db,
  options: {
    lease: RunLease
    state: RegistryState
    territory: string
    runId: string
    observedAt: string
  },
): Commit {
  const { lease, state, territory, runId } = options
  const run = lease.run
  let seq = state.last_seq
  let changeId = state.last_change_id
  const flow = bulkFlow(db, { lease })
  const versions = versionLines(db, { territory, run })
  const events = eventLines(db, { run, run_id: runId, occurred_at: options.observedAt })
  const changes = changeLines(db, { territory, run, runId })

  return {
    write(modification) {
      const body = flow.body()
      versions(body, modification)
      for (const event of modification.events) {
        seq += 1
        events(body, event, seq)
      }
      changeId += 1
      changes(body, modification, changeId)
      return flow.added()
    },

    async amend(amendments) {
      // What is replaced must be there already: bulks in flight may arrive in any order.
      await flow.end()
      for await (const { position, modification } of amendments) {
        const body = flow.body()
        versions(body, modification, 'index')
        changes(body, modification, state.last_change_id + 1 + position, 'index')
        await flow.added()
      }
    },

    async finish(entry, territoryOf) {
      await flow.end()
      await lease.check()
      await refresh(db, WRITTEN)
      const committedAt = commitInstant(state.committed_at)
      const record: RunDocument = {
        ...entry,
        run,
        committed_at: committedAt,
        last_change_id: changeId,
        last_seq: seq,
      }
      await writeRun(db, record, run)
      await lease.update(
        (now) => ({
          ...now,
          committed_run: run,
          committed_at: committedAt,
          last_seq: seq,
          last_change_id: changeId,
          territories: { ...now.territories, [territory]: territoryOf(committedAt) },
        }),
        (now) => now.committed_run >= run && !now.abandoned.includes(run),
      )
      return { ...record, status: 'committed' }
    },
  }
}

/** The commit's instant; never earlier than or equal to the one before, whatever the clocks say. */
function commitInstant(previous: string | null): string {
  const floor = previous === null ? 0 : Date.parse(previous) + 1
  return instantOf(Math.max(Date.now(), floor))
}
