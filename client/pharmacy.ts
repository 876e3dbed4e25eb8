import type { operations } from './api-types.ts'

type Answers<Name extends keyof operations> = operations[Name] extends {
  responses: { 200: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never

export type Change = Answers<'listChanges'>['items'][number]
export type Pharmacy = Change['payload']

/** The 18 fields of a record, in the order of the CSV export, which is also that of the digest. */
export const COLUMNS = [
  'external_id',
  'name',
  'address_line',
  'postal_code',
  'city',
  'province',
  'territory_code',
  'latitude',
  'longitude',
  'coordinate_source',
  'owner_name',
  'cnn_code',
  'source_slug',
  'official_source_name',
  'official_source_url',
  'official_last_modified_at',
  'observed_at',
  'is_active',
] as const satisfies readonly (keyof Pharmacy)[]
