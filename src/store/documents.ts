import type { EventSide, EventType } from '../domain/event.ts'
import type { Operation } from '../domain/change.ts'
import type { Pharmacy } from '../domain/pharmacy.ts'

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
