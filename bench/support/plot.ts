import { type Figure, isMet } from './line.ts'

const WIDTH = 960
const LABELS = 430
const ROW = 26
const TOP = 56
const RIGHT = 90
/** The axis goes from a tenth of the target to ten times it: what holds lies on its side of the middle. */
const DECADES = 1

/** Each judged figure against its target, as an SVG: a bar from least to most, a dot at the median, red where missed. */
export function plotOf(figures: readonly Figure[]): string {
  const rows = figures.filter(({ target }) => target)
  const height = TOP + rows.length * ROW + 20
  const marks = rows.map((figure, at) => rowOf(figure, TOP + at * ROW)).join('\n')
  const middle = LABELS + (WIDTH - LABELS - RIGHT) / 2
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<title>Every figure of the bench, measured over its target</title>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="16" y="24" font-size="15" font-weight="bold">Measured over target</text>
<text x="${middle}" y="24" text-anchor="middle" fill="#555">better ← target → worse</text>
<line x1="${middle}" y1="36" x2="${middle}" y2="${height - 12}" stroke="#888" stroke-dasharray="4 3"/>
${marks}
</svg>
`
}

function rowOf(figure: Figure, top: number): string {
  const { judged, target } = figure
  const y = top + ROW / 2
  const colour = isMet(figure) ? '#0b7a4b' : '#c0392b'
  const share = (value: number) =>
    target?.holds === 'at least' ? target.value / value : value / (target?.value ?? 1)
  const [a, b] = [xOf(share(judged.least)), xOf(share(judged.most))].sort((p, q) => p - q)
  return `<text x="${LABELS - 12}" y="${y + 4}" text-anchor="end">${escaped(figure.what)}</text>
<line x1="${a}" y1="${y}" x2="${b}" y2="${y}" stroke="${colour}" stroke-width="5" opacity="0.35"/>
<circle cx="${xOf(share(judged.median))}" cy="${y}" r="5" fill="${colour}"/>
<text x="${WIDTH - 8}" y="${y + 4}" text-anchor="end" fill="#333">${judged.median.toPrecision(3)}${target?.unit ? ` ${target.unit}` : ' ×'}</text>`
}

function xOf(share: number): number {
  const room = (WIDTH - LABELS - RIGHT) / 2
  const decades = Math.max(-DECADES, Math.min(DECADES, Math.log10(Math.max(share, 1e-9))))
  return Math.round(LABELS + room + (decades / DECADES) * room)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
