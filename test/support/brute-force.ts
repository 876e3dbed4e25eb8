import type { Location } from '../../src/domain/event.ts'
import { cityIdOf, provinceIdOf } from './made-places.ts'
import type { MadeEvent, MadeRegistry } from './made-registry.ts'

/** The reader's rules written down once more, naively and over plain arrays, to check answers against. */

export interface Side {
  /** id of the place asked for */
  province?: string
  city?: string
}

export interface Asked {
  from: string
  to: string
  territories?: readonly string[]
  eventTypes?: readonly string[]
  either?: Side
  old?: Side
  new?: Side
  nearOld?: Circle
  nearNew?: Circle
}

export interface Circle {
  latitude: number
  longitude: number
  radiusMeters: number
}

/** The visible events that the question is about, newest first. */
export function matching(made: MadeRegistry, asked: Asked): MadeEvent[] {
  return made.events.filter(
    (event) =>
      event.occurred_at >= asked.from &&
      event.occurred_at < asked.to &&
      (!asked.territories || asked.territories.includes(event.territory_code)) &&
      (!asked.eventTypes || asked.eventTypes.includes(event.event_type)) &&
      (!asked.either ||
        isAt(event.old_location, asked.either) ||
        isAt(event.new_location, asked.either)) &&
      (!asked.old || isAt(event.old_location, asked.old)) &&
      (!asked.new || isAt(event.new_location, asked.new)) &&
      (!asked.nearOld || isWithin(event.old_location, asked.nearOld)) &&
      (!asked.nearNew || isWithin(event.new_location, asked.nearNew)),
  )
}

function isAt(location: Location | null, side: Side): boolean {
  if (!location) return false
  if (side.province !== undefined && provinceIdOf(location.province) !== side.province) return false
  return side.city === undefined || cityIdOf(location.city) === side.city
}

function isWithin(location: Location | null, circle: Circle): boolean {
  if (!location || location.latitude === null || location.longitude === null) return false
  const { latitude, longitude } = location
  return chordMeters({ latitude, longitude }, circle) <= circle.radiusMeters
}

/** The great circle by way of the chord through the earth: another formula than the product's. */
export function chordMeters(
  a: { latitude: number; longitude: number },
  b: { latitude: number; longitude: number },
): number {
  const [ax, ay, az] = unit(a)
  const [bx, by, bz] = unit(b)
  const chord = Math.hypot(ax - bx, ay - by, az - bz)
  return 2 * 6_371_008.7714 * Math.asin(Math.min(1, chord / 2))
}

function unit({ latitude, longitude }: { latitude: number; longitude: number }) {
  const phi = (latitude * Math.PI) / 180
  const lambda = (longitude * Math.PI) / 180
  return [
    Math.cos(phi) * Math.cos(lambda),
    Math.cos(phi) * Math.sin(lambda),
    Math.sin(phi),
  ] as const
}

/** An event as the listing shows it. */
export function shownEvent(event: MadeEvent) {
  return {
    event_id: String(event.seq),
    event_type: event.event_type,
    occurred_at: event.occurred_at,
    territory_code: event.territory_code,
    external_id: event.external_id,
    name: event.name,
    run_id: event.run_id,
    old: event.old,
    new: event.new,
  }
}
