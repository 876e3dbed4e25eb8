import Type from 'typebox'
import { Pharmacy } from '../../domain/pharmacy.ts'
import { TerritoryCode } from '../../domain/territory.ts'
import { exportAnswer, planExport } from '../dataset-export.ts'
import type { Endpoint } from '../endpoint.ts'
import {
  DatasetPath,
  DatasetQuery,
  EnvelopeFields,
  enveloped,
  envelopeOf,
} from '../export-parts.ts'

const NAME = 'exportJson'

const Response = Type.Object({
  territory_code: TerritoryCode,
  ...EnvelopeFields,
  items: Type.Array(Pharmacy, { description: 'The pharmacy records, by external_id.' }),
})

export const exportJson: Endpoint<typeof DatasetPath, typeof DatasetQuery> = {
  name: NAME,
  path: '/v1/farmacias/export/:territory_code/json',
  tag: 'Exports',
  summary: 'Export a territory as JSON',
  description:
    'The normalised dataset of one territory, one committed state from the first byte to the last, ordered by external_id.',
  pathSchema: DatasetPath,
  querySchema: DatasetQuery,
  responseSchema: Response,
  contentType: 'application/json',

  async handle(call) {
    const plan = await planExport(NAME, call)
    return exportAnswer(call, plan, {
      contentType: 'application/json',
      write(dataset) {
        const envelope = { territory_code: plan.territory, ...envelopeOf(plan, dataset) }
        return enveloped(envelope, { list: 'items', batches: dataset.batches })
      },
    })
  },
}
