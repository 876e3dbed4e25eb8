import type { BusinessEvent } from '../domain/event.ts'
import { LoadFailure } from '../domain/problem.ts'
import { instantOf } from '../domain/time.ts'
import { type BulkConflict, type BulkItem, writeBulk } from './bulk.ts'
import { type Db, refresh } from './db.ts'
import { eventDocument, OPEN_RUN, type VersionDocument } from './documents.ts'
import type { RunLease } from './lease.ts'
import type { PreviousVersion } from './previous.ts'
import { type RunDocument, writeRun } from './runs.ts'
import type { RegistryState, TerritoryState } from './state.ts'

/** What one run does to one pharmacy. Texts are JSON, so that a spooled record is never parsed to be written. */
export interface Modification {
  external_id: string
  previous: PreviousVersion | null
  /** the new content: the record, its search fields (an object's inside, may be empty) and its hash */
  current: { record: string; searchFields: string; hash: string } | null
  events: readonly BusinessEvent[]
}

/** Steps 4 to 6 of the commit (design section 3) for one run of one territory. */
export interface Commit {
  /** writes versions, events and changes under the run's number; nothing of it is visible yet */
  write(modifications: readonly Modification[]): Promise<void>
  /** refreshes, then makes the run visible with one compare-and-set */
  finish(run: RunDocument, territory: (committedAt: string) => TerritoryState): Promise<RunDocument>
}

const ITEMS_PER_BULK = 2_000
const BULKS_IN_FLIGHT = 2

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
  let seq = state.last_seq
  let changeId = state.last_change_id
  const flow = bulkFlow(db, { lease })

  return {
    async write(modifications) {
      for (const modification of modifications) {
        const items = versionItems(db, { territory, run: lease.run }, modification)
        for (const event of modification.events) {
          seq += 1
          items.push(
            eventItem(db, event, {
              seq,
              run: lease.run,
              run_id: runId,
              occurred_at: options.observedAt,
            }),
          )
        }
        changeId += 1
        items.push(changeItem(db, { territory, run: lease.run, runId, id: changeId }, modification))
        await flow.add(items)
      }
    },

    async finish(run, territoryOf) {
      await flow.end()
      await lease.check()
      await refresh(db, ['pharmacies', 'events', 'changes'])
      const committedAt = commitInstant(state.committed_at)
      const record: RunDocument = {
        ...run,
        run: lease.run,
        committed_at: committedAt,
        last_change_id: changeId,
        last_seq: seq,
      }
      await writeRun(db, record, lease.run)
      await lease.update(
        (now) => ({
          ...now,
          committed_run: lease.run,
          committed_at: committedAt,
          last_seq: seq,
          last_change_id: changeId,
          territories: { ...now.territories, [territory]: territoryOf(committedAt) },
        }),
        (now) => now.committed_run >= lease.run && !now.abandoned.includes(lease.run),
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

function versionItems(
  db: Db,
  { territory, run }: { territory: string; run: number },
  { external_id, previous, current }: Modification,
): BulkItem[] {
  const items: BulkItem[] = []
  if (previous) items.push(closeItem(db, previous, run))
  if (current) {
    items.push({
      action: actionOf(db, 'pharmacies', `${territory}|${external_id}|${run}`),
      document: `${current.record.slice(0, -1)},"from_run":${run},"to_run":${OPEN_RUN},"content_hash":"${current.hash}"${current.searchFields ? `,${current.searchFields}` : ''}}`,
    })
  }
  return items
}

function closeItem(
  db: Db,
  version: Pick<PreviousVersion, 'id' | 'seqNo' | 'primaryTerm'>,
  run: number,
): BulkItem {
  return {
    action: JSON.stringify({
      update: {
        _index: db.alias('pharmacies'),
        _id: version.id,
        if_seq_no: version.seqNo,
        if_primary_term: version.primaryTerm,
      },
    }),
    document: `{"doc":{"to_run":${run}}}`,
  }
}

function eventItem(
  db: Db,
  event: BusinessEvent,
  run: { seq: number; run: number; run_id: string; occurred_at: string },
): BulkItem {
  return {
    action: actionOf(db, 'events', `${run.run}|${run.seq}`),
    document: JSON.stringify(eventDocument(event, run)),
  }
}

function changeItem(
  db: Db,
  at: { territory: string; run: number; runId: string; id: number },
  { external_id, previous, current }: Modification,
): BulkItem {
  const payload = current ? current.record : JSON.stringify(previous?.record)
  const head = JSON.stringify({
    id: at.id,
    run: at.run,
    run_id: at.runId,
    territory_code: at.territory,
    operation: current ? 'upsert' : 'delete',
    external_id,
  })
  return {
    action: actionOf(db, 'changes', `${at.run}|${at.id}`),
    document: `${head.slice(0, -1)},"payload":${payload}}`,
  }
}

function actionOf(db: Db, index: 'pharmacies' | 'events' | 'changes', id: string): string {
  return `{"index":{"_index":${JSON.stringify(db.alias(index))},"_id":${JSON.stringify(id)}}}`
}

/** Groups items into bulks and keeps a few of them in flight; the first failure is thrown at the next call. */
function bulkFlow(db: Db, { lease }: { lease: RunLease }) {
  let waiting: BulkItem[] = []
  let failed: unknown
  const inFlight = new Set<Promise<void>>()

  const send = async (items: BulkItem[]) => {
    await lease.check()
    await settle(db, lease, await writeBulk(db, items))
  }

  const start = async () => {
    const items = waiting
    waiting = []
    while (inFlight.size >= BULKS_IN_FLIGHT) await Promise.race(inFlight)
    if (failed) throw failed
    const sending = send(items)
      .catch((cause: unknown) => {
        failed ??= cause
      })
      .finally(() => inFlight.delete(sending))
    inFlight.add(sending)
  }

  return {
    async add(items: readonly BulkItem[]) {
      waiting.push(...items)
      if (waiting.length >= ITEMS_PER_BULK) await start()
    },
    async end() {
      if (waiting.length > 0) await start()
      await Promise.all(inFlight)
      if (failed) throw failed
    },
  }
}

/**
 * A version that would not close was written since it was read. Read it again: open, or closed by a lower
 * number that never committed, it is closed again; closed by us it is done; a higher number proves that a newer
 * writer is at work, and this run gives up.
 */
async function settle(db: Db, lease: RunLease, conflicts: readonly BulkConflict[]): Promise<void> {
  let open = conflicts.map(({ id }) => id)
  while (open.length > 0) {
    const { docs } = await db.client.mget<VersionDocument>({
      index: db.alias('pharmacies'),
      ids: open,
      _source_includes: ['to_run'],
    })
    const again = docs.flatMap((doc) => closeAgain(db, doc as Found, lease.run))
    await lease.check()
    open = (await writeBulk(db, again)).map(({ id }) => id)
  }
}

interface Found {
  _id: string
  _seq_no?: number
  _primary_term?: number
  _source?: Pick<VersionDocument, 'to_run'>
}

function closeAgain(db: Db, found: Found, run: number): BulkItem[] {
  const { _id: id, _seq_no: seqNo, _primary_term: primaryTerm, _source: version } = found
  if (!version || seqNo === undefined || primaryTerm === undefined) {
    throw new LoadFailure('lease_lost', `Version ${id} is gone: a newer run has swept it.`)
  }
  if (version.to_run === run) return []
  if (version.to_run > run && version.to_run !== OPEN_RUN) {
    throw new LoadFailure('lease_lost', `Run ${version.to_run}, newer than ${run}, is writing.`)
  }
  return [closeItem(db, { id, seqNo, primaryTerm }, run)]
}
