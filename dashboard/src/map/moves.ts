import type { Relocation } from '../api/shapes.ts'
import { SPAIN } from './projection.ts'

/** Relocations with both points, laid out on the plane of the map: x0, y0, x1, y1 each. */
export interface Moves {
  items: Relocation[]
  plane: Float64Array
}

/** From the plane to pixels; north is up, so `scaleY` has the sign of `scaleX`, as y grows southwards on the plane. */
export interface View {
  scaleX: number
  scaleY: number
  left: number
  top: number
}

export function movesOf(relocations: readonly Relocation[]): Moves {
  const items = relocations.filter(({ old, new: now }) => isLocated(old) && isLocated(now))
  const plane = new Float64Array(items.length * 4)
  items.forEach(({ old, new: now }, index) => {
    plane.set(planePoint(old), index * 4)
    plane.set(planePoint(now), index * 4 + 2)
  })
  return { items, plane }
}

/** Pixels of every move under a view. */
export function pixelsOf(plane: Float64Array, view: View): Float32Array {
  const pixels = new Float32Array(plane.length)
  for (let i = 0; i < plane.length; i += 2) {
    pixels[i] = (plane[i] ?? 0) * view.scaleX + view.left
    pixels[i + 1] = (plane[i + 1] ?? 0) * view.scaleY + view.top
  }
  return pixels
}

/** The view, from where two points of the mainland are drawn. */
export function viewOf(toPixel: (point: [number, number]) => number[]): View {
  const a: [number, number] = [-6, 37]
  const b: [number, number] = [2, 43]
  const [planeA = [], planeB = [], pixelA = [], pixelB = []] = [
    SPAIN.project(a),
    SPAIN.project(b),
    toPixel(a),
    toPixel(b),
  ]
  const scaleOf = (axis: 0 | 1) =>
    ((pixelB[axis] ?? 0) - (pixelA[axis] ?? 0)) / ((planeB[axis] ?? 0) - (planeA[axis] ?? 0))
  const [scaleX, scaleY] = [scaleOf(0), scaleOf(1)]
  return {
    scaleX,
    scaleY,
    left: (pixelA[0] ?? 0) - (planeA[0] ?? 0) * scaleX,
    top: (pixelA[1] ?? 0) - (planeA[1] ?? 0) * scaleY,
  }
}

/** The move nearest to a pixel, within reach; its line counts as well as its ends. */
export function moveAt(
  pixels: Float32Array,
  { x, y, reach }: { x: number; y: number; reach: number },
): number | null {
  let [best, bestSquare]: [number | null, number] = [null, reach * reach]
  for (let i = 0; i < pixels.length; i += 4) {
    const square = squareToSegment(pixels, i, x, y)
    if (square >= bestSquare) continue
    bestSquare = square
    best = i / 4
  }
  return best
}

export interface Extent {
  center: [number, number]
  width: number
  height: number
}

/** Centre and extent of points on the plane, x and y in turn; null without any. */
export function extentOf(plane: ArrayLike<number>): Extent | null {
  if (plane.length === 0) return null
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let i = 0; i < plane.length; i += 2) {
    const [x, y] = [plane[i] ?? 0, plane[i + 1] ?? 0]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return {
    center: [(left + right) / 2, (top + bottom) / 2],
    width: right - left,
    height: bottom - top,
  }
}

/** Plain numbers throughout: this runs for every move whenever the pointer does. */
function squareToSegment(pixels: Float32Array, i: number, x: number, y: number): number {
  const ax = pixels[i] ?? 0
  const ay = pixels[i + 1] ?? 0
  const dx = (pixels[i + 2] ?? 0) - ax
  const dy = (pixels[i + 3] ?? 0) - ay
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : ((x - ax) * dx + (y - ay) * dy) / length
  const t = Math.max(0, Math.min(1, along))
  const offX = x - ax - t * dx
  const offY = y - ay - t * dy
  return offX * offX + offY * offY
}

function isLocated({ latitude, longitude }: Relocation['old']): boolean {
  return latitude !== null && longitude !== null
}

function planePoint({ latitude, longitude }: Relocation['old']): number[] {
  return SPAIN.project([longitude ?? 0, latitude ?? 0])
}
