import type { estypes } from '@elastic/elasticsearch'
import { cityKey, provinceKey } from '../domain/fold.ts'
import type { Scope } from '../domain/scope.ts'
import { type AskedWord, askedReadings } from '../domain/search-tokens.ts'
import { type NearPoint, type Place, territoryFilters } from './event-queries.ts'
import type { Pin } from './state.ts'
import { visibleVersions } from './visible.ts'

/** Which records of one territory are asked for. */
export interface DatasetCriteria {
  territory: string
  activeOnly: boolean
}

/** Where a page of records lies: after an id, up to another one or to the end. */
export interface DatasetPage {
  size: number
  after?: string | undefined
  /** only after an id */
  upTo?: string | undefined
}

/**
 * One page of a territory's records by external_id in code point order (keywords sort by their UTF-8 bytes), with how
 * many there are: between the two ids, else in all, whatever `after` is. Versions never change under a pinned run, so
 * the last id alone continues the walk: nothing stays open in Elasticsearch, however slowly the caller reads.
 */
export function datasetPageQuery(
  criteria: DatasetCriteria,
  pin: Pin,
  { size, after, upTo }: DatasetPage,
): estypes.SearchRequest {
  const bounds = upTo === undefined ? [] : [{ range: { external_id: { gt: after, lte: upTo } } }]
  return {
    size,
    query: { bool: { filter: [...datasetFilters(criteria, pin), ...bounds] } },
    sort: [{ external_id: 'asc' }],
    // The whole source: Elasticsearch sends it as it is stored, while picking fields would cost it a parse each.
    _source: true,
    track_total_hits: true,
    ...(after === undefined || upTo !== undefined ? {} : { search_after: [after] }),
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

function datasetFilters(criteria: DatasetCriteria, pin: Pin): estypes.QueryDslQueryContainer[] {
  return [
    { term: { territory_code: criteria.territory } },
    ...visibleVersions(pin),
    ...(criteria.activeOnly ? [{ term: { is_active: true } }] : []),
  ]
}

/** A question about records, with the key's scope already inside `shown`. */
export interface SearchCriteria {
  /** what is searched: territories with the state each is seen at; none of them gives nothing */
  shown: readonly ShownTerritories[]
  /** words of name, holder, address or city */
  text?: string | undefined
  place: Place
  activeOnly: boolean
  /** only within the radius, nearest first */
  near?: NearPoint | undefined
}

export interface ShownTerritories {
  territories: Scope
  pin: Pin
}

/** Where a page of records ends: the distance where asked for, territory and external_id. */
export type SearchPosition =
  | readonly [territory: string, externalId: string]
  | readonly [meters: number, territory: string, externalId: string]

/** One page of matching records, with one more than asked for to learn whether another page follows. */
export function searchPageQuery(
  criteria: SearchCriteria,
  page: { limit: number; after?: SearchPosition | undefined },
): estypes.SearchRequest {
  const byId: estypes.SortCombinations[] = [{ territory_code: 'asc' }, { external_id: 'asc' }]
  return {
    size: page.limit + 1,
    query: { bool: { filter: searchFilters(criteria) } },
    sort: criteria.near ? [nearestFirst(criteria.near), ...byId] : byId,
    _source: true,
    ...(page.after ? { search_after: [...page.after] } : {}),
  }
}

function searchFilters(criteria: SearchCriteria): estypes.QueryDslQueryContainer[] {
  const { text, place, near } = criteria
  return [
    anyOf(criteria.shown.map((shown) => allOf(shownFilters(shown)))),
    ...(text === undefined ? [] : [anyOf(askedReadings(text).map(readingQuery))]),
    ...(place.province === undefined
      ? []
      : [{ term: { province_keys: provinceKey(place.province) } }]),
    ...(place.city === undefined ? [] : [{ term: { city_keys: cityKey(place.city) } }]),
    ...(criteria.activeOnly ? [{ term: { is_active: true } }] : []),
    ...(near ? [withinRadius(near)] : []),
  ]
}

function shownFilters({ territories, pin }: ShownTerritories): estypes.QueryDslQueryContainer[] {
  return [...territoryFilters(territories), ...visibleVersions(pin)]
}

function readingQuery(words: readonly AskedWord[]): estypes.QueryDslQueryContainer {
  return allOf(words.map(wordQuery))
}

function wordQuery({ anyOf: tokens, prefix }: AskedWord): estypes.QueryDslQueryContainer {
  const whole = { terms: { search_tokens: [...tokens] } }
  return prefix === undefined ? whole : anyOf([{ prefix: { search_tokens: prefix } }, whole])
}

function withinRadius(point: NearPoint): estypes.QueryDslQueryContainer {
  return {
    geo_distance: {
      distance: `${point.radiusMeters}m`,
      distance_type: 'arc',
      location: { lat: point.latitude, lon: point.longitude },
    },
  }
}

function nearestFirst(point: NearPoint): estypes.SortCombinations {
  return {
    _geo_distance: {
      location: { lat: point.latitude, lon: point.longitude },
      order: 'asc',
      unit: 'm',
      distance_type: 'arc',
    },
  }
}

function allOf(filter: estypes.QueryDslQueryContainer[]): estypes.QueryDslQueryContainer {
  return { bool: { filter } }
}

/** One of several; of none, nothing: never everything. */
function anyOf(queries: estypes.QueryDslQueryContainer[]): estypes.QueryDslQueryContainer {
  const [only, ...more] = queries
  if (!only) return { match_none: {} }
  if (more.length === 0) return only
  return { bool: { should: queries, minimum_should_match: 1 } }
}
