import Type from 'typebox'
import { Pharmacy } from '../../domain/pharmacy.ts'
import { TerritoryCode } from '../../domain/territory.ts'
import { type ExportPlan, type OpenExport, openExport, planExport } from '../dataset-export.ts'
import type { Endpoint } from '../endpoint.ts'
import { booleanParam, instantParam, territoryPathParam } from '../params.ts'

const NAME = 'exportJson'

const Path = Type.Object({ territory_code: territoryPathParam() })

const Query = Type.Object({
  active_only: booleanParam(false, 'Only pharmacies that the source marks active.'),
  as_of: Type.Optional(
    instantParam('The dataset as observed at this instant; the current one when absent.'),
  ),
})

const Response = Type.Object({
  territory_code: TerritoryCode,
  generated_at: Type.String({
    format: 'date-time',
    description:
      'Instant (ISO 8601 UTC) of the committed state shown; the same for every export of that state.',
  }),
  count: Type.Integer({ minimum: 0, description: 'Number of items.' }),
  changes_cursor: Type.Integer({
    minimum: 0,
    description:
      'The last change this state includes: pass it as cursor to the changes and nothing is missed.',
  }),
  items: Type.Array(Pharmacy, { description: 'The pharmacy records, by external_id.' }),
})

export const exportJson: Endpoint<typeof Path, typeof Query> = {
  name: NAME,
  path: '/v1/farmacias/export/:territory_code/json',
  summary: 'Export a territory as JSON',
  description:
    'The normalised dataset of one territory, one committed state from the first byte to the last, ordered by external_id.',
  pathSchema: Path,
  querySchema: Query,
  responseSchema: Response,
  contentType: 'application/json',

  async handle(call) {
    const plan = await planExport(NAME, call)
    return {
      kind: 'stream',
      contentType: 'application/json',
      tag: plan.tag,
      async *open() {
        yield* jsonChunks(plan, await openExport(call, plan))
      },
    }
  },
}

/** The envelope around the records, one chunk per batch. */
async function* jsonChunks(
  plan: ExportPlan,
  { count, batches }: OpenExport,
): AsyncGenerator<string> {
  const envelope = {
    territory_code: plan.territory,
    generated_at: plan.generatedAt,
    count,
    changes_cursor: plan.changesCursor,
  }
  let before = `${JSON.stringify(envelope).slice(0, -1)},"items":[`
  for await (const records of batches) {
    if (records.length === 0) continue
    yield before + JSON.stringify(records).slice(1, -1)
    before = ','
  }
  yield before === ',' ? ']}' : `${before}]}`
}
