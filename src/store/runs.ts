import { errors, type estypes } from '@elastic/elasticsearch'
import type { SourceDefinition } from '../domain/definition.ts'
import { LoadFailure } from '../domain/problem.ts'
import { noEvents, type Run } from '../domain/run.ts'
import type { Scope } from '../domain/scope.ts'
import { type Db, patiently, search, unavailableAsProblem } from './db.ts'

/** What it takes to apply a snapshot again: the archived bytes and the definition that read them. */
export interface RawSnapshot {
  sha256: string
  bytes: number
  http_etag: string | null
  http_last_modified: string | null
  download_key: string | null
  dataset_modified_at: string | null
  definition: SourceDefinition
}

/** One attempt in the journal. `run` is the number of its latest attempt; `committed_at` only counts once the state document reached that number. */
export interface RunDocument extends Run {
  run: number
  committed_at: string | null
  last_change_id: number | null
  last_seq: number | null
  raw: RawSnapshot | null
}

/**
 * Writes an entry as the holder of run number `writer`. The number is the entry's version, so that a writer which
 * wakes up after its lease has passed on cannot put its word over that of a later one.
 */
export async function writeRun(db: Db, run: RunDocument, writer: number): Promise<void> {
  try {
    await patiently(db, () =>
      db.client.index({
        index: db.alias('runs'),
        id: run.run_id,
        document: run,
        version: writer,
        version_type: 'external_gte',
        require_alias: true,
        refresh: true,
      }),
    )
  } catch (cause) {
    if (!(cause instanceof errors.ResponseError) || cause.statusCode !== 409) throw cause
    throw new LoadFailure(
      'lease_lost',
      `A run newer than ${writer} has settled ${run.run_id}.`,
      cause,
    )
  }
}

export async function getRun(db: Db, runId: string): Promise<RunDocument | null> {
  try {
    const found = await unavailableAsProblem(
      db.client.get<RunDocument>({ index: db.alias('runs'), id: runId }),
    )
    return found._source as RunDocument
  } catch (cause) {
    if (cause instanceof errors.ResponseError && cause.statusCode === 404) return null
    throw cause
  }
}

/** The journal, newest first; `before` is the run number to continue below. */
export async function listRuns(
  db: Db,
  criteria: { territories: Scope; limit: number; before?: number; status?: string },
): Promise<{ items: RunDocument[]; more: boolean }> {
  const filter: estypes.QueryDslQueryContainer[] = []
  if (criteria.territories !== 'all') {
    filter.push({ terms: { territory_code: [...criteria.territories] } })
  }
  if (criteria.before !== undefined) filter.push({ range: { run: { lt: criteria.before } } })
  if (criteria.status) filter.push({ term: { status: criteria.status } })
  const answer = await search<RunDocument>(db, 'runs', {
    size: criteria.limit + 1,
    query: { bool: { filter } },
    sort: [{ run: 'desc' }],
  })
  const items = answer.hits.hits.map((hit) => hit._source as RunDocument)
  return { items: items.slice(0, criteria.limit), more: items.length > criteria.limit }
}

/** The run object of interface.md: the journal entry without what only the loader needs. */
export function publicRun(document: RunDocument): Run {
  const {
    run: _run,
    committed_at: _at,
    last_change_id: _id,
    last_seq: _seq,
    raw: _raw,
    ...run
  } = document
  // An entry of before an event type was added does not count it: none of it was found.
  return { ...run, events: { ...noEvents(), ...run.events } }
}
