import type { Pharmacy } from '../domain/pharmacy.ts'
import { type Db, search } from './db.ts'
import { OPEN_RUN, type VersionDocument } from './documents.ts'
import {
  pharmacyVersionsQuery,
  type SearchCriteria,
  type SearchPosition,
  searchPageQuery,
} from './pharmacy-queries.ts'
import type { Pin } from './state.ts'
import { isVisible } from './visible.ts'

/** The record of a version, in column order; written out because this runs once per exported record. */
function recordOf(version: VersionDocument): Pharmacy {
  return {
    external_id: version.external_id,
    name: version.name,
    address_line: version.address_line,
    postal_code: version.postal_code,
    city: version.city,
    province: version.province,
    territory_code: version.territory_code,
    latitude: version.latitude,
    longitude: version.longitude,
    coordinate_source: version.coordinate_source,
    owner_name: version.owner_name,
    cnn_code: version.cnn_code,
    source_slug: version.source_slug,
    official_source_name: version.official_source_name,
    official_source_url: version.official_source_url,
    official_last_modified_at: version.official_last_modified_at,
    observed_at: version.observed_at,
    is_active: version.is_active,
  }
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
  const { from_run: fromRun, to_run: toRun } = document
  const isOpen = toRun === OPEN_RUN || !isVisible(toRun, pin)
  return { record: recordOf(document), fromRun, toRun: isOpen ? null : toRun }
}

export interface FoundPharmacy {
  record: Pharmacy
  /** from the point asked for; null when none was */
  distanceMeters: number | null
}

export interface SearchPage {
  items: FoundPharmacy[]
  /** where the next page starts; null exactly when nothing follows */
  next: SearchPosition | null
}

/** One page of the records that match, nearest first around a point, else by territory and external_id. */
export async function searchPharmacies(
  db: Db,
  criteria: SearchCriteria,
  page: { limit: number; after?: SearchPosition | undefined },
  signal?: AbortSignal,
): Promise<SearchPage> {
  const body = searchPageQuery(criteria, page)
  const { hits } = (await search<VersionDocument>(db, 'pharmacies', body, signal)).hits
  const shown = hits.slice(0, page.limit)
  return {
    items: shown.map((hit) => ({
      record: recordOf(hit._source as VersionDocument),
      distanceMeters: criteria.near ? Number(hit.sort?.[0]) : null,
    })),
    next: hits.length > page.limit ? (shown.at(-1)?.sort as unknown as SearchPosition) : null,
  }
}
