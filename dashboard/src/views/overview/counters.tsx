import type { EventType } from '../../../../src/domain/event.ts'
import type { Resource } from '../../api/resource.ts'
import type { Summary } from '../../api/shapes.ts'
import { EVENT_TYPES } from '../../parts/event-types.ts'
import { Mark } from '../../parts/mark.tsx'
import { Panel } from '../../parts/panel.tsx'
import { When } from '../../parts/when.tsx'
import { setParams } from '../../state/route.ts'
import { fill } from '../../text/fill.ts'
import { formatNumber, formatSigned } from '../../text/format.ts'
import { text } from '../../text/language.ts'

interface CountersProps {
  resource: Resource<Summary<EventType>>
  /** null when there is no history to compare with, undefined while it is on its way */
  before: Summary<EventType> | null | undefined
  shown: readonly EventType[]
}

/** One figure for each kind of event, beside that of the window before; pressing one shows or hides its kind. */
export function Counters({ resource, before, shown }: CountersProps) {
  return (
    <Panel
      title={text.value.counters}
      resource={resource}
      class="counters"
      aside={resource.data && <WindowShown {...resource.data} />}
    >
      {(summary) => (
        <ul class="counter-row">
          <li class="counter is-total">
            <span class="counter-name">{text.value.total}</span>
            <strong class="counter-value" data-count="total">
              {formatNumber(summary.total)}
            </strong>
            <Comparison
              now={summary.total}
              before={before === null ? null : before?.total}
              isFull
            />
          </li>
          {EVENT_TYPES.map((type) => (
            <Counter key={type} type={type} {...{ summary, before, shown }} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Counter({
  type,
  summary,
  before,
  shown,
}: {
  type: EventType
  summary: Summary<EventType>
} & Pick<CountersProps, 'before' | 'shown'>) {
  const count = countOf(summary, type)
  return (
    <li class="counter">
      <button
        type="button"
        aria-pressed={shown.includes(type)}
        onClick={() => setParams({ types: toggled(shown, type) })}
      >
        <span class="counter-name">
          <Mark type={type} /> {text.value[`events_${type}`]}
        </span>
        <strong class="counter-value" data-count={type}>
          {formatNumber(count)}
        </strong>
        <Comparison now={count} before={before && countOf(before, type)} />
      </button>
    </li>
  )
}

/** The total says it in a sentence, the kinds beside it in a few words. */
function Comparison({
  now,
  before,
  isFull = false,
}: {
  now: number
  before: number | null | undefined
  isFull?: boolean
}) {
  const { compared, compared_short, compared_same, compared_same_short, compared_none } = text.value
  if (before === undefined || (before === null && !isFull)) {
    return <span class="counter-before"> </span>
  }
  if (before === null) return <span class="counter-before">{compared_none}</span>
  if (before === now) {
    return <span class="counter-before">{isFull ? compared_same : compared_same_short}</span>
  }
  return (
    <span class="counter-before">
      <b>{formatSigned(now - before)}</b>{' '}
      {fill(isFull ? compared : compared_short, { count: formatNumber(before) })}
    </span>
  )
}

function WindowShown({ from, to }: { from: string; to: string }) {
  return (
    <span class="window-shown">
      <When instant={from} /> – <When instant={to} />
    </span>
  )
}

function countOf(summary: Summary<EventType>, type: EventType): number {
  return summary.items.find(({ key }) => key === type)?.count ?? 0
}

/** Hiding the last kind shows all again. */
function toggled(shown: readonly EventType[], type: EventType): string | undefined {
  const next = EVENT_TYPES.filter((other) => (other === type) !== shown.includes(other))
  return next.length === EVENT_TYPES.length ? undefined : next.join(',')
}
