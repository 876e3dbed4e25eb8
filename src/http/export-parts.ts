import Type from 'typebox'
import { type ByteWriter, createByteWriter } from '../domain/byte-writer.ts'
import type { RecordJson } from '../store/pharmacies.ts'
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

/** A JSON object whose last member is a list of records, one chunk per batch of them. */
export async function* enveloped(
  envelope: object,
  {
    list,
    batches,
    write = copyRecord,
  }: {
    list: string
    batches: AsyncIterable<readonly RecordJson[]>
    write?: (out: ByteWriter, record: RecordJson) => void
  },
): AsyncGenerator<Uint8Array> {
  let before = `${JSON.stringify(envelope).slice(0, -1)},"${list}":[`
  for await (const records of batches) {
    if (records.length === 0) continue
    const out = createByteWriter(roomFor(records))
    out.write(before)
    writeList(out, records, write)
    yield out.bytes()
    before = ','
  }
  yield Buffer.from(before === ',' ? ']}' : `${before}]}`)
}

export function copyRecord(out: ByteWriter, record: RecordJson): void {
  out.write(record)
}

/** Besides its own bytes: what stands between two records, and what one more member or two need. */
const ROOM_BETWEEN = 160

/** About what a batch of records needs as text. */
export function roomFor(records: readonly RecordJson[]): number {
  return records.reduce((sum, { length }) => sum + length + ROOM_BETWEEN, ROOM_BETWEEN)
}
