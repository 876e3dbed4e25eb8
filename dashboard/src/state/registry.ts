import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Resource } from '../api/resource.ts'
import type { TerritoryShown } from '../api/shapes.ts'
import { route } from './route.ts'
import { type Span, spanOf, windowParams } from './span.ts'

/** The territories of the key's scope, known to every view. */
export const Registry = createContext<Resource<{ items: TerritoryShown[] }>>({
  data: undefined,
  problem: undefined,
  isLoading: true,
  reload: () => undefined,
})

export interface Filters {
  span: Span
  /** the territories asked for; empty for all of the scope */
  territories: string[]
  /** from when there is history for all of them; null while unknown */
  baseline: string | null
  /** what every question of the view shares; null while it cannot be asked yet */
  asked: Record<string, string> | null
}

/** The window and the territories in the address, as the API is asked. */
export function useFilters(): Filters {
  const { data } = useContext(Registry)
  const { params } = route.value
  const territories = params.territories?.split(',') ?? []
  const baseline = baselineOf(data?.items ?? [], territories)
  const span = spanOf(params)
  const window = windowParams(span, baseline)
  return {
    span,
    territories,
    baseline,
    asked: window && {
      ...window,
      ...(territories.length > 0 ? { territories: territories.join(',') } : {}),
    },
  }
}

/** `null` asks nothing; empty values are left out. */
export function pathOf(
  path: string,
  params: Readonly<Record<string, string | undefined>> | null,
): string | null {
  if (params === null) return null
  const entries = Object.entries(params).filter((e): e is [string, string] => Boolean(e[1]))
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`
}

function baselineOf(items: readonly TerritoryShown[], territories: readonly string[]) {
  const baselines = items
    .filter(({ territory_code: code }) => territories.length === 0 || territories.includes(code))
    .flatMap(({ baseline_incremental_start_at: at }) => (at === null ? [] : [at]))
  return baselines.sort()[0] ?? null
}
