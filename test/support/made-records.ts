import type { BusinessEvent, EventSide, EventType, Location } from '../../src/domain/event.ts'
import type { Pharmacy } from '../../src/domain/pharmacy.ts'
import { slugOf } from './made-documents.ts'
import { someCity, someProvince } from './made-places.ts'
import type { Random } from './random.ts'

/** Records, what happens to them, and the events that spec section 3 gives for it. */

const NAMES = [
  'Farmacia Núñez',
  'Farmàcia Puig, S.L.',
  '=Farmacia "El Sol"',
  '+34 Farmacia',
  'Botika; 1',
]
const HOLDERS = ['Ana Inventada', 'Luis Ficticio', 'Marta Supuesta / Juan Supuesto']

export function someRecord(
  random: Random,
  at: { territory: string; id: string; observedAt: string; towns: number },
): Pharmacy {
  const located = random.chance(0.8)
  return {
    external_id: at.id,
    name: random.chance(0.03) ? null : random.pick(NAMES),
    ...somePlace(random, at.towns),
    territory_code: at.territory,
    ...somePoint(random, located),
    owner_name: random.chance(0.1) ? null : random.pick(HOLDERS),
    cnn_code: null,
    source_slug: slugOf(at.territory),
    official_source_name: 'Registro inventado',
    official_source_url: 'https://registro.example/farmacias',
    official_last_modified_at: null,
    observed_at: at.observedAt,
    is_active: random.chance(0.9),
  }
}

function somePlace(random: Random, towns: number) {
  return {
    address_line: `Calle Mayor, ${1 + random.integer(200)}`,
    postal_code: random.pick(['01001', '28013', '08930', null]),
    city: someCity(random, towns),
    province: someProvince(random),
  }
}

function somePoint(random: Random, located: boolean) {
  if (!located) return { latitude: null, longitude: null, coordinate_source: null }
  const degrees = (from: number, width: number) =>
    Math.round((from + random.number() * width) * 1e6) / 1e6
  return { latitude: degrees(40, 1), longitude: degrees(-4, 1), coordinate_source: 'source' }
}

export type Happening = 'moved' | 'sold' | 'moved and sold' | 'switched' | 'polished'
export const HAPPENINGS: readonly Happening[] = [
  'moved',
  'moved',
  'sold',
  'moved and sold',
  'switched',
  'switched',
  'polished',
]

/** The record after something happened to it. */
export function after(
  random: Random,
  before: Pharmacy,
  happening: Happening,
  at: { observedAt: string; towns: number },
): Pharmacy {
  const record = { ...before, observed_at: at.observedAt }
  if (happening.includes('moved')) {
    Object.assign(record, somePlace(random, at.towns), somePoint(random, random.chance(0.8)))
    record.address_line = `${before.address_line} bis`
  }
  if (happening.includes('sold')) record.owner_name = `${before.owner_name ?? 'Nadie'} hijo`
  if (happening === 'switched') record.is_active = !before.is_active
  if (happening === 'polished') record.cnn_code = String(random.integer(100_000))
  return record
}

/** What counts as moved and as sold, for a pharmacy that is there on both sides. */
export interface Differences {
  moved(before: Pharmacy, now: Pharmacy): boolean
  sold(before: Pharmacy, now: Pharmacy): boolean
}

/** Enough where no value is ever just spelt otherwise, and `after` is the only one to change records. */
const AS_WRITTEN: Differences = {
  moved: (before, now) => before.address_line !== now.address_line,
  sold: (before, now) => before.owner_name !== now.owner_name,
}

/**
 * The events of one modification, by the table of spec section 3; null on a side means the record is not there.
 */
export function eventsOf(
  before: Pharmacy | null,
  now: Pharmacy | null,
  differences: Differences = AS_WRITTEN,
): BusinessEvent[] {
  if (!before) return now ? [event('opened', null, now, {}, whole(now))] : []
  if (!now) return [event('closed_hard', before, null, whole(before), {})]
  const events: BusinessEvent[] = []
  if (before.is_active !== now.is_active) {
    const type = now.is_active ? 'reopened' : 'closed_soft'
    events.push(event(type, before, now, stateSide(before), stateSide(now)))
  }
  if (differences.moved(before, now)) {
    events.push(event('relocated', before, now, locationOf(before), locationOf(now)))
  }
  if (differences.sold(before, now)) {
    const owner = ({ owner_name }: Pharmacy) => ({ owner_name })
    events.push(event('ownership_change', before, now, owner(before), owner(now)))
  }
  return events
}

function event(
  event_type: EventType,
  before: Pharmacy | null,
  now: Pharmacy | null,
  old: EventSide,
  next: EventSide,
): BusinessEvent {
  const known = now ?? before
  if (!known) throw new Error('an event needs a record')
  return {
    event_type,
    territory_code: known.territory_code,
    external_id: known.external_id,
    name: known.name,
    old,
    new: next,
    old_location: before && locationOf(before),
    new_location: now && locationOf(now),
  }
}

function locationOf(record: Pharmacy): Location {
  const { address_line, postal_code, city, province, latitude, longitude } = record
  return { address_line, postal_code, city, province, latitude, longitude }
}

function stateSide(record: Pharmacy): EventSide {
  return { name: record.name, is_active: record.is_active, ...locationOf(record) }
}

function whole(record: Pharmacy): EventSide {
  return { ...stateSide(record), owner_name: record.owner_name }
}
