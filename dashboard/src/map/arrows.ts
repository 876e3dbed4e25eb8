import { echarts } from '../parts/echarts.ts'

/** How many arrows one shape draws: one stroke for many keeps ten thousand of them below a frame. */
export const CHUNK = 1000

const HEAD_PX = 7
/** A shorter move shows as a dot where the pharmacy is now. */
const DOT_BELOW_PX = 5
const DOT_PX = 1.6

interface ArrowsShape {
  pixels: Float32Array
  /** moves drawn, from and up to */
  from: number
  to: number
  width: number
  height: number
}

interface Pen {
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
  rect(x: number, y: number, width: number, height: number): void
}

const Arrows = echarts.graphic.extendShape({
  type: 'arrows',
  shape: { pixels: new Float32Array(), from: 0, to: 0, width: 0, height: 0 },
  buildPath(pen: Pen, shape: ArrowsShape) {
    for (let move = shape.from; move < shape.to; move++) drawMove(pen, shape, move * 4)
  },
  // Measuring thousands of lines costs more than drawing them where nobody looks.
  getBoundingRect(this: { shape: ArrowsShape }) {
    return new echarts.graphic.BoundingRect(0, 0, this.shape.width, this.shape.height)
  },
})

/** Makes the shape known to custom series. */
export function registerArrows(): void {
  echarts.graphic.registerShape('arrows', Arrows)
}

function drawMove(pen: Pen, { pixels, width, height }: ArrowsShape, i: number): void {
  const [x0, y0] = [pixels[i] ?? 0, pixels[i + 1] ?? 0]
  const [x1, y1] = [pixels[i + 2] ?? 0, pixels[i + 3] ?? 0]
  if (Math.max(x0, x1) < 0 || Math.min(x0, x1) > width) return
  if (Math.max(y0, y1) < 0 || Math.min(y0, y1) > height) return
  const [dx, dy] = [x1 - x0, y1 - y0]
  const length = Math.hypot(dx, dy)
  if (length < DOT_BELOW_PX) {
    pen.rect(x1 - DOT_PX / 2, y1 - DOT_PX / 2, DOT_PX, DOT_PX)
    return
  }
  const head = Math.min(HEAD_PX, length * 0.6) / length
  const [backX, backY, sideX, sideY] = [dx * head, dy * head, dy * head * 0.45, dx * head * 0.45]
  pen.moveTo(x0, y0)
  pen.lineTo(x1, y1)
  pen.moveTo(x1 - backX + sideX, y1 - backY - sideY)
  pen.lineTo(x1, y1)
  pen.lineTo(x1 - backX - sideX, y1 - backY + sideY)
}
