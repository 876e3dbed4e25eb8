import { useContext } from 'preact/hooks'
import type { RunShown, TerritoryShown } from '../../api/shapes.ts'
import { useWalk } from '../../api/walk.ts'
import { Icon } from '../../parts/icon.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { TerritoryPicker } from '../../parts/territory-picker.tsx'
import { When } from '../../parts/when.tsx'
import { pathOf, Registry } from '../../state/registry.ts'
import { route } from '../../state/route.ts'
import { fill } from '../../text/fill.ts'
import { formatNumber } from '../../text/format.ts'
import { text } from '../../text/language.ts'
import { territoryName } from '../../text/territory-names.ts'
import { ExportButtons } from './export-buttons.tsx'
import { useNewestRun } from './newest-run.ts'
import { RunTable } from './run-table.tsx'

const PAGE = 25
const BIG_PAGE = 500

/** How fresh and how large the data is, what every load did, and the exports. */
export function DataStateView() {
  const chosen = route.value.params.territories?.split(',') ?? []
  const territories = useContext(Registry)
  const asked = { territories: chosen.join(',') }
  const newest = useNewestRun(asked)
  const runs = useWalk<RunShown>(newest.isLoading ? null : pathOf('/v1/farmacias/loads', asked), {
    limit: PAGE,
    bigLimit: BIG_PAGE,
    version: newest.version,
  })
  const isChosen = ({ territory_code: code }: TerritoryShown) =>
    chosen.length === 0 || chosen.includes(code)
  return (
    <>
      <search class="filters" aria-label={text.value.filters}>
        <TerritoryPicker chosen={chosen} />
      </search>
      <div class="grid is-data">
        <Panel
          title={text.value.data_territories}
          resource={territories}
          isEmpty={({ items }) => items.length === 0}
          emptyText={text.value.no_key_territories}
        >
          {({ items }) => <TerritoryTable items={items.filter(isChosen)} />}
        </Panel>
        <Panel
          title={text.value.journal}
          resource={runs}
          isEmpty={(items) => items.length === 0}
          emptyText={text.value.journal_empty}
        >
          {(items) => (
            <>
              <Quarantined items={items} />
              <RunTable runs={items} />
              {runs.hasMore && (
                <button
                  type="button"
                  class="button"
                  disabled={runs.isLoadingMore}
                  onClick={runs.more}
                >
                  {runs.isLoadingMore ? text.value.loading : text.value.load_more}
                </button>
              )}
            </>
          )}
        </Panel>
      </div>
    </>
  )
}

function Quarantined({ items }: { items: readonly RunShown[] }) {
  const count = items.filter(({ status }) => status === 'quarantined').length
  if (count === 0) return null
  return (
    <p class="notice">
      <Icon name="warning" /> {fill(text.value.quarantined_notice, { count: formatNumber(count) })}
    </p>
  )
}

function TerritoryTable({ items }: { items: readonly TerritoryShown[] }) {
  const columns = [
    'territory',
    'loaded',
    'active',
    'inactive',
    'last_checked',
    'last_changed',
    'baseline',
    'source',
    'export',
  ] as const
  return (
    <Scroll label={text.value.data_territories}>
      <table class="territories">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                class={column === 'active' || column === 'inactive' ? 'is-number' : ''}
              >
                {text.value[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((territory) => (
            <TerritoryRow key={territory.territory_code} territory={territory} />
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function TerritoryRow({ territory }: { territory: TerritoryShown }) {
  const { territory_code: code, loaded } = territory
  return (
    <tr>
      <th scope="row">
        {territoryName(code)} <span class="code">{code}</span>
      </th>
      <td>
        <span class={loaded ? 'badge is-committed' : 'badge is-quarantined'}>
          {loaded ? text.value.loaded_yes : text.value.loaded_no}
        </span>
      </td>
      <td class="is-number" data-active={code}>
        {formatNumber(territory.active)}
      </td>
      <td class="is-number" data-inactive={code}>
        {formatNumber(territory.inactive)}
      </td>
      <WhenCell instant={territory.last_checked_at} />
      <WhenCell instant={territory.last_changed_at} />
      <WhenCell instant={territory.baseline_incremental_start_at} />
      <td class="code">{territory.source_slug ?? '—'}</td>
      <td>{loaded && <ExportButtons code={code} />}</td>
    </tr>
  )
}

function WhenCell({ instant }: { instant: string | null }) {
  return <td>{instant === null ? '—' : <When instant={instant} />}</td>
}
