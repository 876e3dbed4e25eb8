import Type from 'typebox'
import { TerritoryCode } from '../../domain/territory.ts'
import { datasetDigest } from '../dataset-digest.ts'
import { planExport } from '../dataset-export.ts'
import type { Endpoint } from '../endpoint.ts'
import { asOfParam, DatasetPath, EnvelopeFields } from '../export-parts.ts'

const NAME = 'showTerritoryDigest'

const Query = Type.Object({ as_of: asOfParam() })

const Response = Type.Object({
  territory_code: TerritoryCode,
  ...EnvelopeFields,
  digest: Type.String({
    pattern: '^[0-9a-f]{32}$',
    description:
      'Digest of the records in any order, 32 hexadecimal digits: the sum modulo 2^128 of the first 16 bytes (big-endian) of the SHA-256 of each record, written as a JSON array of its 18 fields in CSV column order, without blanks, coordinates as whole millionths of a degree.',
  }),
})

export const territoryDigest: Endpoint<typeof DatasetPath, typeof Query> = {
  name: NAME,
  path: '/v1/farmacias/territories/:territory_code/digest',
  tag: 'Changes',
  summary: 'Compare a copy of a territory',
  description:
    'Number and digest of the records of one territory, so that whoever keeps a copy can prove it right without downloading it again: apply the changes up to changes_cursor and no further, then compare.',
  pathSchema: DatasetPath,
  querySchema: Query,
  responseSchema: Response,
  contentType: 'application/json',

  async handle(call) {
    const plan = await planExport(NAME, {
      ...call,
      query: { ...call.query, active_only: false },
    })
    const body: Type.Static<typeof Response> = {
      territory_code: plan.territory,
      generated_at: plan.generatedAt,
      changes_cursor: plan.changesCursor,
      ...(await datasetDigest(call.store.db, plan)),
    }
    return { kind: 'json', body, tag: plan.tag }
  },
}
