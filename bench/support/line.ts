import type { Spread } from './measure.ts'
import type { Setting } from './setting.ts'

/** What must hold of a ratio or a value: at most, or at least. */
export interface Target {
  holds: 'at most' | 'at least'
  value: number
  /** of the value; a ratio has none */
  unit?: string
}

/** One row of the table of results. */
export interface Figure {
  /** what was measured, with its size */
  what: string
  ours: Spread
  /** what it is held against in the same run, and its name; none for figures that stand alone */
  yardstick?: { name: string; spread: Spread }
  unit: string
  /** what the target speaks of: ours over the yardstick, or ours alone */
  judged: Spread
  /** none for figures that only inform */
  target?: Target
}

/** One line of the table of targets: measures itself, the yardstick beside it. */
export interface Line {
  name: string
  title: string
  run(setting: Setting): Promise<Figure[]>
}

/** The judgement is made on the median. */
export function isMet({ judged, target }: Figure): boolean {
  if (!target) return true
  return target.holds === 'at most' ? judged.median <= target.value : judged.median >= target.value
}
