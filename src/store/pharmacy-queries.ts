import type { estypes } from '@elastic/elasticsearch'
import type { Pin } from './state.ts'
import { visibleVersions } from './visible.ts'

/** Which records of one territory are asked for. */
export interface DatasetCriteria {
  territory: string
  activeOnly: boolean
}

/** How many records an export at this pin has. */
export function datasetCountQuery(criteria: DatasetCriteria, pin: Pin): estypes.SearchRequest {
  return { size: 0, track_total_hits: true, query: { bool: { filter: datasetFilters(criteria, pin) } } }
}

/**
 * One page of a territory's records by external_id in code point order (keywords sort by their UTF-8 bytes).
 * Versions never change under a pinned run, so the last id alone continues the walk: nothing stays open in
 * Elasticsearch, however slowly the caller reads.
 */
export function datasetPageQuery(
  criteria: DatasetCriteria,
  pin: Pin,
  page: { size: number; after?: string | undefined },
): estypes.SearchRequest {
  return {
    size: page.size,
    query: { bool: { filter: datasetFilters(criteria, pin) } },
    sort: [{ external_id: 'asc' }],
    // The whole source: Elasticsearch sends it as it is stored, while picking fields would cost it a parse each.
    _source: true,
    ...(page.after === undefined ? {} : { search_after: [page.after] }),
  }
}

/** Every version of one pharmacy that began at or before the pin, newest first. */
export function pharmacyVersionsQuery(
  pharmacy: { territory: string; externalId: string },
  pin: Pin,
  page: { size: number; after?: number | undefined },
): estypes.SearchRequest {
  const dead = pin.abandoned.filter((run) => run <= pin.run)
  return {
    size: page.size,
    query: {
      bool: {
        filter: [
          { term: { territory_code: pharmacy.territory } },
          { term: { external_id: pharmacy.externalId } },
          { range: { from_run: { lte: pin.run } } },
        ],
        must_not: dead.length > 0 ? [{ terms: { from_run: dead } }] : [],
      },
    },
    sort: [{ from_run: 'desc' }],
    _source: true,
    ...(page.after === undefined ? {} : { search_after: [page.after] }),
  }
}

function datasetFilters(
  criteria: DatasetCriteria,
  pin: Pin,
): estypes.QueryDslQueryContainer[] {
  return [
    { term: { territory_code: criteria.territory } },
    ...visibleVersions(pin),
    ...(criteria.activeOnly ? [{ term: { is_active: true } }] : []),
  ]
}
