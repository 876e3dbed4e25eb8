import type { EventType } from '../../../src/domain/event.ts'
import type { Pharmacy } from '../../../src/domain/pharmacy.ts'
import type { Run } from '../../../src/domain/run.ts'

/** What the page reads of the API's answers; the API document is the reference. */

export interface KeyShown {
  id: string
  name: string
  territories: string[] | null
  expires_at: string | null
}

export interface TerritoryShown {
  territory_code: string
  loaded: boolean
  baseline_incremental_start_at: string | null
  last_checked_at: string | null
  last_changed_at: string | null
  active: number
  inactive: number
  source_slug: string | null
}

export interface Counted<Key = string | null> {
  key: Key
  count: number
}

export interface Summary<Key = string | null> {
  from: string
  to: string
  total: number
  items: Counted<Key>[]
  buckets?: { start: string; total: number; items: Counted<Key>[] }[]
}

export interface Place {
  address_line: string | null
  postal_code: string | null
  city: string | null
  province: string | null
  latitude: number | null
  longitude: number | null
}

export interface Relocation {
  event_id: string
  occurred_at: string
  territory_code: string
  external_id: string
  name: string | null
  old: Place
  new: Place
  distance_meters: number | null
}

export interface Page<Item> {
  items: Item[]
  next_cursor: string | null
}

export interface LatestItem extends Place {
  external_id: string
  name: string | null
  territory_code: string
  occurred_at: string
  closure_kind?: 'closed_hard' | 'closed_soft'
  old?: Place
  new?: Place
}

export interface Latest {
  window: string
  from: string
  to: string
  counts: Record<'opened' | 'closed_total' | 'closed_hard' | 'closed_soft' | 'relocated', number>
  items: Record<'opened' | 'closed' | 'relocated', LatestItem[]>
}

export type EventSide = Partial<
  Place & { name: string | null; owner_name: string | null; is_active: boolean }
>

export interface EventShown {
  event_id: string
  event_type: EventType
  occurred_at: string
  run_id: string
  old: EventSide
  new: EventSide
}

export interface PharmacyShown {
  territory_code: string
  external_id: string
  record: Pharmacy | null
  events: EventShown[]
  versions: { committed_at: string; ended_at: string | null; record: Pharmacy }[]
}

export type RunShown = Run
