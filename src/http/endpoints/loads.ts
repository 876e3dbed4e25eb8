import Type from 'typebox'
import { EVENT_TYPES } from '../../domain/event.ts'
import { REASON_CODES, RUN_STATUSES, WARNING_CODES } from '../../domain/run.ts'
import { TerritoryCode } from '../../domain/territory.ts'
import { publicRun } from '../../store/runs.ts'
import { entityTag } from '../answers.ts'
import { permittedTerritories } from '../criteria.ts'
import { alteredCursor, type Cursor, decodeCursor, encodeCursor, filtersHash } from '../cursor.ts'
import type { Endpoint } from '../endpoint.ts'
import { cursorParam, limitParam, territoriesParam } from '../params.ts'
import { NextCursor, NoPath, nullableInstant } from '../response-parts.ts'

const NAME = 'listLoads'

const Query = Type.Object({
  territories: Type.Optional(territoriesParam()),
  limit: limitParam({ default: 50, max: 500 }),
  cursor: Type.Optional(cursorParam()),
})

const count = (description: string) => Type.Integer({ minimum: 0, description })

const RunItem = Type.Object(
  {
    run_id: Type.String({ description: 'Identifier of the run.' }),
    source_slug: Type.String({ description: 'Slug of the data source.' }),
    territory_code: TerritoryCode,
    status: Type.Enum([...RUN_STATUSES], {
      description:
        'What became of it: only a committed run changed what is served; an unchanged one found no difference.',
    }),
    observed_at: Type.String({
      format: 'date-time',
      description: 'Instant of the snapshot: when its fetch began, or the date it was given.',
    }),
    started_at: Type.String({ format: 'date-time', description: 'When the run began.' }),
    finished_at: nullableInstant('When the run ended; null while it runs.'),
    baseline: Type.Boolean({ description: 'Whether it is the first of its territory.' }),
    renormalised: Type.Boolean({
      description: 'Whether it only applied a changed source definition to the snapshot before.',
    }),
    counts: Type.Object(
      {
        read: count('Records of the source, before filtering.'),
        rejected: count('Records refused.'),
        duplicates: count('Records beyond the first of their identifier.'),
        added: count('Pharmacies that were not there before.'),
        updated: count('Pharmacies whose record changed.'),
        removed: count('Pharmacies that vanished.'),
        unchanged: count('Pharmacies whose record stayed as it was.'),
      },
      { description: 'Numbers of records; of a quarantined run, what it would have done.' },
    ),
    events: Type.Object(
      Object.fromEntries(
        EVENT_TYPES.map((type) => [type, count(`Number of ${type} events.`)]),
      ) as Record<(typeof EVENT_TYPES)[number], ReturnType<typeof count>>,
      { description: 'Numbers of business events by kind.' },
    ),
    reasons: Type.Array(
      Type.Object({
        code: Type.Enum([...REASON_CODES], { description: 'Stable name of the reason.' }),
        detail: Type.String({ description: 'The reason in words.' }),
      }),
      { description: 'Why the run failed or was quarantined; empty otherwise.' },
    ),
    warnings: Type.Array(
      Type.Object({
        code: Type.Enum([...WARNING_CODES], { description: 'Stable name of the warning.' }),
        count: Type.Integer({ minimum: 1, description: 'How often it occurred.' }),
        example: Type.String({ description: 'One occurrence.' }),
        examples: Type.Optional(
          Type.Array(Type.String(), {
            description: 'The first few occurrences, up to five; only where there are several.',
          }),
        ),
      }),
      { description: 'What was odd in the source and did not stop the run.' },
    ),
    error: Type.Union([Type.String(), Type.Null()], {
      description: 'What went wrong, in one sentence; null when nothing did.',
    }),
  },
  { description: 'One attempt to bring a territory up to date.' },
)

const Response = Type.Object({
  items: Type.Array(RunItem, { description: 'The newest run first.' }),
  next_cursor: NextCursor,
})

export const loads: Endpoint<typeof NoPath, typeof Query> = {
  name: NAME,
  path: '/v1/farmacias/loads',
  tag: 'Registry',
  summary: 'List load runs',
  description:
    'The load journal within the scope of the key, newest first: every attempt, also those that found nothing new.',
  pathSchema: NoPath,
  querySchema: Query,
  responseSchema: Response,
  contentType: 'application/json',

  async handle({ query, principal, store }) {
    const cursor = cursorOf(query)
    const territories = permittedTerritories(principal, query.territories)
    const page = await store.runs.list({
      territories,
      limit: query.limit,
      ...(cursor ? { before: Number(cursor.last[0]) } : {}),
    })
    // Whoever learns of a commit here must find it in every answer that follows.
    const committed = page.items.find(({ status }) => status === 'committed')?.run ?? 0
    await store.state(({ committed_run }) => committed_run >= committed)
    const last = page.items.at(-1)
    const body: Type.Static<typeof Response> = {
      items: page.items.map(publicRun),
      next_cursor: page.more && last ? cursorAfter(query, last.run) : null,
    }
    // A poll of the journal costs a 304 while nothing was loaded.
    const tag = { value: entityTag([NAME, query, principal.scope, body]), weak: false }
    return { kind: 'json', body, tag }
  },
}

function cursorOf(query: Type.Static<typeof Query>): Cursor | null {
  if (query.cursor === undefined) return null
  const cursor = decodeCursor(query.cursor, { endpoint: NAME, filtersHash: filtersHash(query) })
  if (!Number.isSafeInteger(cursor.last[0]) || cursor.last.length !== 1) throw alteredCursor()
  return cursor
}

/** The journal is a log by run number; it needs no window and no pinned state. */
function cursorAfter(query: Type.Static<typeof Query>, run: number): string {
  return encodeCursor({
    endpoint: NAME,
    filtersHash: filtersHash(query),
    window: null,
    run,
    last: [run],
  })
}
