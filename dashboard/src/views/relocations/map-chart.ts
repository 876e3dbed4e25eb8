import type { ECharts, EChartsCoreOption } from 'echarts/core'
import { type Extent, type View, viewOf } from '../../map/moves.ts'
import { SPAIN } from '../../map/projection.ts'
import { openChart } from '../../parts/chart.tsx'
import type { Ink } from '../../parts/ink.ts'

const MOST_ZOOM = 400
/** Part of the map that the data may fill. */
const FILL = 0.86

/** The outlines, and where the map stands. The arrows lie above on a canvas of their own, the rest as SVG. */
export interface MapChart {
  paint(ink: Ink): void
  /** whether the pointer moves the map */
  setRoaming(isRoaming: boolean): void
  /** shows this part of the plane, or all of Spain */
  fit(extent: Extent | null): void
  pan(dx: number, dy: number): void
  zoom(factor: number): void
  pointAt(x: number, y: number): { latitude: number; longitude: number }
  close(): void
}

export async function openMapChart(
  box: HTMLElement,
  onView: (view: View) => void,
): Promise<MapChart> {
  const chart = await openChart(box, true)
  if (!chart) throw new Error('no place for the map')
  chart.setOption(baseOption())
  const currentView = () => viewOf((point) => chart.convertToPixel('geo', point) as number[])
  watchView(chart, currentView, onView)
  const watcher = new ResizeObserver(() => chart.resize())
  watcher.observe(box)
  const roam = (payload: object) =>
    chart.dispatchAction({ type: 'geoRoam', componentType: 'geo', ...payload })

  return {
    paint: ({ land, shore }) =>
      chart.setOption({ geo: { itemStyle: { areaColor: land, borderColor: shore } } }),
    setRoaming: (isRoaming) => chart.setOption({ geo: { roam: isRoaming } }),
    fit(extent) {
      const zoomNow = zoomOf(chart)
      if (!extent) return chart.setOption({ geo: { center: null, zoom: 1 } })
      const perUnit = Math.min(
        chart.getWidth() / Math.max(extent.width, 0.1),
        chart.getHeight() / Math.max(extent.height, 0.1),
      )
      const zoom = (zoomNow * perUnit * FILL) / currentView().scaleX
      const bounded = Math.min(Math.max(zoom, 1), MOST_ZOOM / 4)
      chart.setOption({ geo: { center: bounded === 1 ? null : extent.center, zoom: bounded } })
    },
    pan: (dx, dy) => roam({ dx, dy }),
    zoom: (factor) =>
      roam({ zoom: factor, originX: chart.getWidth() / 2, originY: chart.getHeight() / 2 }),
    pointAt(x, y) {
      const [longitude = 0, latitude = 0] = chart.convertFromPixel('geo', [x, y]) as number[]
      return { latitude, longitude }
    },
    close() {
      watcher.disconnect()
      chart.dispose()
    },
  }
}

function baseOption(): EChartsCoreOption {
  return {
    animation: false,
    geo: {
      map: 'provinces',
      projection: SPAIN,
      preserveAspect: 'contain',
      left: 8,
      right: 8,
      top: 8,
      bottom: 8,
      roam: true,
      scaleLimit: { min: 1, max: MOST_ZOOM },
      selectedMode: false,
      silent: true,
      emphasis: { disabled: true },
      label: { show: false },
    },
  }
}

/** Tells the new view after whatever changed it: a drag, a wheel, a resize, an option. */
function watchView(chart: ECharts, currentView: () => View, onView: (view: View) => void): void {
  let told = ''
  chart.on('rendered', () => {
    const view = currentView()
    const next = Object.values(view).join()
    if (next === told) return
    told = next
    onView(view)
  })
}

function zoomOf(chart: ECharts): number {
  const { geo } = chart.getOption() as { geo: { zoom?: number }[] }
  return geo[0]?.zoom ?? 1
}
