import type { Operation } from '../domain/change.ts'
import type { BusinessEvent, EventSide, EventType, Location } from '../domain/event.ts'
import { cityGroup, cityKeys, provinceGroup, provinceKeys } from '../domain/fold.ts'
import type { Pharmacy } from '../domain/pharmacy.ts'
import { searchTokens } from '../domain/search-tokens.ts'

/** `to_run` of a version that nothing has ended yet: the largest safe integer. */
export const OPEN_RUN = Number.MAX_SAFE_INTEGER

export interface GeoPoint {
  lat: number
  lon: number
}

/** One content of one pharmacy, true from `from_run` up to, not including, `to_run`. */
export interface VersionDocument extends Pharmacy {
  from_run: number
  to_run: number
  content_hash: string
  /** absent when the coordinates are null */
  location?: GeoPoint
  city_keys?: string[]
  province_keys?: string[]
  /** folded words of name, holder, address and city */
  search_tokens?: string[]
}

/** One business event. `old_*`/`new_*` filter fields are present for each side that has a location. */
export interface EventDocument {
  seq: number
  run: number
  run_id: string
  event_type: EventType
  occurred_at: string
  territory_code: string
  external_id: string
  name: string | null
  old: EventSide
  new: EventSide
  old_city_keys?: string[]
  old_province_keys?: string[]
  new_city_keys?: string[]
  new_province_keys?: string[]
  /** canonical city and province of the side that counts in a summary: new, or old for closed_hard */
  city_group?: string
  city_label?: string
  province_group?: string
  province_label?: string
  old_location?: GeoPoint
  new_location?: GeoPoint
}

/**
 * One change. Its `changed_at` is not in the document: documents are written before the commit, whose instant
 * only the commit record (runs index, `committed_at`) knows. See docs/decisions.
 */
export interface ChangeDocument {
  id: number
  run: number
  run_id: string
  territory_code: string
  operation: Operation
  external_id: string
  payload: Pharmacy
}

/** The fields a version document adds for searching; computed once per record. */
export function searchFields(
  record: Pharmacy,
): Pick<VersionDocument, 'location' | 'city_keys' | 'province_keys' | 'search_tokens'> {
  return JSON.parse(`{${searchFieldsJson(record)}}`)
}

/**
 * The same as the inside of a JSON object: what a version document has beside its record. A load writes this for every
 * record, hence by hand.
 */
export function searchFieldsJson(record: Pharmacy): string {
  const { latitude, longitude, city, province } = record
  const tokens = searchTokens(record)
  const parts: string[] = []
  if (latitude !== null && longitude !== null) {
    parts.push(`"location":{"lat":${latitude},"lon":${longitude}}`)
  }
  if (city !== null) parts.push(`"city_keys":${namesJson(cityKeys(city))}`)
  if (province !== null) parts.push(`"province_keys":${namesJson(provinceKeys(province))}`)
  if (tokens.length > 0) parts.push(`"search_tokens":${namesJson(tokens)}`)
  return parts.join(',')
}

/** Folded text has letters, digits, blanks and the colon of a province's key: nothing that JSON would escape. */
function namesJson(folded: readonly string[]): string {
  return folded.length === 0 ? '[]' : `["${folded.join('","')}"]`
}

/** A business event, numbered and made searchable on both sides. */
export function eventDocument(
  event: BusinessEvent,
  run: { seq: number; run: number; run_id: string; occurred_at: string },
): EventDocument {
  const before = event.old_location
  const after = event.new_location
  const counted = after ?? before
  return {
    seq: run.seq,
    run: run.run,
    run_id: run.run_id,
    event_type: event.event_type,
    occurred_at: run.occurred_at,
    territory_code: event.territory_code,
    external_id: event.external_id,
    name: event.name,
    old: event.old,
    new: event.new,
    ...(before?.city ? { old_city_keys: cityKeys(before.city) } : {}),
    ...(before?.province ? { old_province_keys: provinceKeys(before.province) } : {}),
    ...(after?.city ? { new_city_keys: cityKeys(after.city) } : {}),
    ...(after?.province ? { new_province_keys: provinceKeys(after.province) } : {}),
    ...(counted?.city ? { city_group: cityGroup(counted.city), city_label: counted.city } : {}),
    ...(counted?.province
      ? { province_group: provinceGroup(counted.province), province_label: counted.province }
      : {}),
    ...pointField('old_location', before),
    ...pointField('new_location', after),
  }
}

function pointField<Name extends string>(name: Name, place: Location | null) {
  if (!place || place.latitude === null || place.longitude === null) return {}
  return { [name]: { lat: place.latitude, lon: place.longitude } } as Record<Name, GeoPoint>
}
