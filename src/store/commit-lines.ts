import type { BusinessEvent } from '../domain/event.ts'
import type { BulkBody } from './bulk-body.ts'
import type { Db } from './db.ts'
import { eventDocument, OPEN_RUN } from './documents.ts'
import type { Modification } from './modification.ts'
import type { PreviousVersion } from './previous.ts'

// The lines of a commit's bulks: what each of its documents looks like, and under which id it is written.

/**
 * How a document is written. `create` never replaces one: an attempt that was given up and arrives late changes nothing
 * any more. `index` replaces what this same run wrote before.
 */
export type Writing = 'create' | 'index'

/** Closes the version before, and writes the new one. What is the same for all of a run is put together once. */
export function versionLines(db: Db, { territory, run }: { territory: string; run: number }) {
  const action = actionOf(db, 'pharmacies')
  const middle = `,"from_run":${run},"to_run":${OPEN_RUN},"content_hash":"`
  return (
    body: BulkBody,
    { external_id, previous, current }: Modification,
    writing: Writing = 'create',
  ): void => {
    if (previous) addClosing(db, body, previous, run)
    if (!current) return
    const { record, searchFields, hash } = current
    body.add(action(`${territory}|${external_id}|${run}`, writing), [
      withoutBrace(record),
      searchFields.length > 0 ? `${middle}${hash}",` : `${middle}${hash}"`,
      searchFields,
      '}',
    ])
  }
}

/** The members of a JSON object that goes on. */
function withoutBrace(object: Uint8Array): Uint8Array {
  return object.subarray(0, -1)
}

export function addClosing(
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

export function eventLines(db: Db, run: { run: number; run_id: string; occurred_at: string }) {
  const action = actionOf(db, 'events')
  return (body: BulkBody, event: BusinessEvent, seq: number): void => {
    const document = eventDocument(event, { ...run, seq })
    body.add(action(`${run.run}|${seq}`, 'create'), [JSON.stringify(document)])
  }
}

export function changeLines(
  db: Db,
  { territory, run, runId }: { territory: string; run: number; runId: string },
) {
  const action = actionOf(db, 'changes')
  const middle = JSON.stringify({ run, run_id: runId, territory_code: territory }).slice(1, -1)
  return (
    body: BulkBody,
    { external_id, previous, current }: Modification,
    id: number,
    writing: Writing = 'create',
  ): void => {
    const operation = current ? 'upsert' : 'delete'
    body.add(action(`${run}|${id}`, writing), [
      `{"id":${id},${middle},"operation":"${operation}","external_id":${JSON.stringify(external_id)},"payload":`,
      current ? current.record : JSON.stringify(previous?.record),
      '}',
    ])
  }
}

function actionOf(
  db: Db,
  index: 'pharmacies' | 'events' | 'changes',
): (id: string, writing: Writing) => string {
  const where = `":{"_index":${JSON.stringify(db.alias(index))},"_id":`
  return (id, writing) => `{"${writing}${where}${JSON.stringify(id)}}}`
}
