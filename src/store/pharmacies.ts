import type { estypes } from '@elastic/elasticsearch'
import type { Pharmacy } from '../domain/pharmacy.ts'
import { type Db, search } from './db.ts'
import { OPEN_RUN, type VersionDocument } from './documents.ts'
import {
  type DatasetCriteria,
  datasetCountQuery,
  datasetPageQuery,
  pharmacyVersionsQuery,
} from './pharmacy-queries.ts'
import type { Pin } from './state.ts'

/** How many records of the territory are true at the pin. */
export async function countDataset(
  db: Db,
  criteria: DatasetCriteria,
  pin: Pin,
  signal?: AbortSignal,
): Promise<number> {
  const answer = await search<unknown>(db, 'pharmacies', datasetCountQuery(criteria, pin), signal)
  return typeof answer.hits.total === 'object' ? answer.hits.total.value : 0
}

/** Large enough that a page's fixed cost vanishes, small enough for two pages per export in memory. */
const DATASET_PAGE = 4000

/**
 * The records of a territory at the pin, in pages ordered by external_id. The next page is fetched while the
 * caller works on the current one; no more than that is ever held. When the caller stops reading, so does this.
 */
export async function* walkDataset(
  db: Db,
  criteria: DatasetCriteria,
  pin: Pin,
  signal: AbortSignal,
): AsyncGenerator<readonly Pharmacy[]> {
  const stopped = new AbortController()
  const either = AbortSignal.any([signal, stopped.signal])
  const fetchPage = (after: string | undefined): Promise<Pharmacy[]> =>
    fetchDatasetPage(db, datasetPageQuery(criteria, pin, { size: DATASET_PAGE, after }), either)
  try {
    let records = await fetchPage(undefined)
    while (records.length === DATASET_PAGE) {
      const next = fetchPage(records.at(-1)?.external_id)
      // Awaited after the caller comes back; a failure until then must not count as unhandled.
      next.catch(() => undefined)
      yield records
      records = await next
    }
    yield records
  } finally {
    stopped.abort()
  }
}

async function fetchDatasetPage(
  db: Db,
  body: estypes.SearchRequest,
  signal: AbortSignal,
): Promise<Pharmacy[]> {
  const answer = await search<Pharmacy>(db, 'pharmacies', body, signal)
  return answer.hits.hits.map((hit) => hit._source as Pharmacy)
}

export interface PharmacyVersion {
  record: Pharmacy
  fromRun: number
  /** the run that ended this version; null while it is true at the pin */
  toRun: number | null
}

const HISTORY_PAGE = 1000

/** Every version of one pharmacy up to the pin, newest first, through every life of its id. */
export async function versionsOfPharmacy(
  db: Db,
  pharmacy: { territory: string; externalId: string },
  pin: Pin,
  signal?: AbortSignal,
): Promise<PharmacyVersion[]> {
  const versions: PharmacyVersion[] = []
  let after: number | undefined
  for (;;) {
    const body = pharmacyVersionsQuery(pharmacy, pin, { size: HISTORY_PAGE, after })
    const { hits } = (await search<VersionDocument>(db, 'pharmacies', body, signal)).hits
    versions.push(...hits.map((hit) => versionAt(pin, hit._source as VersionDocument)))
    if (hits.length < HISTORY_PAGE) return versions
    after = versions.at(-1)?.fromRun
  }
}

function versionAt(pin: Pin, document: VersionDocument): PharmacyVersion {
  const { from_run, to_run, ...record } = document
  const isOpen = to_run === OPEN_RUN || to_run > pin.run || pin.abandoned.includes(to_run)
  return { record, fromRun: from_run, toRun: isOpen ? null : to_run }
}
