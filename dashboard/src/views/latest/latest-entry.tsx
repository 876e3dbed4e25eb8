import type { LatestItem, Place } from '../../api/shapes.ts'
import { When } from '../../parts/when.tsx'
import { showPharmacy } from '../../state/route.ts'
import { fill } from '../../text/fill.ts'
import { text } from '../../text/language.ts'
import { territoryName } from '../../text/territory-names.ts'

/** One pharmacy of a list; pressing it opens its history. */
export function LatestEntry({ item }: { item: LatestItem }) {
  const name = item.name ?? text.value.unnamed
  return (
    <li class="entry">
      <p class="entry-head">
        <button
          type="button"
          class="link"
          aria-label={fill(text.value.open_timeline, { name })}
          onClick={() => showPharmacy(`${item.territory_code}/${item.external_id}`)}
        >
          {name}
        </button>
        {item.closure_kind && (
          <span class={`badge is-${item.closure_kind}`}>
            {text.value[`event_${item.closure_kind}`]}
          </span>
        )}
      </p>
      {item.old && item.new ? <Moved old={item.old} new={item.new} /> : <p>{placeText(item)}</p>}
      <p class="entry-foot">
        <When instant={item.occurred_at} /> · {territoryName(item.territory_code)} ·{' '}
        {item.external_id}
      </p>
    </li>
  )
}

function Moved({ old, new: now }: { old: Place; new: Place }) {
  return (
    <dl class="moved">
      <dt>{text.value.map_old}</dt>
      <dd class="is-gone">{placeText(old)}</dd>
      <dt>{text.value.map_new}</dt>
      <dd>{placeText(now)}</dd>
    </dl>
  )
}

function placeText({ address_line, postal_code, city, province }: Place): string {
  const town = [postal_code, city].filter(Boolean).join(' ')
  const parts = [address_line, town, province === city ? null : province].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : '—'
}
