import { setTimeout as sleep } from 'node:timers/promises'
import type { estypes } from '@elastic/elasticsearch'
import { Problem } from '../domain/problem.ts'
import { type Db, isUnavailable, pauseMs } from './db.ts'

/** One item of a bulk: its action line and, but for deletes, its document line, as JSON text. */
export interface BulkItem {
  action: string
  document?: string
}

export interface BulkConflict {
  item: BulkItem
  id: string
}

/** An item that Elasticsearch refused for good: the run cannot go on. */
class BulkItemError extends Error {
  constructor(item: string, reason: string) {
    super(`Elasticsearch refused ${item}: ${reason}`)
    this.name = 'BulkItemError'
  }
}

/** What one sending came to: nothing is left when both are empty. */
interface Sent {
  conflicts: BulkConflict[]
  again: BulkItem[]
  /** why the first of `again` was refused */
  reason?: string
}

/**
 * Writes one bulk and checks every item. 429 and connection faults are retried with back-off, and so are the
 * single items that met them; version conflicts are handed back; anything else is thrown. Document ids are
 * derived from run and record, so that writing an item again is harmless.
 */
export async function writeBulk(db: Db, items: readonly BulkItem[]): Promise<BulkConflict[]> {
  const conflicts: BulkConflict[] = []
  let pending = items
  for (let attempt = 1; pending.length > 0; attempt += 1) {
    const sent = await send(db, pending, { isLast: attempt >= db.patience.attempts })
    conflicts.push(...sent.conflicts)
    pending = sent.again
    if (pending.length > 0) await sleep(pauseMs(db.patience, attempt))
  }
  return conflicts
}

async function send(
  db: Db,
  items: readonly BulkItem[],
  { isLast }: { isLast: boolean },
): Promise<Sent> {
  const sent = await sendOnce(db, items).catch((cause: unknown): Sent => {
    if (isLast || !isUnavailable(cause)) throw cause
    return { conflicts: [], again: [...items] }
  })
  if (isLast && sent.again.length > 0) {
    throw new Problem(
      'store_unavailable',
      `Elasticsearch still refuses ${sent.again.length} items after ${db.patience.attempts} tries: ${sent.reason}`,
    )
  }
  return sent
}

async function sendOnce(db: Db, items: readonly BulkItem[]): Promise<Sent> {
  const answer = await db.client.bulk(
    {
      operations: items.flatMap(({ action, document }) =>
        document === undefined ? [action] : [action, document],
      ),
      _source: false,
      filter_path: 'errors,items.*.status,items.*.error,items.*._id',
    },
    { maxRetries: 0 },
  )
  const sent: Sent = { conflicts: [], again: [] }
  if (!answer.errors) return sent
  for (const [at, entry] of answer.items.entries()) sortOut(entry, items[at] as BulkItem, sent)
  return sent
}

type Entry = Partial<Record<estypes.BulkOperationType, estypes.BulkResponseItem>>

function sortOut(entry: Entry, item: BulkItem, sent: Sent): void {
  const result = Object.values(entry)[0] as estypes.BulkResponseItem
  const { status, error } = result
  // A delete of what is gone already has done its work.
  if (status < 300 || ('delete' in entry && status === 404)) return
  if (status === 409) sent.conflicts.push({ item, id: result._id ?? '' })
  else if (status === 429 || status === 503 || error?.type === 'cluster_block_exception') {
    sent.again.push(item)
    sent.reason ??= `${error?.type}: ${error?.reason}`
  } else throw new BulkItemError(item.action, `${status} ${error?.type}: ${error?.reason}`)
}
