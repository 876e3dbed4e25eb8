/** A canvas above the map that draws the moves: thousands of them, without an object for each. */
export interface ArrowLayer {
  /** x0, y0, x1, y1 of each move, in CSS pixels */
  draw(pixels: Float32Array, color: string): void
  close(): void
}

/** A frame has 16 ms; what does not fit into this part of it is drawn in the next one. */
const BUDGET_MS = 8
/** Moves that one stroke draws, and after which the clock is looked at. */
const CHUNK = 500
const HEAD_PX = 7
const HALF_WIDTH = 0.45
/** A shorter move shows as a dot where the pharmacy is now. */
const DOT_BELOW_PX = 5
const DOT_PX = 2.5
/** More arrows than this are a device pixel wide: ten times as fast, and no thinner than such a crowd bears. */
const CROWD = 1500
const ARROW_PX = 1.6

export function openArrowLayer(canvas: HTMLCanvasElement): ArrowLayer {
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('no canvas')
  let pending = 0

  const drawFrom = (start: number, pixels: Float32Array) => {
    const began = performance.now()
    let at = start
    while (at < pixels.length && performance.now() - began < BUDGET_MS) {
      const end = Math.min(at + CHUNK * 4, pixels.length)
      strokeMoves(pen, pixels, at, end)
      at = end
    }
    pending = at < pixels.length ? requestAnimationFrame(() => drawFrom(at, pixels)) : 0
  }

  return {
    draw(pixels, color) {
      cancelAnimationFrame(pending)
      const ratio = window.devicePixelRatio
      clear(canvas, pen, ratio)
      pen.strokeStyle = color
      pen.lineWidth = pixels.length / 4 > CROWD ? 1 / ratio : ARROW_PX
      drawFrom(0, pixels)
    },
    close: () => cancelAnimationFrame(pending),
  }
}

/** Also takes on the size that the style sheet gives the canvas. */
function clear(canvas: HTMLCanvasElement, pen: CanvasRenderingContext2D, ratio: number): void {
  const [width, height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio].map(Math.round)
  if (width !== canvas.width) canvas.width = width ?? 0
  if (height !== canvas.height) canvas.height = height ?? 0
  pen.setTransform(ratio, 0, 0, ratio, 0, 0)
  pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight)
}

function strokeMoves(
  pen: CanvasRenderingContext2D,
  pixels: Float32Array,
  start: number,
  end: number,
): void {
  pen.beginPath()
  for (let i = start; i < end; i += 4) {
    const x0 = pixels[i] ?? 0
    const y0 = pixels[i + 1] ?? 0
    const x1 = pixels[i + 2] ?? 0
    const y1 = pixels[i + 3] ?? 0
    if (crosses(x0, x1, pen.canvas.width) && crosses(y0, y1, pen.canvas.height)) {
      addMove(pen, x0, y0, x1, y1)
    }
  }
  pen.stroke()
}

/** Whether any of a span may be seen between 0 and the size. */
function crosses(a: number, b: number, size: number): boolean {
  return Math.max(a, b) >= 0 && Math.min(a, b) <= size
}

function addMove(
  pen: CanvasRenderingContext2D,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): void {
  const dx = x1 - x0
  const dy = y1 - y0
  const length = Math.sqrt(dx * dx + dy * dy)
  if (length < DOT_BELOW_PX) {
    pen.rect(x1 - DOT_PX / 2, y1 - DOT_PX / 2, DOT_PX, DOT_PX)
    return
  }
  const share = Math.min(HEAD_PX, length * 0.6) / length
  const backX = dx * share
  const backY = dy * share
  pen.moveTo(x0, y0)
  pen.lineTo(x1, y1)
  pen.moveTo(x1 - backX + backY * HALF_WIDTH, y1 - backY - backX * HALF_WIDTH)
  pen.lineTo(x1, y1)
  pen.lineTo(x1 - backX - backY * HALF_WIDTH, y1 - backY + backX * HALF_WIDTH)
}
