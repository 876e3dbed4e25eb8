import Type from 'typebox'
import { type ByteWriter, createByteWriter, type Span } from '../domain/byte-writer.ts'
import type { Dataset, RecordJson } from '../store/dataset.ts'
import { compactDate, type ExportPlan } from './dataset-export.ts'
import { writeList } from './list-body.ts'
import { booleanParam, instantParam, territoryPathParam } from './params.ts'

/** What the exports of a dataset share: where they are, what they take, what stands around the records. */
export const DatasetPath = Type.Object({ territory_code: territoryPathParam() })

export const asOfParam = () =>
  Type.Optional(
    instantParam('The dataset as observed at this instant; the current one when absent.'),
  )

export const DatasetQuery = Type.Object({
  active_only: booleanParam(false, 'Only pharmacies that the source marks active.'),
  as_of: asOfParam(),
})

export const EnvelopeFields = {
  generated_at: Type.String({
    format: 'date-time',
    description:
      'Instant (ISO 8601 UTC) of the committed state shown; the same for every export of that state.',
  }),
  count: Type.Integer({ minimum: 0, description: 'Number of records.' }),
  changes_cursor: Type.Integer({
    minimum: 0,
    description:
      'The last change this state includes: pass it as cursor to the changes and nothing is missed.',
  }),
}

/** What stands before the records of an export. */
export function envelopeOf(plan: ExportPlan, { count }: Dataset) {
  return { generated_at: plan.generatedAt, count, changes_cursor: plan.changesCursor }
}

/** The name under which an export is saved, and where to go on in the changes. */
export function exportHeaders(
  plan: ExportPlan,
  { now, extension }: { now: string; extension: string },
): Record<string, string> {
  const filename = `service_${plan.territory}_${compactDate(now)}.${extension}`
  return {
    'Content-Disposition': `attachment; filename="${filename}"`,
    'X-Changes-Cursor': String(plan.changesCursor),
  }
}

/** Enough for one write to the disk to be worth it. */
const CHUNK_BYTES = 1 << 19

/** Writes something of every batch. */
export type WriteBatch = (out: ByteWriter, records: readonly RecordJson[]) => void

/**
 * The bytes that are written of batch after batch, between a head and a tail. The memory of a chunk is used again: it must
 * have been passed on when the next is asked for.
 */
export async function* writtenOf(
  batches: AsyncIterable<readonly RecordJson[]>,
  write: WriteBatch,
  { head = '', tail = '' }: { head?: string; tail?: string } = {},
): AsyncGenerator<Uint8Array> {
  const out = createByteWriter(CHUNK_BYTES * 2)
  out.write(head)
  for await (const records of batches) {
    if (records.length > 0) write(out, records)
    if (out.length < CHUNK_BYTES) continue
    yield out.bytes()
    out.clear()
  }
  out.write(tail)
  if (out.length > 0) yield out.bytes()
}

/** A JSON object whose last member is a list of records. */
export function enveloped(
  envelope: object,
  {
    list,
    batches,
    write = copySpan,
  }: {
    list: string
    batches: AsyncIterable<readonly RecordJson[]>
    write?: (out: ByteWriter, record: RecordJson) => void
  },
): AsyncGenerator<Uint8Array> {
  let before = ''
  const writeBatch: WriteBatch = (out, records) => {
    out.write(before)
    writeList(out, records, write)
    before = ','
  }
  const head = `${JSON.stringify(envelope).slice(0, -1)},"${list}":[`
  return writtenOf(batches, writeBatch, { head, tail: ']}' })
}

export function copySpan(out: ByteWriter, { bytes, start, end }: Span): void {
  out.copy(bytes, start, end)
}
