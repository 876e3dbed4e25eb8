import { nearest } from '../domain/nearest.ts'

/** What callers write who know other services, and the names here that they may mean, the likeliest first. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  territory: ['territories', 'territory_code'],
  territory_code: ['territories'],
  territory_codes: ['territories'],
  territories: ['territory_code'],
  region: ['territories', 'territory_code'],
  event_type: ['event_types'],
  type: ['event_types'],
  types: ['event_types'],
  kind: ['event_types'],
  page: ['cursor'],
  offset: ['cursor'],
  next_cursor: ['cursor'],
  resume_cursor: ['cursor'],
  page_size: ['limit', 'limit_per_type'],
  per_page: ['limit', 'limit_per_type'],
  size: ['limit', 'limit_per_type'],
  count: ['limit', 'limit_per_type'],
  limit: ['limit_per_type'],
  start: ['from', 'since'],
  since: ['from'],
  from: ['since'],
  end: ['to'],
  until: ['to'],
  active: ['active_only'],
  only_active: ['active_only'],
  radius: ['radius_meters'],
  group: ['group_by'],
  tz: ['time_zone'],
  timezone: ['time_zone'],
  date: ['as_of', 'from'],
  query: ['q'],
  search: ['q'],
  text: ['q'],
  name: ['q'],
  latitude: ['near_latitude'],
  lat: ['near_latitude'],
  longitude: ['near_longitude'],
  lon: ['near_longitude'],
  lng: ['near_longitude'],
}

/** The real name that was probably meant by an unknown one; undefined when none is close. */
export function suggestName(unknown: string, real: readonly string[]): string | undefined {
  const folded = unknown.toLowerCase().replaceAll('-', '_')
  if (real.includes(folded)) return folded
  // Own keys only: a parameter may be called `constructor`.
  const aliases = Object.hasOwn(ALIASES, folded) ? ALIASES[folded] : undefined
  return aliases?.find((alias) => real.includes(alias)) ?? nearest(folded, real)
}
