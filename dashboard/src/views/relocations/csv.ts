import type { Place, Relocation } from '../../api/shapes.ts'

const PLACE = ['address_line', 'postal_code', 'city', 'province', 'latitude', 'longitude'] as const

const COLUMNS = [
  'event_id',
  'occurred_at',
  'territory_code',
  'external_id',
  'name',
  ...PLACE.map((field) => `old_${field}`),
  ...PLACE.map((field) => `new_${field}`),
  'distance_meters',
]

/** Relocations as a spreadsheet opens them: RFC 4180 with a byte order mark, no cell taken for a formula. */
export function relocationsCsv(items: readonly Relocation[]): string {
  const rows = items.map((item) => [
    item.event_id,
    item.occurred_at,
    item.territory_code,
    item.external_id,
    item.name,
    ...cellsOf(item.old),
    ...cellsOf(item.new),
    item.distance_meters,
  ])
  return `\uFEFF${[COLUMNS, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`
}

function cellsOf(place: Place): (string | number | null)[] {
  return PLACE.map((field) => place[field])
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
