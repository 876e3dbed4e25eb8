import { errors, type estypes } from '@elastic/elasticsearch'
import { LoadFailure } from '../domain/problem.ts'
import { complete, type Db, type IndexName, patiently } from './db.ts'

const BATCH = 5_000
const KEEP_ALIVE = '2m'

/**
 * Streams every document that matches, in the order of `sort`, from one point in time. For checks and
 * maintenance; the API walks without leaving anything open in Elasticsearch.
 */
export async function* scan<Doc>(
  db: Db,
  index: IndexName,
  query: { filter: estypes.QueryDslQueryContainer[]; sort: estypes.Sort },
): AsyncGenerator<Doc> {
  let pit = await openPointInTime(db, index, KEEP_ALIVE)
  let after: estypes.SortResults | undefined
  try {
    for (;;) {
      const answer = await searchPointInTime<Doc>(db, {
        pit: { id: pit, keep_alive: KEEP_ALIVE },
        size: BATCH,
        query: { bool: { filter: query.filter } },
        sort: query.sort,
        ...(after ? { search_after: after } : {}),
      })
      pit = answer.pit_id ?? pit
      for (const hit of answer.hits.hits) yield hit._source as Doc
      if (answer.hits.hits.length < BATCH) return
      after = answer.hits.hits.at(-1)?.sort
    }
  } finally {
    await closePointInTime(db, pit)
  }
}

export async function openPointInTime(
  db: Db,
  index: IndexName,
  keepAlive: string,
): Promise<string> {
  const opened = await patiently(db, () =>
    db.client.openPointInTime({
      index: db.alias(index),
      keep_alive: keepAlive,
      allow_partial_search_results: false,
    }),
  )
  return opened.id
}

/** One search of a point in time: all of it, or a fault that passes by itself. */
export async function searchPointInTime<Doc>(
  db: Db,
  body: estypes.SearchRequest,
): Promise<estypes.SearchResponse<Doc>> {
  try {
    // Not a matter of opening only: a shard that is lost later would just be left out.
    return await patiently(db, async () =>
      complete(
        await db.client.search<Doc>({
          allow_partial_search_results: false,
          track_total_hits: false,
          ...body,
        }),
      ),
    )
  } catch (cause) {
    if (!(cause instanceof errors.ResponseError) || cause.statusCode !== 404) throw cause
    const detail = 'Elasticsearch has lost the point in time that was being read; start again.'
    throw new LoadFailure('store_unavailable', detail, cause)
  }
}

/** A point in time that is gone already is closed enough; it would end by itself. */
export async function closePointInTime(db: Db, id: string): Promise<void> {
  try {
    await db.client.closePointInTime({ id })
  } catch (cause) {
    if (!(cause instanceof errors.ElasticsearchClientError)) throw cause
  }
}

/** Every distinct run number in an index, with how many documents carry it. */
export async function countByRun(
  db: Db,
  index: 'events' | 'changes' | 'pharmacies',
  field: 'run' | 'from_run' | 'to_run',
): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  let after: estypes.AggregationsCompositeAggregateKey | undefined
  for (;;) {
    const answer = await db.client.search<
      unknown,
      { runs: estypes.AggregationsCompositeAggregate }
    >({
      index: db.alias(index),
      size: 0,
      allow_partial_search_results: false,
      aggs: {
        runs: {
          composite: {
            size: 1000,
            sources: [{ run: { terms: { field } } }],
            ...(after ? { after } : {}),
          },
        },
      },
    })
    const buckets = answer.aggregations?.runs.buckets as estypes.AggregationsCompositeBucket[]
    for (const bucket of buckets) counts.set(Number(bucket.key.run), bucket.doc_count)
    after = answer.aggregations?.runs.after_key
    if (!after) return counts
  }
}
