import { LoadFailure } from '../domain/problem.ts'
import { writeBulk } from './bulk.ts'
import { type BulkBody, createBulkBody } from './bulk-body.ts'
import { addClosing } from './commit-lines.ts'
import { type Db, refreshOnce } from './db.ts'
import { OPEN_RUN, type VersionDocument } from './documents.ts'
import type { RunLease } from './lease.ts'

const ITEMS_PER_BULK = 2_000
const BULKS_IN_FLIGHT = 2
/**
 * So many bulks are made searchable while the next are written. Left to the refresh before the commit, Elasticsearch would
 * put all of them in order on one processor while everything else waits; oftener, and it has to merge what it made.
 */
const BULKS_PER_REFRESH = 75

/** What a load writes its documents to. */
export const WRITTEN = ['pharmacies', 'events', 'changes'] as const

/** Groups items into bulks and keeps a few of them in flight; the first failure is thrown at the next call. */
export function bulkFlow(db: Db, { lease }: { lease: RunLease }) {
  let filling = createBulkBody()
  let failed: unknown
  const free: BulkBody[] = []
  const inFlight = new Set<Promise<void>>()
  let unrefreshed = 0
  let refreshing: Promise<void> | undefined

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
    refreshAlong()
  }

  /** What is searchable early is seen by nobody: readers ask for committed runs. */
  const refreshAlong = () => {
    unrefreshed += 1
    if (unrefreshed < BULKS_PER_REFRESH || refreshing !== undefined) return
    unrefreshed = 0
    // Before the commit it has to succeed; what fails here is only done later.
    refreshing = refreshOnce(db, WRITTEN)
      .catch(() => undefined)
      .finally(() => {
        refreshing = undefined
      })
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
      await Promise.all([...inFlight, refreshing])
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
