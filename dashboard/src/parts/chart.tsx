import type { ECharts, EChartsCoreOption } from 'echarts/core'
import { useEffect, useRef } from 'preact/hooks'

interface ChartProps {
  /** what the drawing says, for those who do not see it */
  label: string
  class?: string
  option: EChartsCoreOption
  /** called once when the chart is there */
  onReady?: (chart: ECharts) => void
  /** the outlines it needs are registered under `provinces` */
  needsMap?: boolean
}

/** A drawing by ECharts, which is loaded when the first one is shown. */
export function Chart({ label, class: extra = '', option, onReady, needsMap = false }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts | null>(null)
  const latest = useRef(option)
  latest.current = option

  // made once; what changes arrives below
  useEffect(() => {
    let isGone = false
    const watcher = new ResizeObserver(() => chart.current?.resize())
    void openChart(box.current, needsMap).then((made) => {
      if (isGone || made === null) return made?.dispose()
      made.setOption(latest.current)
      chart.current = made
      if (box.current) watcher.observe(box.current)
      onReady?.(made)
      if (box.current) box.current.dataset.ready = 'true'
    })
    return () => {
      isGone = true
      watcher.disconnect()
      chart.current?.dispose()
      chart.current = null
    }
  }, [])

  useEffect(() => {
    chart.current?.setOption(option, { replaceMerge: ['series'] })
  }, [option])

  return <div ref={box} class={`chart ${extra}`} role="img" aria-label={label} />
}

/** Loads what drawings need while the figures are still on their way. */
export function warmUp(): void {
  void Promise.all([import('./echarts.ts'), registerMap()])
}

/** Loads the library, and with it the outlines where a map is drawn. */
export async function openChart(
  box: HTMLElement | null,
  needsMap: boolean,
): Promise<ECharts | null> {
  const [{ echarts }] = await Promise.all([import('./echarts.ts'), needsMap && registerMap()])
  if (!box) return null
  // A canvas inherits no font.
  const { fontFamily } = getComputedStyle(box)
  return echarts.init(box, { textStyle: { fontFamily } })
}

let registered: Promise<void> | undefined

function registerMap(): Promise<void> {
  registered ??= (async () => {
    const [{ echarts }, { boundariesOf }, { default: atlas }] = await Promise.all([
      import('./echarts.ts'),
      import('../map/boundaries.ts'),
      import('es-atlas/es/provinces.json'),
    ])
    // GeoJSON of its own types; ECharts declares a looser copy.
    echarts.registerMap('provinces', boundariesOf(atlas) as never)
  })()
  return registered
}
