import type { ECharts, EChartsCoreOption } from 'echarts/core'
import { useMemo } from 'preact/hooks'
import { PROVINCES, provinceByCode, provinceByName } from '../../../../src/domain/provinces.ts'
import type { Resource } from '../../api/resource.ts'
import type { Summary } from '../../api/shapes.ts'
import { classBreaks, classOf, stepOf } from '../../map/breaks.ts'
import { SPAIN } from '../../map/projection.ts'
import { Chart } from '../../parts/chart.tsx'
import { currentInk, type Ink } from '../../parts/ink.ts'
import { Panel } from '../../parts/panel.tsx'
import { tipContent, tipStyle } from '../../parts/tip.ts'
import { route, setParams } from '../../state/route.ts'
import { fill } from '../../text/fill.ts'
import { formatNumber } from '../../text/format.ts'
import { text } from '../../text/language.ts'
import { Bar } from './territory-ranking.tsx'

/** Provinces coloured by their number of events, with the figures in a table beside. */
export function ProvinceMap({ resource, chosen }: { resource: Resource<Summary>; chosen: string }) {
  return (
    <Panel
      title={text.value.by_province}
      resource={resource}
      isEmpty={({ total }) => total === 0}
      class="by-province"
    >
      {({ items }) => (
        <div class="map-and-table">
          <Choropleth items={items} chosen={chosen} />
          <ProvinceTable items={items} chosen={chosen} />
        </div>
      )}
    </Panel>
  )
}

function Choropleth({ items, chosen }: { items: Summary['items']; chosen: string }) {
  const ink = currentInk()
  const breaks = classBreaks(items.map(({ count }) => count))
  // the surface colour stands for the theme
  const option = useMemo(
    () => mapOption(items, { breaks, chosen, ink }),
    [items, chosen, ink.surface, text.value],
  )
  return (
    <div class="choropleth">
      <Chart label={text.value.by_province_map} option={option} onReady={filterOnClick} needsMap />
      <ul class="legend" aria-label={text.value.legend}>
        <li>
          <i class="swatch" /> {text.value.legend_none}
        </li>
        {breaks.map((from, index) => (
          <li key={from}>
            <i class={`swatch is-${stepOf(index, breaks.length) + 1}`} />{' '}
            {rangeOf(from, breaks[index + 1], items)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function rangeOf(from: number, next: number | undefined, items: Summary['items']): string {
  const last = next === undefined ? Math.max(...items.map(({ count }) => count)) : next - 1
  return last === from ? formatNumber(from) : `${formatNumber(from)}–${formatNumber(last)}`
}

function mapOption(
  items: Summary['items'],
  { breaks, chosen, ink }: { breaks: readonly number[]; chosen: string; ink: Ink },
): EChartsCoreOption {
  const counts = new Map(
    items.flatMap(({ key, count }) => {
      const code = key === null ? undefined : provinceByName(key)?.code
      return code === undefined ? [] : [[code, count] as const]
    }),
  )
  return {
    animation: false,
    tooltip: {
      ...tipStyle(ink),
      formatter: ({ name }: { name: string }) => {
        const province = provinceByCode(name)
        if (!province) return ''
        const value = formatNumber(counts.get(name) ?? 0)
        return tipContent(province.name, [{ name: text.value.events, value }])
      },
    },
    series: [
      {
        type: 'map',
        map: 'provinces',
        projection: SPAIN,
        preserveAspect: 'contain',
        left: 4,
        right: 4,
        top: 4,
        bottom: 4,
        selectedMode: false,
        label: { show: false },
        itemStyle: { areaColor: ink.land, borderColor: ink.surface, borderWidth: 1 },
        emphasis: {
          label: { show: false },
          itemStyle: { areaColor: 'inherit', borderColor: ink.text, borderWidth: 2 },
        },
        data: [
          ...PROVINCES.map(({ code, name }) => {
            const count = counts.get(code) ?? 0
            const step = stepOf(classOf(count, breaks), breaks.length)
            const areaColor = (count > 0 ? ink.ramp[step] : undefined) ?? ink.land
            const border = name === chosen ? { borderColor: ink.text, borderWidth: 2 } : {}
            return {
              name: code,
              value: count,
              itemStyle: { areaColor, ...border },
              emphasis: { itemStyle: { areaColor } },
            }
          }),
          { name: 'frame', itemStyle: { borderColor: ink.line }, tooltip: { show: false } },
        ],
      },
    ],
  }
}

function filterOnClick(chart: ECharts): void {
  chart.on('click', ({ name }) => {
    const province = provinceByCode(name)
    if (province) setParams({ province: toggled(province.name) })
  })
}

/** A second click takes the filter away. */
function toggled(province: string): string | undefined {
  return route.value.params.province === province ? undefined : province
}

function ProvinceTable({ items, chosen }: { items: Summary['items']; chosen: string }) {
  return (
    <ol class="bars is-dense">
      {items.map(({ key, count }) => {
        const name = key ?? text.value.unknown_place
        return (
          <li key={name}>
            <button
              type="button"
              disabled={key === null}
              aria-pressed={key !== null && key === chosen}
              title={fill(text.value.filter_by, { name })}
              onClick={() => key !== null && setParams({ province: toggled(key) })}
            >
              <span class="bar-name">{name}</span>{' '}
              <span class="bar-value" data-province={key ?? ''}>
                {formatNumber(count)}
              </span>
              <Bar share={count / Math.max(1, items[0]?.count ?? 0)} />
            </button>
          </li>
        )
      })}
    </ol>
  )
}
