import type { Relocation } from '../../api/shapes.ts'

export const SORT_KEYS = ['date', 'distance', 'pharmacy', 'old', 'new'] as const
export type SortKey = (typeof SORT_KEYS)[number]

export interface Sort {
  key: SortKey
  isDescending: boolean
}

type Sortable = string | number | null

const VALUE: Record<SortKey, (item: Relocation) => Sortable> = {
  date: ({ occurred_at }) => occurred_at,
  pharmacy: ({ name }) => name,
  old: ({ old }) => old.city,
  new: (item) => item.new.city,
  distance: ({ distance_meters }) => distance_meters,
}

/** `distance:desc` or `distance`; the newest first when nothing is said. */
export function sortOf(text: string | undefined): Sort {
  const [name, direction] = (text ?? 'date:desc').split(':')
  const key = SORT_KEYS.find((known) => known === name)
  return key ? { key, isDescending: direction === 'desc' } : { key: 'date', isDescending: true }
}

/** What is unknown comes last either way; equal values keep the order of the API. */
export function sorted(items: readonly Relocation[], { key, isDescending }: Sort): Relocation[] {
  if (key === 'date' && isDescending) return [...items]
  const read = VALUE[key]
  const sign = isDescending ? -1 : 1
  return [...items].sort((a, b) => {
    const [x, y] = [read(a), read(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return sign * compare(x, y)
  })
}

const collator = new Intl.Collator('es')

function compare(x: string | number, y: string | number): number {
  return typeof x === 'number' && typeof y === 'number'
    ? x - y
    : collator.compare(String(x), String(y))
}
