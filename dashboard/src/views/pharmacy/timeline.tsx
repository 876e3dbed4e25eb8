import type { EventShown, EventSide } from '../../api/shapes.ts'
import { Mark } from '../../parts/mark.tsx'
import { When } from '../../parts/when.tsx'
import { text } from '../../text/language.ts'
import { Difference, type Field } from './difference.tsx'

/** The events of a pharmacy, newest first, each with what it changed. */
export function Timeline({ events }: { events: readonly EventShown[] }) {
  return (
    <section aria-labelledby="timeline">
      <h3 id="timeline">{text.value.timeline_events}</h3>
      {events.length === 0 && <p class="muted">{text.value.timeline_none}</p>}
      <ol class="timeline">
        {events.map((event) => (
          <li key={event.event_id}>
            <p class="timeline-head">
              <Mark type={event.event_type} />
              <strong>{text.value[`event_${event.event_type}`]}</strong>
              <When instant={event.occurred_at} />
            </p>
            <Difference fields={differing(event)} />
          </li>
        ))}
      </ol>
    </section>
  )
}

const FIELDS = [
  'owner_name',
  'is_active',
  'address_line',
  'postal_code',
  'city',
  'province',
] as const

/** What one side says otherwise than the other; of an opening or a removal there is only one side. */
function differing({ old, new: now }: EventShown): Field[] {
  return FIELDS.filter((field) => field in old || field in now).flatMap((field) =>
    old[field] === now[field] ? [] : [{ field, old: shown(old, field), new: shown(now, field) }],
  )
}

function shown(side: EventSide, field: (typeof FIELDS)[number]): string | null | undefined {
  const value = side[field]
  if (typeof value !== 'boolean') return value
  return value ? text.value.record_active : text.value.record_inactive
}
