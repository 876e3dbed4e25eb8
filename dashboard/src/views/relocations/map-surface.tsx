import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { distanceMeters, type Point } from '../../../../src/domain/distance.ts'
import { type Moves, moveAt } from '../../map/moves.ts'
import { setParams, showPharmacy } from '../../state/route.ts'
import { text } from '../../text/language.ts'
import type { MapChart } from './map-chart.ts'
import { type MapMode, ZOOM_STEP } from './map-tools.tsx'
import { type Near, pointText } from './near.ts'

const REACH_PX = 8
/** A press that moves less is a click. */
const CLICK_PX = 4
const PAN_PX = 60

interface SurfaceProps {
  mode: MapMode
  near: Near
  chart: MapChart | null
  moves: Moves
  pixels: Float32Array | null
  isReady: boolean
  focus: Signal<string | null>
  /** the radius while it is drawn */
  onDraft: (near: Near | null) => void
  children: ComponentChildren
}

interface Press {
  x: number
  y: number
  center: Point
}

/** Takes pointer and keys: shows what lies under the pointer, draws a radius, moves the map. */
export function MapSurface(props: SurfaceProps) {
  const { mode, isReady, children } = props
  const press = useRef<Press | null>(null)
  return (
    <div
      class={`map-surface is-mode-${mode}`}
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a map is moved by keys, and says so in its label
      tabIndex={0}
      aria-label={text.value.map_label}
      data-ready={isReady}
      onKeyDown={(event) => onKey(event, props.chart)}
      onPointerDown={(event) => {
        press.current = pressOf(event, props)
        if (mode !== 'move') event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => onMove(event, press.current, props)}
      onPointerUp={(event) => {
        onRelease(event, press.current, props)
        press.current = null
      }}
      onPointerLeave={() => {
        if (press.current === null) props.focus.value = null
      }}
    >
      {children}
    </div>
  )
}

function pressOf(event: PointerEvent, { chart }: SurfaceProps): Press | null {
  const { x, y } = placeOf(event)
  return chart && { x, y, center: chart.pointAt(x, y) }
}

function onMove(event: PointerEvent, press: Press | null, props: SurfaceProps): void {
  const place = placeOf(event)
  if (props.mode === 'move') {
    if (press === null) props.focus.value = eventAt(place, props)
    return
  }
  if (press) props.onDraft(drawn(place, press, props))
}

function onRelease(event: PointerEvent, press: Press | null, props: SurfaceProps): void {
  if (!press) return
  const place = placeOf(event)
  const { mode } = props
  if (mode !== 'move') {
    const near = drawn(place, press, props)
    props.onDraft(null)
    const radius = String(Math.round(near.radius))
    setParams({ [`near_${mode}`]: pointText(press.center), radius })
    return
  }
  const id = isClick(place, press) ? eventAt(place, props) : null
  const item = props.moves.items.find(({ event_id }) => event_id === id)
  if (item) showPharmacy(`${item.territory_code}/${item.external_id}`)
}

/** A click keeps the radius, a drag gives it. */
function drawn(place: { x: number; y: number }, press: Press, props: SurfaceProps): Near {
  const { mode, near, chart } = props
  const edge = chart?.pointAt(place.x, place.y)
  const radius =
    isClick(place, press) || !edge ? near.radius : Math.max(1, distanceMeters(press.center, edge))
  return { ...near, radius, ...(mode === 'move' ? {} : { [mode]: press.center }) }
}

function eventAt(place: { x: number; y: number }, { pixels, moves }: SurfaceProps): string | null {
  if (!pixels) return null
  const index = moveAt(pixels, { ...place, reach: REACH_PX })
  return index === null ? null : (moves.items[index]?.event_id ?? null)
}

function isClick(place: { x: number; y: number }, press: Press): boolean {
  return Math.hypot(place.x - press.x, place.y - press.y) < CLICK_PX
}

function placeOf(event: PointerEvent): { x: number; y: number } {
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect()
  return { x: event.clientX - box.left, y: event.clientY - box.top }
}

const PANS: Readonly<Record<string, [number, number]>> = {
  ArrowLeft: [PAN_PX, 0],
  ArrowRight: [-PAN_PX, 0],
  ArrowUp: [0, PAN_PX],
  ArrowDown: [0, -PAN_PX],
}

function onKey(event: KeyboardEvent, chart: MapChart | null): void {
  const pan = PANS[event.key]
  if (pan) chart?.pan(...pan)
  else if (event.key === '+') chart?.zoom(ZOOM_STEP)
  else if (event.key === '-') chart?.zoom(1 / ZOOM_STEP)
  else return
  event.preventDefault()
}
