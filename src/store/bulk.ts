import { setTimeout as sleep } from 'node:timers/promises'
import type { estypes } from '@elastic/elasticsearch'
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
export class BulkItemError extends Error {
  constructor(item: string, reason: string) {
    super(`Elasticsearch refused ${item}: ${reason}`)
    this.name = 'BulkItemError'
  }
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
    try {
      pending = await writeOnce(db, pending, conflicts)
      if (pending.length === 0) break
      if (attempt >= db.patience.attempts) throw new BulkItemError(`${pending.length} items`, 'still overloaded')
    } catch (cause) {
      if (!isUnavailable(cause) || attempt >= db.patience.attempts) throw cause
    }
    await sleep(pauseMs(db.patience, attempt))
  }
  return conflicts
}

/** Sends the items once; returns those to send again. */
async function writeOnce(
  db: Db,
  items: readonly BulkItem[],
  conflicts: BulkConflict[],
): Promise<BulkItem[]> {
  const lines: string[] = []
  for (const item of items) {
    lines.push(item.action)
    if (item.document !== undefined) lines.push(item.document)
  }
  const answer = await db.client.bulk(
    { operations: lines, _source: false, filter_path: 'errors,items.*.status,items.*.error,items.*._id' },
    { maxRetries: 0 },
  )
  if (!answer.errors) return []
  const again: BulkItem[] = []
  for (const [at, entry] of answer.items.entries()) {
    const result = Object.values(entry)[0] as estypes.BulkResponseItem
    const item = items[at] as BulkItem
    if (result.status < 300 || isDeleteOfMissing(entry, result)) continue
    if (result.status === 409) conflicts.push({ item, id: result._id ?? '' })
    else if (result.status === 429 || result.status === 503) again.push(item)
    else throw new BulkItemError(item.action, `${result.status} ${result.error?.type}: ${result.error?.reason}`)
  }
  return again
}

function isDeleteOfMissing(entry: object, result: estypes.BulkResponseItem): boolean {
  return 'delete' in entry && result.status === 404
}
