import type { ByteWriter } from '../../domain/byte-writer.ts'
import { Pharmacy } from '../../domain/pharmacy.ts'
import type { RecordJson } from '../../store/dataset.ts'
import { exportAnswer, planExport } from '../dataset-export.ts'
import type { Endpoint } from '../endpoint.ts'
import { copySpan, DatasetPath, DatasetQuery, exportHeaders, writtenOf } from '../export-parts.ts'

const NAME = 'exportNdjson'

export const exportNdjson: Endpoint<typeof DatasetPath, typeof DatasetQuery> = {
  name: NAME,
  path: '/v1/farmacias/export/:territory_code/ndjson',
  tag: 'Exports',
  summary: 'Export a territory as NDJSON',
  description:
    'The normalised dataset of one territory, one JSON record a line and nothing around them, for reading line by line whatever its size. One committed state from the first byte to the last, ordered by external_id. The header X-Changes-Cursor is where to go on in the changes.',
  headers: ['Content-Disposition', 'X-Changes-Cursor'],
  pathSchema: DatasetPath,
  querySchema: DatasetQuery,
  responseSchema: Pharmacy,
  contentType: 'application/x-ndjson',

  async handle(call) {
    const plan = await planExport(NAME, call)
    return exportAnswer(call, plan, {
      contentType: 'application/x-ndjson',
      headers: exportHeaders(plan, { now: call.now, extension: 'ndjson' }),
      write: ({ batches }) => writtenOf(batches, writeLines),
    })
  },
}

function writeLines(out: ByteWriter, records: readonly RecordJson[]): void {
  for (const record of records) {
    copySpan(out, record)
    out.write('\n')
  }
}
