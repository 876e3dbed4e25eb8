/** A canvas above the map that draws the moves: thousands of them, without an object for each. */
export interface ArrowLayer {
  /** x0, y0, x1, y1 of each move, in CSS pixels */
  draw(pixels: Float32Array, color: string): void
  close(): void
}

/** A frame has 16 ms; what does not fit into this part of it is drawn in the next one. */
const BUDGET_MS = 6
/** Moves that one stroke draws, and after which the clock is looked at. */
const CHUNK = 500
const HEAD_PX = 7
const HALF_WIDTH = 0.45
/** A shorter move shows as a dot where the pharmacy is now. */
const DOT_BELOW_PX = 5
/** More arrows than this are a device pixel wide: ten times as fast, and no thinner than such a crowd bears. */
const CROWD = 1500
const ARROW_PX = 1.6
/** A crowd gets its heads once the map has stood still for so long: they are two thirds of the work. */
const STILL_MS = 120

type AddMove = (pen: CanvasRenderingContext2D, pixels: Float32Array, i: number) => void

export function openArrowLayer(canvas: HTMLCanvasElement): ArrowLayer {
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('no canvas')
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  /** All moves, over as many frames as it takes; then what follows. */
  const paint = (add: AddMove, pixels: Float32Array, start: number, then?: () => void) => {
    const began = performance.now()
    let at = start
    while (at < pixels.length && performance.now() - began < BUDGET_MS) {
      const end = Math.min(at + CHUNK * 4, pixels.length)
      strokeMoves(pen, pixels, { at, end, add })
      at = end
    }
    if (at < pixels.length) frame = requestAnimationFrame(() => paint(add, pixels, at, then))
    else then?.()
  }
  const stop = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }

  return {
    draw(pixels, color) {
      stop()
      const ratio = window.devicePixelRatio
      const isCrowd = pixels.length / 4 > CROWD
      clear(canvas, pen, ratio)
      pen.strokeStyle = color
      pen.lineWidth = isCrowd ? 1 / ratio : ARROW_PX
      const paintHeads = () => paint(addHead, pixels, 0)
      paint(addShaft, pixels, 0, () => {
        if (isCrowd) timer = setTimeout(paintHeads, STILL_MS)
        else paintHeads()
      })
    },
    close: stop,
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
  { at, end, add }: { at: number; end: number; add: AddMove },
): void {
  const { width, height } = pen.canvas
  pen.beginPath()
  for (let i = at; i < end; i += 4) {
    const isSeen =
      crosses(pixels[i] ?? 0, pixels[i + 2] ?? 0, width) &&
      crosses(pixels[i + 1] ?? 0, pixels[i + 3] ?? 0, height)
    if (isSeen) add(pen, pixels, i)
  }
  pen.stroke()
}

/** Whether any of a span may be seen between 0 and the size. */
function crosses(a: number, b: number, size: number): boolean {
  return Math.max(a, b) >= 0 && Math.min(a, b) <= size
}

function addShaft(pen: CanvasRenderingContext2D, pixels: Float32Array, i: number): void {
  const x1 = pixels[i + 2] ?? 0
  const y1 = pixels[i + 3] ?? 0
  if (lengthOf(pixels, i) < DOT_BELOW_PX) {
    // As wide as the line, so that the stroke fills it.
    const side = pen.lineWidth
    pen.rect(x1 - side / 2, y1 - side / 2, side, side)
    return
  }
  pen.moveTo(pixels[i] ?? 0, pixels[i + 1] ?? 0)
  pen.lineTo(x1, y1)
}

function addHead(pen: CanvasRenderingContext2D, pixels: Float32Array, i: number): void {
  const length = lengthOf(pixels, i)
  if (length < DOT_BELOW_PX) return
  const x1 = pixels[i + 2] ?? 0
  const y1 = pixels[i + 3] ?? 0
  const share = Math.min(HEAD_PX, length * 0.6) / length
  const backX = (x1 - (pixels[i] ?? 0)) * share
  const backY = (y1 - (pixels[i + 1] ?? 0)) * share
  pen.moveTo(x1 - backX + backY * HALF_WIDTH, y1 - backY - backX * HALF_WIDTH)
  pen.lineTo(x1, y1)
  pen.lineTo(x1 - backX - backY * HALF_WIDTH, y1 - backY + backX * HALF_WIDTH)
}

/** Not Math.hypot, which is many times slower: this runs for every move in every frame. */
function lengthOf(pixels: Float32Array, i: number): number {
  const dx = (pixels[i + 2] ?? 0) - (pixels[i] ?? 0)
  const dy = (pixels[i + 3] ?? 0) - (pixels[i + 1] ?? 0)
  return Math.sqrt(dx * dx + dy * dy)
}
