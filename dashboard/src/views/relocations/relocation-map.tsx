import type { Signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Relocation } from '../../api/shapes.ts'
import { type ArrowLayer, openArrowLayer } from '../../map/arrow-layer.ts'
import { extentOf, movesOf, pixelsOf, type View } from '../../map/moves.ts'
import { currentInk } from '../../parts/ink.ts'
import { fill } from '../../text/fill.ts'
import { formatNumber } from '../../text/format.ts'
import { text } from '../../text/language.ts'
import type { MapChart } from './map-chart.ts'
import { MapOverlay } from './map-overlay.tsx'
import { MapSurface } from './map-surface.tsx'
import { type MapMode, MapTools } from './map-tools.tsx'
import { edgesOf, type Near } from './near.ts'

interface RelocationMapProps {
  items: readonly Relocation[]
  /** false until the first answer is there */
  isLoaded: boolean
  near: Near
  /** what was asked; the map is fitted anew when it changes */
  question: string
  focus: Signal<string | null>
}

/** Old → new as arrows; a point and a radius can be drawn onto it. */
export function RelocationMap({ items, isLoaded, near, question, focus }: RelocationMapProps) {
  const [mode, setMode] = useState<MapMode>('move')
  const [draft, setDraft] = useState<Near | null>(null)
  const moves = useMemo(() => movesOf(items), [items])
  const { box, chart, view } = useMapChart()
  const ink = currentInk()
  const pixels = useMemo(() => view && pixelsOf(moves.plane, view), [moves, view])
  const fitted = useRef('')
  const extent = useMemo(() => extentOf([...moves.plane, ...edgesOf(near)]), [moves, question])

  // The surface colour stands for the theme.
  useEffect(() => chart?.paint(ink), [chart, ink.surface])
  useEffect(() => {
    if (!chart || !extent || fitted.current === question) return
    fitted.current = question
    chart.fit(extent)
  }, [chart, moves])
  useEffect(() => chart?.setRoaming(mode === 'move'), [chart, mode])

  const wanted = focus.value
  const focused = moves.items.findIndex(({ event_id: id }) => id === wanted)
  return (
    <div class="map">
      <MapTools mode={mode} onMode={setMode} chart={chart} fit={() => chart?.fit(extent)} />
      <MapSurface
        {...{ mode, near, chart, moves, pixels, focus }}
        onDraft={setDraft}
        isReady={view !== null}
      >
        <div ref={box} class="map-canvas" />
        {pixels && <Arrows pixels={pixels} color={ink.events.relocated} />}
        {view && pixels && (
          <MapOverlay
            view={view}
            near={draft ?? near}
            focused={focused >= 0 ? { pixels, index: focused, item: moves.items[focused] } : null}
          />
        )}
      </MapSurface>
      <p class="map-note">
        {isLoaded &&
          fill(text.value.map_count, {
            shown: formatNumber(items.length),
            mapped: formatNumber(moves.items.length),
          })}
        {mode !== 'move' && <strong> {text.value.pick_help}</strong>}
      </p>
    </div>
  )
}

function Arrows({ pixels, color }: { pixels: Float32Array; color: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const layer = useRef<ArrowLayer | null>(null)
  useEffect(() => () => layer.current?.close(), [])
  // Before the next frame, so that the arrows never lag behind the map.
  useLayoutEffect(() => {
    if (canvas.current) layer.current ??= openArrowLayer(canvas.current)
    layer.current?.draw(pixels, color)
  }, [pixels, color])
  return <canvas ref={canvas} class="map-arrows" />
}

function useMapChart() {
  const box = useRef<HTMLDivElement>(null)
  const [chart, setChart] = useState<MapChart | null>(null)
  const [view, setView] = useState<View | null>(null)
  useEffect(() => {
    let opened: MapChart | undefined
    let isGone = false
    if (!box.current) return
    // The map brings the drawing library with it, so it comes when it is looked at.
    const openInto = async (place: HTMLElement) => {
      const { openMapChart } = await import('./map-chart.ts')
      return openMapChart(place, setView)
    }
    void openInto(box.current).then((made) => {
      opened = made
      if (isGone) made.close()
      else setChart(made)
    })
    return () => {
      isGone = true
      opened?.close()
    }
  }, [])
  return { box, chart, view }
}
