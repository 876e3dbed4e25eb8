import { useState } from 'preact/hooks'
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
  const [focus, setFocus] = useState<string | null>(null)
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

  return (
    <>
      <FilterBar span={span} territories={territories}>
        <PlaceFilters params={params} territories={territories} />
      </FilterBar>
      <div class="grid is-relocations">
        <Panel title={text.value.map} resource={{ ...relocations, data: items }} class="map-panel">
          {() => (
            <>
              <RelocationMap
                items={items}
                near={near}
                question={path ?? ''}
                focus={focus}
                onFocus={setFocus}
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
          {(found) => (
            <RelocationTable items={found} walk={relocations} focus={focus} onFocus={setFocus} />
          )}
        </Panel>
      </div>
    </>
  )
}
