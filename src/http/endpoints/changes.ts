import Type from 'typebox'
import { OPERATIONS } from '../../domain/change.ts'
import { Pharmacy } from '../../domain/pharmacy.ts'
import type { Scope } from '../../domain/scope.ts'
import { TerritoryCode } from '../../domain/territory.ts'
import { type ChangePage, listChanges } from '../../store/changes.ts'
import { pinOf, type RegistryState } from '../../store/state.ts'
import { permittedTerritories } from '../criteria.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { instantParam, integerParam, limitParam, territoriesParam } from '../params.ts'
import { NoPath } from '../response-parts.ts'

const Query = Type.Object({
  since: instantParam('Only changes committed at or after this instant (changed_at, inclusive).'),
  territories: Type.Optional(territoriesParam()),
  limit: limitParam({ default: 500, max: 2000 }),
  cursor: Type.Optional(
    integerParam({
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      description:
        'Only changes with a larger id: next_cursor of the page before, or resume_cursor of the last poll; 0 is the beginning.',
    }),
  ),
})
type Query = Type.Static<typeof Query>

const ChangeItem = Type.Object(
  {
    id: Type.Integer({
      minimum: 1,
      description: 'Number of the change, growing over all territories; the cursor of this feed.',
    }),
    run_id: Type.String({ description: 'Identifier of the load run that produced the change.' }),
    territory_code: TerritoryCode,
    operation: Type.Enum([...OPERATIONS], {
      description: 'upsert: the record is now as in payload; delete: it left the official dataset.',
    }),
    external_id: Type.String({
      description: 'Identifier of the pharmacy within its territory; text, leading zeros kept.',
    }),
    payload: Type.Object(Pharmacy.properties, {
      description: 'The pharmacy record; of a delete, the last one known.',
    }),
    changed_at: Type.String({
      format: 'date-time',
      description: 'Instant (ISO 8601 UTC) at which the load that made the change was committed.',
    }),
  },
  { description: 'What a mirror must apply: one record to write or to delete.' },
)

const Response = Type.Object({
  items: Type.Array(ChangeItem, { description: 'By ascending id.' }),
  next_cursor: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The cursor of the next page; null exactly when nothing follows.',
  }),
  resume_cursor: Type.Integer({
    minimum: 0,
    description:
      'Pass it as cursor at the next poll and nothing is missed: the last id of a page that has a next one, else the last id committed over all territories.',
  }),
})

export const changes: Endpoint<typeof NoPath, typeof Query> = {
  name: 'listChanges',
  path: '/v1/farmacias/changes',
  summary: 'Follow technical changes',
  description:
    'The queue of upserts and deletes since an instant, in the order in which they must be applied. Nothing is ever removed from it.',
  pathSchema: NoPath,
  querySchema: Query,
  responseSchema: Response,
  contentType: 'application/json',

  async handle(call) {
    const territories = permittedTerritories(call.principal, call.query.territories)
    const state = await call.store.state()
    const page = await readPage(call, territories, state)
    return { kind: 'json', body: await present(call, page, state) }
  },
}

async function readPage(
  { store, query }: Call<unknown, Query>,
  territories: Scope,
  state: RegistryState,
): Promise<ChangePage> {
  const afterId = query.cursor ?? 0
  const nothing = { items: [], more: false }
  // A caught-up poll, the usual case, costs no search.
  if (afterId >= state.last_change_id) return nothing
  const fromRun = await store.firstRunSince(query.since, pinOf(state))
  if (fromRun === null) return nothing
  return listChanges(store.db, { fromRun, territories, afterId }, pinOf(state), query.limit)
}

async function present(
  { store }: Call<unknown, Query>,
  { items, more }: ChangePage,
  state: RegistryState,
): Promise<Type.Static<typeof Response>> {
  const committedAt = await store.committedAt(items.map(({ run }) => run))
  const lastId = items.at(-1)?.id
  const next = more && lastId !== undefined ? lastId : null
  return {
    items: items.map((change) => ({
      id: change.id,
      run_id: change.run_id,
      territory_code: change.territory_code,
      operation: change.operation,
      external_id: change.external_id,
      payload: change.payload,
      changed_at: instantOfRun(committedAt, change.run),
    })),
    next_cursor: next,
    resume_cursor: next ?? state.last_change_id,
  }
}

function instantOfRun(committedAt: ReadonlyMap<number, string>, run: number): string {
  const instant = committedAt.get(run)
  if (instant === undefined) throw new Error(`no commit record of visible run ${run}`)
  return instant
}
