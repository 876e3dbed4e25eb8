import type { estypes } from '@elastic/elasticsearch'
import type { Pharmacy } from '../domain/pharmacy.ts'
import { type Db, search } from './db.ts'
import type { VersionDocument } from './documents.ts'
import { closePointInTime } from './scan.ts'
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

const BATCH = 10_000
const SLICES = 2
const KEEP_ALIVE = '2m'

/** Streams (external_id, content_hash) of a territory as visible at the pin, in no particular order. */
export async function* previousHashes(
  db: Db,
  territory: string,
  pin: Pin,
): AsyncGenerator<PreviousHash[]> {
  const { id } = await db.client.openPointInTime({
    index: db.alias('pharmacies'),
    keep_alive: KEEP_ALIVE,
    allow_partial_search_results: false,
  })
  let pit = id
  try {
    for (let slice = 0; slice < SLICES; slice += 1) {
      let after: estypes.SortResults | undefined
      for (;;) {
        const answer = await searchSlice(db, { pit, slice, territory, pin, after })
        pit = answer.pit_id ?? pit
        const hits = answer.hits.hits
        if (hits.length > 0) yield hits.map(hashOf)
        if (hits.length < BATCH) break
        after = hits.at(-1)?.sort
      }
    }
  } finally {
    await closePointInTime(db, pit)
  }
}

function searchSlice(
  db: Db,
  { pit, slice, territory, pin, after }: {
    pit: string
    slice: number
    territory: string
    pin: Pin
    after: estypes.SortResults | undefined
  },
) {
  return db.client.search({
    pit: { id: pit, keep_alive: KEEP_ALIVE },
    slice: { id: String(slice), max: SLICES },
    size: BATCH,
    _source: false,
    docvalue_fields: ['external_id', 'content_hash'],
    query: { bool: { filter: [{ term: { territory_code: territory } }, ...visibleVersions(pin)] } },
    sort: ['_shard_doc'],
    track_total_hits: false,
    ...(after ? { search_after: after } : {}),
  })
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
  const answer = await search<VersionDocument>(db, 'pharmacies', {
    size: ids.length,
    seq_no_primary_term: true,
    query: {
      bool: {
        filter: [
          { term: { territory_code: territory } },
          { terms: { external_id: [...ids] } },
          ...visibleVersions(pin),
        ],
      },
    },
  })
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
    ...record
  } = document
  return record
}
