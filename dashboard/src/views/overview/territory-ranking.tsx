import type { Resource } from '../../api/resource.ts'
import type { Summary } from '../../api/shapes.ts'
import { Panel } from '../../parts/panel.tsx'
import { setParams } from '../../state/route.ts'
import { fill } from '../../text/fill.ts'
import { formatNumber } from '../../text/format.ts'
import { text } from '../../text/language.ts'
import { territoryName } from '../../text/territory-names.ts'

/** Territories by number of events; pressing one filters by it. */
export function TerritoryRanking({ resource }: { resource: Resource<Summary<string>> }) {
  return (
    <Panel
      title={text.value.by_territory}
      resource={resource}
      isEmpty={({ items }) => items.length === 0}
      emptyText={text.value.no_key_territories}
      class="ranking"
    >
      {({ items }) => (
        <ol class="bars">
          {items.map(({ key, count }) => (
            <li key={key}>
              <button
                type="button"
                title={fill(text.value.filter_by, { name: territoryName(key) })}
                onClick={() => setParams({ territories: key, province: undefined })}
              >
                <span class="bar-name">{territoryName(key)}</span>{' '}
                <span class="bar-value" data-territory={key}>
                  {formatNumber(count)}
                </span>
                <Bar share={count / Math.max(1, items[0]?.count ?? 0)} />
              </button>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

/** A bar of a list; the width is set by script, which the security policy permits. */
export function Bar({ share }: { share: number }) {
  return (
    <span class="bar" aria-hidden="true">
      <span style={{ width: `${share * 100}%` }} />
    </span>
  )
}
