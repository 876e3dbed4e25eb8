import type { estypes } from '@elastic/elasticsearch'
import type { Pharmacy } from '../domain/pharmacy.ts'
import { type Db, patiently, search } from './db.ts'
import type { VersionDocument } from './documents.ts'
import { closePointInTime, openPointInTime, searchPointInTime } from './scan.ts'
import type { Pin } from './state.ts'
import { visibleVersions } from './visible.ts'

/** What a diff needs of every current record; read from doc values, no document is opened. */
export interface PreviousHash {
  external_id: string
  content_hash: string
}

/** A current record with what a compare-and-set of its version needs. */
export interface PreviousVersion {
  id: string
  seqNo: number
  primaryTerm: number
  to_run: number
  record: Pharmacy
}

type Query = NonNullable<estypes.SearchRequest['query']>

const BATCH = 10_000
const KEEP_ALIVE = '2m'

/** Streams (external_id, content_hash) of a territory as visible at the pin, in no particular order. */
export async function* previousHashes(
  db: Db,
  territory: string,
  pin: Pin,
): AsyncGenerator<PreviousHash[]> {
  const query: Query = {
    bool: { filter: [{ term: { territory_code: territory } }, ...visibleVersions(pin)] },
  }
  const id = await openPointInTime(db, 'pharmacies', KEEP_ALIVE)
  const fetch = (after: estypes.SortResults | undefined) => hashBatch(db, { id, query, after })
  let next: Promise<estypes.SearchHit[]> | null = fetch(undefined)
  try {
    while (next !== null) {
      const hits: estypes.SearchHit[] = await next
      // Asked for before the caller works on this one: Elasticsearch and the load are busy at the same time.
      next = hits.length < BATCH ? null : fetch(hits.at(-1)?.sort)
      next?.catch(() => undefined)
      yield hits.map(hashOf)
    }
  } finally {
    await next?.catch(() => undefined)
    await closePointInTime(db, id)
  }
}

async function hashBatch(
  db: Db,
  {
    id,
    query,
    after,
  }: {
    id: string
    query: Query
    after: estypes.SortResults | undefined
  },
): Promise<estypes.SearchHit[]> {
  const answer = await searchPointInTime(db, {
    pit: { id, keep_alive: KEEP_ALIVE },
    size: BATCH,
    // Not even the _id: it lies in the stored fields, whose blocks would be unpacked for it.
    stored_fields: '_none_',
    docvalue_fields: ['external_id', 'content_hash'],
    query,
    sort: ['_shard_doc'],
    ...(after ? { search_after: after } : {}),
  })
  return answer.hits.hits
}

function hashOf(hit: estypes.SearchHit): PreviousHash {
  const fields = hit.fields as Record<keyof PreviousHash, [string]>
  return { external_id: fields.external_id[0], content_hash: fields.content_hash[0] }
}

/** Reads whole current records by id, with their sequence numbers; ids that are not current are absent. */
export async function readPrevious(
  db: Db,
  territory: string,
  pin: Pin,
  ids: readonly string[],
): Promise<Map<string, PreviousVersion>> {
  const found = new Map<string, PreviousVersion>()
  if (ids.length === 0) return found
  const filter = [
    { term: { territory_code: territory } },
    { terms: { external_id: [...ids] } },
    ...visibleVersions(pin),
  ]
  const answer = await patiently(db, () =>
    search<VersionDocument>(db, 'pharmacies', {
      size: ids.length,
      seq_no_primary_term: true,
      query: { bool: { filter } },
    }),
  )
  for (const hit of answer.hits.hits) {
    const document = hit._source as VersionDocument
    found.set(document.external_id, {
      id: hit._id as string,
      seqNo: hit._seq_no as number,
      primaryTerm: hit._primary_term as number,
      to_run: document.to_run,
      record: recordOf(document),
    })
  }
  return found
}

/** The 18 published fields of a version document. */
export function recordOf(document: VersionDocument): Pharmacy {
  const {
    from_run: _from,
    to_run: _to,
    content_hash: _hash,
    location: _location,
    city_keys: _city,
    province_keys: _province,
    search_tokens: _tokens,
    ...record
  } = document
  return record
}
