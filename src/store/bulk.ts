import { setTimeout as sleep } from 'node:timers/promises'
import type { estypes } from '@elastic/elasticsearch'
import { Problem } from '../domain/problem.ts'
import { type BulkBody, createBulkBody } from './bulk-body.ts'
import { type Db, isUnavailable, pauseMs } from './db.ts'

/** One item of a bulk: its action line and, but for deletes, its document line, as JSON text. */
export interface BulkItem {
  action: string
  document?: string
}

/** How a bulk ended, every item of it written or in conflict. */
export interface Written {
  /** ids of documents that were written since they were read */
  conflicts: string[]
  /** how often something was sent; once when nothing went wrong */
  tries: number
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
  conflicts: string[]
  /** positions of the items to be sent again */
  again: number[]
  /** why the first of `again` was refused */
  reason?: string
}

/** The same for items at hand one by one. */
export function writeItems(db: Db, items: readonly BulkItem[]): Promise<Written> {
  const body = createBulkBody()
  for (const { action, document } of items) {
    body.add(action, document === undefined ? undefined : [document])
  }
  return writeBulk(db, body)
}

/**
 * Writes one bulk and checks every item. 429 and connection faults are retried with back-off, and so are the
 * single items that met them; version conflicts are handed back; anything else is thrown. Document ids are
 * derived from run and record, so that writing an item again is harmless.
 */
export async function writeBulk(db: Db, body: BulkBody): Promise<Written> {
  const conflicts: string[] = []
  let pending = body
  let tries = 0
  while (pending.items > 0) {
    tries += 1
    const sent = await send(db, pending, { isLast: tries >= db.patience.attempts })
    conflicts.push(...sent.conflicts)
    if (sent.again.length === 0) break
    pending = pending.pick(sent.again)
    await sleep(pauseMs(db.patience, tries))
  }
  return { conflicts, tries }
}

async function send(db: Db, body: BulkBody, { isLast }: { isLast: boolean }): Promise<Sent> {
  const sent = await sendOnce(db, body).catch((cause: unknown): Sent => {
    if (isLast || !isUnavailable(cause)) throw cause
    return { conflicts: [], again: Array.from({ length: body.items }, (_, at) => at) }
  })
  if (isLast && sent.again.length > 0) {
    throw new Problem(
      'store_unavailable',
      `Elasticsearch still refuses ${sent.again.length} items after ${db.patience.attempts} tries: ${sent.reason}`,
    )
  }
  return sent
}

type Entry = Partial<Record<estypes.BulkOperationType, estypes.BulkResponseItem>>

async function sendOnce(db: Db, body: BulkBody): Promise<Sent> {
  const answer = await db.client.transport.request<{ errors: boolean; items?: Entry[] }>(
    {
      method: 'POST',
      path: '/_bulk',
      querystring: {
        _source: false,
        filter_path: 'errors,items.*.status,items.*.error',
      },
      bulkBody: body.bytes(),
      meta: { name: 'bulk' },
    },
    { maxRetries: 0 },
  )
  const sent: Sent = { conflicts: [], again: [] }
  if (!answer.errors) return sent
  for (const [at, entry] of (answer.items ?? []).entries()) sortOut(entry, at, body, sent)
  return sent
}

/** The answer does not name it: thousands of names a bulk, of which hardly ever one is asked for, have to be read. */
function idIn(action: string): string {
  const [target] = Object.values(JSON.parse(action) as Record<string, { _id: string }>)
  return target?._id ?? ''
}

function sortOut(entry: Entry, position: number, body: BulkBody, sent: Sent): void {
  const result = Object.values(entry)[0] as estypes.BulkResponseItem
  const { status, error } = result
  // What is gone already, or was written by an attempt whose answer was lost, is as it should be.
  if (
    status < 300 ||
    ('delete' in entry && status === 404) ||
    ('create' in entry && status === 409)
  )
    return
  if (status === 409) sent.conflicts.push(idIn(body.action(position)))
  else if (status === 429 || status === 503 || error?.type === 'cluster_block_exception') {
    sent.again.push(position)
    sent.reason ??= `${error?.type}: ${error?.reason}`
  } else {
    throw new BulkItemError(body.action(position), `${status} ${error?.type}: ${error?.reason}`)
  }
}
