import type { Point } from '../../../../src/domain/distance.ts'
import type { Relocation } from '../../api/shapes.ts'
import type { View } from '../../map/moves.ts'
import { SPAIN } from '../../map/projection.ts'
import { formatDate, formatDistance } from '../../text/format.ts'
import { text } from '../../text/language.ts'
import { METERS_PER_DEGREE, type Near, SIDES } from './near.ts'

/** Less room than this above a point, and its tip goes below. */
const TIP_PX = 130

interface Focused {
  pixels: Float32Array
  index: number
  item: Relocation | undefined
}

/** What lies above the arrows: the radius, and the one relocation that is pointed at. */
export function MapOverlay({
  view,
  near,
  focused,
}: {
  view: View
  near: Near
  focused: Focused | null
}) {
  return (
    <>
      <svg class="map-overlay" aria-hidden="true" focusable="false">
        {SIDES.map((side) => {
          const point = near[side]
          return point && <Circle key={side} {...{ side, point, radius: near.radius, view }} />
        })}
        {focused && <FocusedMove {...focused} />}
      </svg>
      {focused?.item && <Tip {...focused} item={focused.item} />}
    </>
  )
}

function Circle({
  side,
  point,
  radius,
  view,
}: {
  side: string
  point: Point
  radius: number
  view: View
}) {
  const [x = 0, y = 0] = SPAIN.project([point.longitude, point.latitude])
  const [atX, atY] = [x * view.scaleX + view.left, y * view.scaleY + view.top]
  const degrees = radius / METERS_PER_DEGREE
  // A circle on the ground is an ellipse on the plane, except at the latitude that the plane is true at.
  const [unit = 1] = SPAIN.project([1, 60])
  const widthUnits = (degrees / Math.cos((point.latitude * Math.PI) / 180)) * unit
  return (
    <g class={`near-circle is-${side}`}>
      <ellipse
        cx={atX}
        cy={atY}
        rx={widthUnits * Math.abs(view.scaleX)}
        ry={degrees * Math.abs(view.scaleY)}
      />
      <circle cx={atX} cy={atY} r={4} />
    </g>
  )
}

function FocusedMove({ pixels, index }: Focused) {
  const [x0, y0, x1, y1] = pixels.subarray(index * 4, index * 4 + 4)
  return (
    <g class="focused-move">
      <line x1={x0} y1={y0} x2={x1} y2={y1} />
      <circle class="is-old" cx={x0} cy={y0} r={5} />
      <circle class="is-new" cx={x1} cy={y1} r={5} />
    </g>
  )
}

function Tip({ item, pixels, index }: Focused & { item: Relocation }) {
  const [left = 0, top = 0] = pixels.subarray(index * 4 + 2, index * 4 + 4)
  return (
    <div
      class={top < TIP_PX ? 'map-tip is-below' : 'map-tip'}
      style={{ left: `${left}px`, top: `${top}px` }}
    >
      <strong>{item.name ?? text.value.unnamed}</strong>
      <span>
        {item.old.address_line ?? '—'}, {item.old.city ?? '—'} → {item.new.address_line ?? '—'},{' '}
        {item.new.city ?? '—'}
      </span>
      <span>
        {formatDate(item.occurred_at)}
        {item.distance_meters !== null && ` · ${formatDistance(item.distance_meters)}`}
      </span>
    </div>
  )
}
