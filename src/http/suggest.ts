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
}

/** The real name that was probably meant by an unknown one; undefined when none is close. */
export function suggestName(unknown: string, real: readonly string[]): string | undefined {
  const folded = unknown.toLowerCase().replaceAll('-', '_')
  if (real.includes(folded)) return folded
  // Own keys only: a parameter may be called `constructor`.
  const aliases = Object.hasOwn(ALIASES, folded) ? ALIASES[folded] : undefined
  return aliases?.find((alias) => real.includes(alias)) ?? nearest(folded, real)
}

/** The candidate at the smallest edit distance, when it is close enough to be a slip of the pen. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    const allowed = Math.max(1, Math.floor(candidate.length / 3))
    if (Math.abs(candidate.length - text.length) > allowed) continue
    const distance = editDistance(text, candidate)
    if (distance <= allowed && (!best || distance < best.distance)) best = { candidate, distance }
  }
  return best?.candidate
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let distance = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) distance = Math.min(distance, at(beforeLast, j - 2) + 1)
      row.push(distance)
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
