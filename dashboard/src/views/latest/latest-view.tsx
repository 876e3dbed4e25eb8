import { useResource } from '../../api/resource.ts'
import type { Latest, LatestItem } from '../../api/shapes.ts'
import { Select } from '../../parts/choice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { pathOf } from '../../state/registry.ts'
import { route, setParams } from '../../state/route.ts'
import { fill } from '../../text/fill.ts'
import { formatNumber } from '../../text/format.ts'
import { text } from '../../text/language.ts'
import { LatestEntry } from './latest-entry.tsx'
import { LatestFilters } from './latest-filters.tsx'

const LISTS = [
  { name: 'opened', total: 'opened' },
  { name: 'closed', total: 'closed_total' },
  { name: 'relocated', total: 'relocated' },
] as const
const LIMITS = ['10', '50', '200', '500']
const DEFAULT_LIMIT = '50'
const DEFAULT_WINDOW = '30d'

/** The incremental view: how many opened, closed and moved, and the newest of each. */
export function LatestView() {
  const { params } = route.value
  const window = params.window === 'custom' ? DEFAULT_WINDOW : (params.window ?? DEFAULT_WINDOW)
  const territory = params.territories?.split(',')[0] ?? ''
  const limit = LIMITS.find((known) => known === params.limit) ?? DEFAULT_LIMIT
  const latest = useResource<Latest>(
    pathOf('/v1/farmacias/incremental/latest', {
      window,
      territory_code: territory,
      limit_per_type: limit,
    }),
  )
  return (
    <>
      <LatestFilters window={window} territory={territory}>
        <Select
          label={text.value.latest_limit}
          value={limit}
          options={LIMITS.map((value) => ({ value, label: value }))}
          onChange={(value) => setParams({ limit: value === DEFAULT_LIMIT ? undefined : value })}
        />
      </LatestFilters>
      <div class="grid is-latest">
        {LISTS.map(({ name, total }) => (
          <Panel
            key={name}
            title={text.value[`latest_${name}`]}
            resource={latest}
            isEmpty={({ items }) => items[name].length === 0}
            class={`latest is-${name}`}
            aside={
              latest.data && (
                <Shown
                  list={latest.data.items[name]}
                  total={latest.data.counts[total]}
                  name={name}
                />
              )
            }
          >
            {({ items }) => (
              <ul class="entries">
                {items[name].map((item) => (
                  <LatestEntry
                    key={`${item.territory_code}/${item.external_id}/${item.occurred_at}`}
                    item={item}
                  />
                ))}
              </ul>
            )}
          </Panel>
        ))}
      </div>
    </>
  )
}

function Shown({ list, total, name }: { list: LatestItem[]; total: number; name: string }) {
  const [before = '', after = ''] = fill(text.value.latest_of, {
    shown: formatNumber(list.length),
  }).split('{count}')
  return (
    <span class="latest-count">
      {before}
      <strong data-latest={name}>{formatNumber(total)}</strong>
      {after}
    </span>
  )
}
