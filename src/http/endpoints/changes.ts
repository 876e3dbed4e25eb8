import Type from 'typebox'
import { createByteWriter } from '../../domain/byte-writer.ts'
import { OPERATIONS } from '../../domain/change.ts'
import { Pharmacy } from '../../domain/pharmacy.ts'
import { permits, type Scope } from '../../domain/scope.ts'
import { TerritoryCode } from '../../domain/territory.ts'
import { type ChangePage, listChanges, NO_CHANGES } from '../../store/changes.ts'
import { pinOf, type RegistryState } from '../../store/state.ts'
import { permittedTerritories } from '../criteria.ts'
import type { Answer, Call, Endpoint } from '../endpoint.ts'
import { listBody } from '../list-body.ts'
import { instantParam, integerParam, limitParam, territoriesParam } from '../params.ts'
import { NoPath } from '../response-parts.ts'

/** Shorter than the idle time of common proxies, and than the deadline of an answer. */
const MAX_WAIT_SECONDS = 50

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
  wait: Type.Optional(
    integerParam({
      min: 0,
      max: MAX_WAIT_SECONDS,
      description:
        'When nothing is there, wait up to so many seconds and answer as soon as a commit brings something; not at all when absent.',
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
  tag: 'Changes',
  summary: 'Follow technical changes',
  description:
    'The queue of upserts and deletes since an instant, in the order in which they must be applied. Nothing is ever removed from it. With wait a poll is answered the moment something is there.',
  pathSchema: NoPath,
  querySchema: Query,
  responseSchema: Response,
  contentType: 'application/json',

  async handle(call) {
    const territories = permittedTerritories(call.principal, call.query.territories)
    const { cursor = 0 } = call.query
    const state = await call.store.state(({ last_change_id }) => last_change_id >= cursor)
    return awaitPage(call, territories, state)
  },
}

/** The page at the committed state; while it is empty and there is time, that of the next commit in scope. */
async function awaitPage(
  call: Call<unknown, Query>,
  territories: Scope,
  state: RegistryState,
): Promise<Answer> {
  const deadline = performance.now() + (call.query.wait ?? 0) * 1000
  let at = state
  let page = await readPage(call, territories, at)
  while (page.isEmpty && performance.now() < deadline) {
    const wait = { keyId: call.principal.keyId, withinMs: deadline - performance.now() }
    const next = await call.watch.next(at, { ...wait, signal: call.signal })
    if (!next) break
    // What moved elsewhere is no reason to look into the changes.
    page = hasMoved(territories, at, next)
      ? await readPage(call, territories, next)
      : await present(call, NO_CHANGES, next)
    at = next
  }
  return page.answer
}

function hasMoved(territories: Scope, before: RegistryState, now: RegistryState): boolean {
  return Object.entries(now.territories).some(
    ([code, { last_run }]) =>
      permits(territories, code) && last_run !== before.territories[code]?.last_run,
  )
}

interface Presented {
  answer: Answer
  isEmpty: boolean
}

async function readPage(
  call: Call<unknown, Query>,
  territories: Scope,
  state: RegistryState,
): Promise<Presented> {
  const { store, query } = call
  const afterId = query.cursor ?? 0
  // A caught-up poll, the usual case, costs no search.
  if (afterId >= state.last_change_id) return present(call, NO_CHANGES, state)
  const pin = pinOf(state)
  const fromRun = await store.firstRunSince(query.since, pin)
  if (fromRun === null) return present(call, NO_CHANGES, state)
  const criteria = { fromRun, territories, afterId }
  const asked = { criteria, pin, limit: query.limit, lastId: state.last_change_id }
  return present(call, await listChanges(store.db, asked), state)
}

async function present(
  { store }: Call<unknown, Query>,
  page: ChangePage,
  state: RegistryState,
): Promise<Presented> {
  const committedAt = await store.committedAt(page.runs)
  const next = page.more ? page.lastId : null
  const after = { next_cursor: next, resume_cursor: next ?? state.last_change_id }
  const out = createByteWriter(page.memory)
  const body = listBody(out, [{}, after], () => page.write(out, endings(committedAt)))
  const done = () => page.giveBack(out.memory)
  return {
    answer: { kind: 'text', contentType: 'application/json', body, done },
    isEmpty: page.count === 0,
  }
}

/** What every change of a run ends with: the instant of the commit. */
function endings(committedAt: ReadonlyMap<number, string>): ReadonlyMap<number, Buffer> {
  const ending = (instant: string) => Buffer.from(`,"changed_at":"${instant}"}`)
  return new Map([...committedAt].map(([run, instant]) => [run, ending(instant)]))
}
