import { useSignal } from '@preact/signals'
import { useResource } from '../../api/resource.ts'
import type { Relocation, Summary } from '../../api/shapes.ts'
import { useWalk } from '../../api/walk.ts'
import { FilterBar } from '../../parts/filters.tsx'
import { Panel } from '../../parts/panel.tsx'
import { pathOf, useFilters } from '../../state/registry.ts'
import { route } from '../../state/route.ts'
import { text } from '../../text/language.ts'
import { DownloadCsv } from './download-csv.tsx'
import { nearOf, nearParams } from './near.ts'
import { NearSearch } from './near-search.tsx'
import { PlaceFilters } from './place-filters.tsx'
import { RelocationMap } from './relocation-map.tsx'
import { RelocationTable } from './relocation-table.tsx'

const PAGE = 500
const BIG_PAGE = 5000

/** Where pharmacies moved: on a map and in a table, by place and by radius. */
export function RelocationsView() {
  const { params } = route.value
  const { span, territories, asked } = useFilters()
  // A signal, so that pointing at the map draws no table anew.
  const focus = useSignal<string | null>(null)
  const near = nearOf(params)
  const { old_province, old_city, new_province, new_city } = params
  const path = pathOf(
    '/v1/farmacias/relocations',
    asked && { ...asked, old_province, old_city, new_province, new_city, ...nearParams(near) },
  )
  // A page of a walk has no tag; this count has one and changes whenever the list does, so it is what is polled.
  const total = useResource<Summary>(
    pathOf(
      '/v1/farmacias/business-events/summary',
      asked && { ...asked, event_types: 'relocated' },
    ),
  )
  const relocations = useWalk<Relocation>(total.isLoading ? null : path, {
    limit: PAGE,
    bigLimit: BIG_PAGE,
    version: total.data?.from ?? '',
  })
  const items = relocations.data ?? []
  // The map is there before its first answer, without moves.
  const isLoading = relocations.isLoading || total.isLoading
  const shown = { ...relocations, data: items, isLoading }

  return (
    <>
      <FilterBar span={span} territories={territories}>
        <PlaceFilters params={params} territories={territories} />
      </FilterBar>
      <div class="grid is-relocations">
        <Panel title={text.value.map} resource={shown} class="map-panel">
          {() => (
            <>
              <RelocationMap
                items={items}
                isLoaded={relocations.data !== undefined}
                near={near}
                question={path ?? ''}
                focus={focus}
              />
              <NearSearch near={near} />
            </>
          )}
        </Panel>
        <Panel
          title={text.value.relocations_table}
          resource={relocations}
          isEmpty={(found) => found.length === 0}
          class="table-panel"
          aside={path && items.length > 0 && <DownloadCsv path={path} />}
        >
          {(found) => <RelocationTable items={found} walk={relocations} focus={focus} />}
        </Panel>
      </div>
    </>
  )
}
