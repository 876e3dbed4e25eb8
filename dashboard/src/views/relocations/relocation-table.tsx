import { type Signal, useComputed } from '@preact/signals'
import { useMemo, useState } from 'preact/hooks'
import type { Place, Relocation } from '../../api/shapes.ts'
import type { Walk } from '../../api/walk.ts'
import { Scroll } from '../../parts/scroll.tsx'
import { When } from '../../parts/when.tsx'
import { route, setParams, showPharmacy } from '../../state/route.ts'
import { fill } from '../../text/fill.ts'
import { formatDistance, formatNumber } from '../../text/format.ts'
import { text } from '../../text/language.ts'
import { SORT_KEYS, type SortKey, sorted, sortOf } from './sort.ts'

const ROWS = 50
const MOST_LOADED = 20_000

interface TableProps {
  items: Relocation[]
  walk: Walk<Relocation>
  /** the relocation that is pointed at, here or on the map */
  focus: Signal<string | null>
}

/** The relocations that are loaded, some rows at a time, in the chosen order. */
export function RelocationTable({ items, walk, focus }: TableProps) {
  const [first, setFirst] = useState(0)
  const { sort: sortText } = route.value.params
  const order = useMemo(() => sorted(items, sortOf(sortText)), [items, sortText])
  const start = first < order.length ? first : 0
  const rows = order.slice(start, start + ROWS)
  return (
    <>
      <Scroll label={text.value.relocations_table}>
        <table class="relocations">
          <thead>
            <tr>
              {SORT_KEYS.map((key) => (
                <SortHeader key={key} name={key} sortText={sortText} />
              ))}
            </tr>
          </thead>
          <tbody
            onMouseLeave={() => {
              focus.value = null
            }}
          >
            {rows.map((item) => (
              <Row key={item.event_id} item={item} focus={focus} />
            ))}
          </tbody>
        </table>
      </Scroll>
      <div class="table-foot">
        <Pager first={start} count={order.length} hasMore={walk.hasMore} go={setFirst} />
        {walk.hasMore && <MoreButtons walk={walk} />}
      </div>
    </>
  )
}

function SortHeader({ name, sortText }: { name: SortKey; sortText: string | undefined }) {
  const sort = sortOf(sortText)
  const label = name === 'old' || name === 'new' ? text.value[`place_${name}`] : text.value[name]
  const next = sort.key === name && sort.isDescending ? name : `${name}:desc`
  const direction = sort.isDescending ? 'descending' : 'ascending'
  return (
    <th
      scope="col"
      class={name === 'distance' ? 'is-number' : ''}
      aria-sort={sort.key === name ? direction : 'none'}
    >
      <button
        type="button"
        class="sort"
        title={fill(text.value.sort_by, { name: label })}
        onClick={() => setParams({ sort: next === 'date:desc' ? undefined : next })}
      >
        {label}
      </button>
    </th>
  )
}

function Row({ item, focus }: { item: Relocation; focus: TableProps['focus'] }) {
  const name = item.name ?? text.value.unnamed
  const mark = useComputed(() => (focus.value === item.event_id ? 'is-focused' : ''))
  const point = () => {
    focus.value = item.event_id
  }
  return (
    <tr class={mark} onMouseEnter={point}>
      <td>
        <When instant={item.occurred_at} dateOnly />
      </td>
      <td class="is-number" data-distance={item.event_id}>
        {item.distance_meters === null ? (
          <abbr title={text.value.unlocated}>—</abbr>
        ) : (
          formatDistance(item.distance_meters)
        )}
      </td>
      <td>
        <button
          type="button"
          class="link"
          aria-label={fill(text.value.open_timeline, { name })}
          onFocus={point}
          onClick={() => showPharmacy(`${item.territory_code}/${item.external_id}`)}
        >
          {name}
        </button>
        <span class="code">
          {item.territory_code} · {item.external_id}
        </span>
      </td>
      <PlaceCell place={item.old} />
      <PlaceCell place={item.new} />
    </tr>
  )
}

function PlaceCell({ place }: { place: Place }) {
  const city = [place.city, place.province].filter(
    (name, i, all) => name && all.indexOf(name) === i,
  )
  return (
    <td>
      <span class="address">{place.address_line ?? '—'}</span>
      <span class="muted">{city.join(', ')}</span>
    </td>
  )
}

function Pager({
  first,
  count,
  hasMore,
  go,
}: {
  first: number
  count: number
  hasMore: boolean
  go: (first: number) => void
}) {
  const last = Math.min(first + ROWS, count)
  const shown = {
    first: formatNumber(first + 1),
    last: formatNumber(last),
    count: formatNumber(count),
  }
  return (
    <div class="pager">
      <button
        type="button"
        class="button"
        disabled={first === 0}
        aria-label={text.value.previous_rows}
        onClick={() => go(Math.max(0, first - ROWS))}
      >
        ‹
      </button>
      <span role="status">
        {fill(text.value.rows_shown, shown)} {hasMore && text.value.rows_more}
      </span>
      <button
        type="button"
        class="button"
        disabled={last >= count}
        aria-label={text.value.next_rows}
        onClick={() => go(first + ROWS)}
      >
        ›
      </button>
    </div>
  )
}

function MoreButtons({ walk }: { walk: Walk<Relocation> }) {
  return (
    <div class="more">
      <button type="button" class="button" disabled={walk.isLoadingMore} onClick={walk.more}>
        {walk.isLoadingMore ? text.value.loading : text.value.load_more}
      </button>
      <button
        type="button"
        class="button"
        disabled={walk.isLoadingMore}
        onClick={() => walk.all(MOST_LOADED)}
      >
        {text.value.load_all}
      </button>
    </div>
  )
}
