import Type from 'typebox'
import { TerritoryCode } from '../../domain/territory.ts'
import type { TerritoryState } from '../../store/state.ts'
import { entityTag } from '../answers.ts'
import type { Endpoint } from '../endpoint.ts'
import { NoPath, nullableInstant } from '../response-parts.ts'

const NAME = 'listTerritories'

const NoQuery = Type.Object({})

const TerritoryItem = Type.Object(
  {
    territory_code: TerritoryCode,
    loaded: Type.Boolean({
      description: 'Whether a snapshot of the territory was ever committed.',
    }),
    baseline_incremental_start_at: nullableInstant(
      'Instant of its first snapshot, from which events exist; null until it is loaded.',
    ),
    last_checked_at: nullableInstant(
      'When a load last looked at the source, also without finding a difference; null until loaded.',
    ),
    last_changed_at: nullableInstant(
      'When a load last changed something; null until it is loaded.',
    ),
    active: Type.Integer({ minimum: 0, description: 'Current pharmacies marked active.' }),
    inactive: Type.Integer({ minimum: 0, description: 'Current pharmacies marked inactive.' }),
    source_slug: Type.Union([Type.String(), Type.Null()], {
      description: 'Slug of its data source; null until it is loaded.',
    }),
  },
  { description: 'One territory.' },
)
type TerritoryItem = Type.Static<typeof TerritoryItem>

const Response = Type.Object({
  items: Type.Array(TerritoryItem, {
    description:
      'By territory code: the loaded territories the key may see, and those of its scope not loaded yet.',
  }),
})

export const territories: Endpoint<typeof NoPath, typeof NoQuery> = {
  name: NAME,
  path: '/v1/farmacias/territories',
  tag: 'Registry',
  summary: 'List territories',
  description: 'What the key may see, how fresh it is and how large.',
  pathSchema: NoPath,
  querySchema: NoQuery,
  responseSchema: Response,
  contentType: 'application/json',

  async handle({ principal, store }) {
    const state = await store.state()
    const codes = principal.scope === 'all' ? Object.keys(state.territories) : principal.scope
    const items = [...codes].sort().map((code) => present(code, state.territories[code]))
    const body: Type.Static<typeof Response> = { items }
    const tag = { value: entityTag([NAME, principal.scope, body]), weak: false }
    return { kind: 'json', body, tag }
  },
}

function present(code: string, territory: TerritoryState | undefined): TerritoryItem {
  return {
    territory_code: code,
    loaded: territory !== undefined,
    baseline_incremental_start_at: territory?.baseline_at ?? null,
    last_checked_at: territory?.last_checked_at ?? null,
    last_changed_at: territory?.last_changed_at ?? null,
    active: territory?.active ?? 0,
    inactive: territory?.inactive ?? 0,
    source_slug: territory?.source_slug ?? null,
  }
}
