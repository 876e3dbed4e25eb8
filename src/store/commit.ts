import type { BusinessEvent } from '../domain/event.ts'
import { LoadFailure } from '../domain/problem.ts'
import { instantOf } from '../domain/time.ts'
import { writeBulk } from './bulk.ts'
import { type BulkBody, createBulkBody } from './bulk-body.ts'
import { type Db, refresh } from './db.ts'
import { eventDocument, OPEN_RUN, type VersionDocument } from './documents.ts'
import type { RunLease } from './lease.ts'
import type { PreviousVersion } from './previous.ts'
import { type RunDocument, writeRun } from './runs.ts'
import type { RegistryState, TerritoryState } from './state.ts'

/**
 * What one run does to one pharmacy. Contents are JSON in UTF-8, so that a spooled record is neither parsed nor even
 * decoded to be written.
 */
export interface Modification {
  external_id: string
  previous: PreviousVersion | null
  /** the new content: the record, its search fields (an object's inside, may be empty) and its hash */
  current: { record: Uint8Array; searchFields: Uint8Array; hash: string } | null
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
  const run = lease.run
  let seq = state.last_seq
  let changeId = state.last_change_id
  const flow = bulkFlow(db, { lease })
  const versions = versionLines(db, { territory, run })
  const events = eventLines(db, { run, run_id: runId, occurred_at: options.observedAt })
  const changes = changeLines(db, { territory, run, runId })

  return {
    async write(modifications) {
      for (const modification of modifications) {
        const body = flow.body()
        versions(body, modification)
        for (const event of modification.events) {
          seq += 1
          events(body, event, seq)
        }
        changeId += 1
        changes(body, modification, changeId)
        const full = flow.added()
        if (full !== undefined) await full
      }
    },

    async finish(entry, territoryOf) {
      await flow.end()
      await lease.check()
      await refresh(db, ['pharmacies', 'events', 'changes'])
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

/** Closes the version before, and writes the new one. What is the same for all of a run is put together once. */
function versionLines(db: Db, { territory, run }: { territory: string; run: number }) {
  const action = actionOf(db, 'pharmacies')
  const middle = `,"from_run":${run},"to_run":${OPEN_RUN},"content_hash":"`
  return (body: BulkBody, { external_id, previous, current }: Modification): void => {
    if (previous) addClosing(db, body, previous, run)
    if (!current) return
    const { record, searchFields, hash } = current
    body.add(action(`${territory}|${external_id}|${run}`), [
      withoutBrace(record),
      `${middle}${hash}"`,
      ...(searchFields.length > 0 ? [',', searchFields] : []),
      '}',
    ])
  }
}

/** The members of a JSON object that goes on. */
function withoutBrace(object: Uint8Array): Uint8Array {
  return object.subarray(0, -1)
}

function addClosing(
  db: Db,
  body: BulkBody,
  version: Pick<PreviousVersion, 'id' | 'seqNo' | 'primaryTerm'>,
  run: number,
): void {
  const action = {
    update: {
      _index: db.alias('pharmacies'),
      _id: version.id,
      if_seq_no: version.seqNo,
      if_primary_term: version.primaryTerm,
    },
  }
  body.add(JSON.stringify(action), [`{"doc":{"to_run":${run}}}`])
}

function eventLines(db: Db, run: { run: number; run_id: string; occurred_at: string }) {
  const action = actionOf(db, 'events')
  return (body: BulkBody, event: BusinessEvent, seq: number): void => {
    const document = eventDocument(event, { ...run, seq })
    body.add(action(`${run.run}|${seq}`), [JSON.stringify(document)])
  }
}

function changeLines(
  db: Db,
  { territory, run, runId }: { territory: string; run: number; runId: string },
) {
  const action = actionOf(db, 'changes')
  const middle = JSON.stringify({ run, run_id: runId, territory_code: territory }).slice(1, -1)
  return (body: BulkBody, { external_id, previous, current }: Modification, id: number): void => {
    const operation = current ? 'upsert' : 'delete'
    body.add(action(`${run}|${id}`), [
      `{"id":${id},${middle},"operation":"${operation}","external_id":${JSON.stringify(external_id)},"payload":`,
      current ? current.record : JSON.stringify(previous?.record),
      '}',
    ])
  }
}

function actionOf(db: Db, index: 'pharmacies' | 'events' | 'changes'): (id: string) => string {
  const head = `{"index":{"_index":${JSON.stringify(db.alias(index))},"_id":`
  return (id) => `${head}${JSON.stringify(id)}}}`
}

/** Groups items into bulks and keeps a few of them in flight; the first failure is thrown at the next call. */
function bulkFlow(db: Db, { lease }: { lease: RunLease }) {
  let filling = createBulkBody()
  let failed: unknown
  const free: BulkBody[] = []
  const inFlight = new Set<Promise<void>>()

  const send = async (body: BulkBody) => {
    await lease.check()
    const { conflicts, tries } = await writeBulk(db, body)
    // A request that was given up may still be on its way: its bytes are left alone.
    if (tries === 1) {
      body.clear()
      free.push(body)
    }
    await settle(db, lease, conflicts)
  }

  const start = async () => {
    const body = filling
    filling = free.pop() ?? createBulkBody(body.byteLength)
    while (inFlight.size >= BULKS_IN_FLIGHT) await Promise.race(inFlight)
    if (failed) throw failed
    const sending = send(body)
      .catch((cause: unknown) => {
        failed ??= cause
      })
      .finally(() => inFlight.delete(sending))
    inFlight.add(sending)
  }

  return {
    /** where the next items go */
    body: () => filling,
    /** to be called after items were added; a promise only when one must wait */
    added(): Promise<void> | undefined {
      return filling.items >= ITEMS_PER_BULK ? start() : undefined
    },
    async end() {
      if (filling.items > 0) await start()
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
async function settle(db: Db, lease: RunLease, conflicts: readonly string[]): Promise<void> {
  let open = conflicts
  while (open.length > 0) {
    const { docs } = await db.client.mget<VersionDocument>({
      index: db.alias('pharmacies'),
      ids: [...open],
      _source_includes: ['to_run'],
    })
    const again = createBulkBody()
    for (const doc of docs) closeAgain(db, again, doc as Found, lease.run)
    await lease.check()
    open = (await writeBulk(db, again)).conflicts
  }
}

interface Found {
  _id: string
  _seq_no?: number
  _primary_term?: number
  _source?: Pick<VersionDocument, 'to_run'>
}

function closeAgain(db: Db, body: BulkBody, found: Found, run: number): void {
  const { _id: id, _seq_no: seqNo, _primary_term: primaryTerm, _source: version } = found
  if (!version || seqNo === undefined || primaryTerm === undefined) {
    throw new LoadFailure('lease_lost', `Version ${id} is gone: a newer run has swept it.`)
  }
  if (version.to_run === run) return
  if (version.to_run > run && version.to_run !== OPEN_RUN) {
    throw new LoadFailure('lease_lost', `Run ${version.to_run}, newer than ${run}, is writing.`)
  }
  addClosing(db, body, { id, seqNo, primaryTerm }, run)
}
