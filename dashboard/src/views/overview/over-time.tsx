import type { EChartsCoreOption } from 'echarts/core'
import { useMemo } from 'preact/hooks'
import type { EventType } from '../../../../src/domain/event.ts'
import type { Resource } from '../../api/resource.ts'
import type { Summary } from '../../api/shapes.ts'
import { Chart } from '../../parts/chart.tsx'
import { Select } from '../../parts/choice.tsx'
import { EVENT_TYPES } from '../../parts/event-types.ts'
import { currentInk, type Ink } from '../../parts/ink.ts'
import { Mark } from '../../parts/mark.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { tipContent, tipStyle } from '../../parts/tip.ts'
import { route, setParams } from '../../state/route.ts'
import type { Interval } from '../../state/span.ts'
import { fill } from '../../text/fill.ts'
import { formatBucket, formatDate, formatNumber } from '../../text/format.ts'
import { text } from '../../text/language.ts'

type Buckets = NonNullable<Summary<EventType>['buckets']>

interface Drawn {
  buckets: Buckets
  shown: readonly EventType[]
  interval: Interval
}

/** Events as stacked columns of days, weeks or months of the user's calendar. */
export function OverTime({
  resource,
  shown,
  interval,
}: {
  resource: Resource<Summary<EventType>>
  shown: readonly EventType[]
  interval: Interval
}) {
  return (
    <Panel
      title={text.value.over_time}
      resource={resource}
      isEmpty={({ total }) => total === 0}
      class="over-time"
      aside={<IntervalPicker />}
    >
      {({ buckets = [] }) => (
        <>
          <Columns buckets={buckets} shown={shown} interval={interval} />
          <Legend shown={shown} />
          <ColumnTable buckets={buckets} shown={shown} interval={interval} />
        </>
      )}
    </Panel>
  )
}

function IntervalPicker() {
  const options = (['auto', 'day', 'week', 'month'] as const).map((name) => ({
    value: name as string,
    label: text.value[`interval_${name}`],
  }))
  return (
    <Select
      label={text.value.interval}
      value={route.value.params.interval ?? 'auto'}
      options={options}
      onChange={(name) => setParams({ interval: name === 'auto' ? undefined : name })}
    />
  )
}

function Columns({ buckets, shown, interval }: Drawn) {
  const ink = currentInk()
  const words = text.value
  // the ink and the words stand for theme and language
  const option = useMemo(
    () => columnsOption({ buckets, shown, interval }, ink),
    [buckets, shown.join(), interval, ink.surface, words],
  )
  const total = buckets.reduce((sum, bucket) => sum + sumOf(bucket.items, shown), 0)
  const label = fill(words.over_time_chart, {
    interval: words[`interval_${interval}`],
    count: formatNumber(total),
  })
  return <Chart label={label} option={option} class="is-columns" />
}

function columnsOption({ buckets, shown, interval }: Drawn, ink: Ink): EChartsCoreOption {
  return {
    animationDuration: 300,
    grid: { left: 4, right: 8, top: 12, bottom: 4, outerBoundsMode: 'same' },
    tooltip: {
      ...tipStyle(ink),
      trigger: 'axis',
      axisPointer: { type: 'shadow', shadowStyle: { color: ink.muted, opacity: 0.12 } },
      formatter: (points: { dataIndex: number }[]) =>
        tipOf(buckets[points[0]?.dataIndex ?? 0], ink),
    },
    xAxis: {
      type: 'category',
      data: buckets.map(({ start }) => formatBucket(start, interval)),
      axisLabel: { color: ink.muted, hideOverlap: true },
      axisLine: { lineStyle: { color: ink.line } },
      axisTick: { show: false },
    },
    yAxis: {
      type: 'value',
      minInterval: 1,
      axisLabel: { color: ink.muted, formatter: formatNumber },
      splitLine: { lineStyle: { color: ink.line } },
    },
    series: EVENT_TYPES.filter((type) => shown.includes(type)).map((type) => ({
      id: type,
      type: 'bar',
      stack: 'events',
      barMaxWidth: 44,
      itemStyle: { color: ink.events[type], borderColor: ink.surface, borderWidth: 1 },
      // A column of nothing would still draw its border.
      data: buckets.map(({ items }) => items.find(({ key }) => key === type)?.count || null),
    })),
  }
}

function tipOf(bucket: Buckets[number] | undefined, ink: Ink): HTMLElement | string {
  if (!bucket) return ''
  const lines = bucket.items
    .filter(({ count }) => count > 0)
    .map(({ key, count }) => ({
      mark: ink.events[key],
      name: text.value[`events_${key}`],
      value: formatNumber(count),
    }))
  return tipContent(formatDate(bucket.start), lines)
}

function Legend({ shown }: { shown: readonly EventType[] }) {
  return (
    <ul class="legend" aria-label={text.value.legend}>
      {EVENT_TYPES.filter((type) => shown.includes(type)).map((type) => (
        <li key={type}>
          <Mark type={type} /> {text.value[`events_${type}`]}
        </li>
      ))}
    </ul>
  )
}

function ColumnTable({ buckets, shown, interval }: Drawn) {
  const types = EVENT_TYPES.filter((type) => shown.includes(type))
  return (
    <details class="as-table">
      <summary>{text.value.as_table}</summary>
      <Scroll label={text.value.over_time}>
        <table>
          <thead>
            <tr>
              <th scope="col">{text.value[`interval_${interval}`]}</th>
              {types.map((type) => (
                <th scope="col" key={type} class="is-number">
                  {text.value[`events_${type}`]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {buckets.map(({ start, items }) => (
              <tr key={start}>
                <th scope="row">{formatDate(start)}</th>
                {types.map((type) => (
                  <td key={type} class="is-number">
                    {formatNumber(items.find(({ key }) => key === type)?.count ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  )
}

function sumOf(items: Buckets[number]['items'], shown: readonly EventType[]): number {
  return items.reduce((sum, { key, count }) => sum + (shown.includes(key) ? count : 0), 0)
}
