import Type from 'typebox'
import { CSV_CONTENT_TYPE, csvChunks } from '../csv.ts'
import { compactDate, openExport, planExport } from '../dataset-export.ts'
import type { Endpoint } from '../endpoint.ts'
import { booleanParam, instantParam, territoryPathParam } from '../params.ts'

const NAME = 'exportCsv'

const Path = Type.Object({ territory_code: territoryPathParam() })

const Query = Type.Object({
  active_only: booleanParam(false, 'Only pharmacies that the source marks active.'),
  as_of: Type.Optional(
    instantParam('The dataset as observed at this instant; the current one when absent.'),
  ),
  spreadsheet: booleanParam(
    false,
    'For opening in a spreadsheet: adds a byte order mark, and an apostrophe before text that would run as a formula.',
  ),
})

export const exportCsv: Endpoint<typeof Path, typeof Query> = {
  name: NAME,
  path: '/v1/farmacias/export/:territory_code/csv',
  summary: 'Export a territory as CSV',
  description:
    'The normalised dataset of one territory, one committed state from the first byte to the last, ordered by external_id. The header X-Changes-Cursor is where to go on in the changes.',
  pathSchema: Path,
  querySchema: Query,
  responseSchema: Type.String({
    description:
      'RFC 4180 text: CRLF, the column names first; null is empty, booleans are true or false.',
  }),
  contentType: 'text/csv',

  async handle(call) {
    const plan = await planExport(NAME, call)
    const filename = `service_${plan.territory}_${compactDate(call.now)}.csv`
    return {
      kind: 'stream',
      contentType: CSV_CONTENT_TYPE,
      tag: plan.tag,
      headers: {
        'Content-Disposition': `attachment; filename="${filename}"`,
        'X-Changes-Cursor': String(plan.changesCursor),
      },
      async *open() {
        const { batches } = await openExport(call, plan)
        yield* csvChunks(batches, { spreadsheet: call.query.spreadsheet })
      },
    }
  },
}
