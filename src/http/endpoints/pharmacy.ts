import Type from 'typebox'
import { Pharmacy } from '../../domain/pharmacy.ts'
import { Problem } from '../../domain/problem.ts'
import { permits } from '../../domain/scope.ts'
import { TerritoryCode } from '../../domain/territory.ts'
import { eventsOfPharmacy } from '../../store/events.ts'
import { type PharmacyVersion, versionsOfPharmacy } from '../../store/pharmacies.ts'
import { type Pin, pinOf } from '../../store/state.ts'
import { beforeBaseline, refuseFuture } from '../dataset-export.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { externalIdPathParam, instantParam, territoryPathParam } from '../params.ts'
import { EventItem, presentEvent } from '../present-event.ts'
import { nullableInstant } from '../response-parts.ts'

const Path = Type.Object({
  territory_code: territoryPathParam(),
  external_id: externalIdPathParam(),
})
type Path = Type.Static<typeof Path>

const Query = Type.Object({
  as_of: Type.Optional(
    instantParam('What was known as observed at this instant; everything when absent.'),
  ),
})
type Query = Type.Static<typeof Query>

const VersionItem = Type.Object(
  {
    committed_at: Type.String({
      format: 'date-time',
      description: 'Instant (ISO 8601 UTC) at which this content became the served one.',
    }),
    ended_at: nullableInstant(
      'Instant at which it ceased to be served: another content followed, or the pharmacy vanished; null while it is served.',
    ),
    record: Pharmacy,
  },
  { description: 'One content of the record and the span in which it was served.' },
)

const Response = Type.Object({
  territory_code: TerritoryCode,
  external_id: Type.String({
    description: 'Identifier of the pharmacy within its territory; text, leading zeros kept.',
  }),
  record: Type.Union([Pharmacy, Type.Null()], {
    description:
      'The current record, or that at as_of; null when it is not in the official dataset.',
  }),
  events: Type.Array(EventItem, {
    description: 'Its business events through every life of the identifier, newest first.',
  }),
  versions: Type.Array(VersionItem, {
    description: 'Every content of its record through every life of the identifier, newest first.',
  }),
})

export const pharmacy: Endpoint<typeof Path, typeof Query> = {
  name: 'showPharmacy',
  path: '/v1/farmacias/pharmacies/:territory_code/:external_id',
  tag: 'Pharmacies',
  summary: 'Show one pharmacy with its history',
  description:
    'The current record of one pharmacy, its events and all versions of its record, closed ones and earlier lives of the identifier included.',
  pathSchema: Path,
  querySchema: Query,
  responseSchema: Response,
  contentType: 'application/json',

  async handle(call) {
    const { territory_code: territory, external_id: externalId } = call.path
    refuseFuture(call.query.as_of, call.now)
    if (!permits(call.principal.scope, territory)) {
      throw new Problem('forbidden_territory', `The API key does not permit ${territory}.`)
    }
    const pin = await pinAt(call)
    const asked = { territory, externalId }
    const [versions, events] = await Promise.all([
      versionsOfPharmacy(call.store.db, asked, pin, call.signal),
      eventsOfPharmacy(call.store.db, asked, pin, call.signal),
    ])
    if (versions.length === 0) throw unknownPharmacy(territory)
    const body: Type.Static<typeof Response> = {
      territory_code: territory,
      external_id: externalId,
      record: versions.find(({ toRun }) => toRun === null)?.record ?? null,
      events: events.map(presentEvent),
      versions: await presentVersions(call, versions),
    }
    return { kind: 'json', body }
  },
}

async function pinAt({ store, path, query }: Call<Path, Query>): Promise<Pin> {
  const state = await store.state()
  const pin = pinOf(state)
  if (!state.territories[path.territory_code]) throw unknownPharmacy(path.territory_code)
  if (query.as_of === undefined) return pin
  const run = await store.runAsOf(path.territory_code, query.as_of, pin)
  if (!run) throw beforeBaseline(path.territory_code, query.as_of)
  return { run: run.run, abandoned: pin.abandoned }
}

function unknownPharmacy(territory: string): Problem {
  return new Problem('not_found', `No pharmacy of ${territory} has this external_id.`)
}

async function presentVersions(
  { store }: Call<Path, Query>,
  versions: readonly PharmacyVersion[],
): Promise<Type.Static<typeof VersionItem>[]> {
  const runs = versions.flatMap(({ fromRun, toRun }) =>
    toRun === null ? [fromRun] : [fromRun, toRun],
  )
  const committedAt = await store.committedAt(runs)
  const instantOfRun = (run: number): string => {
    const instant = committedAt.get(run)
    if (!instant) throw new Error(`no commit record of visible run ${run}`)
    return instant
  }
  return versions.map(({ record, fromRun, toRun }) => ({
    committed_at: instantOfRun(fromRun),
    ended_at: toRun === null ? null : instantOfRun(toRun),
    record,
  }))
}
