import Type from 'typebox'
import { CSV_CONTENT_TYPE, csvChunks } from '../csv.ts'
import { exportAnswer, planExport } from '../dataset-export.ts'
import type { Endpoint } from '../endpoint.ts'
import { DatasetPath, DatasetQuery, exportHeaders } from '../export-parts.ts'
import { booleanParam } from '../params.ts'

const NAME = 'exportCsv'

const Query = Type.Object({
  ...DatasetQuery.properties,
  spreadsheet: booleanParam(
    false,
    'For opening in a spreadsheet: adds a byte order mark, and an apostrophe before text that would run as a formula.',
  ),
})

export const exportCsv: Endpoint<typeof DatasetPath, typeof Query> = {
  name: NAME,
  path: '/v1/farmacias/export/:territory_code/csv',
  tag: 'Exports',
  summary: 'Export a territory as CSV',
  description:
    'The normalised dataset of one territory, one committed state from the first byte to the last, ordered by external_id. The header X-Changes-Cursor is where to go on in the changes.',
  headers: ['Content-Disposition', 'X-Changes-Cursor'],
  pathSchema: DatasetPath,
  querySchema: Query,
  responseSchema: Type.String({
    description:
      'RFC 4180 text: CRLF, the column names first; null is empty, booleans are true or false.',
  }),
  contentType: 'text/csv',

  async handle(call) {
    const plan = await planExport(NAME, call)
    return exportAnswer(call, plan, {
      contentType: CSV_CONTENT_TYPE,
      headers: exportHeaders(plan, { now: call.now, extension: 'csv' }),
      write: ({ batches }) => csvChunks(batches, { spreadsheet: call.query.spreadsheet }),
    })
  },
}
