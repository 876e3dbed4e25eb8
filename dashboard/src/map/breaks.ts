/** How many colours a map of counts has at most. */
const CLASSES = 5

/**
 * The lower bounds of at most five classes over the counts above zero, ascending: about as many values in each, with
 * fewer classes where the counts are few.
 */
export function classBreaks(counts: readonly number[]): number[] {
  const sorted = counts.filter((count) => count > 0).sort((a, b) => a - b)
  const bounds = Array.from(
    { length: CLASSES },
    (_, i) => sorted[Math.floor((i * sorted.length) / CLASSES)],
  )
  return [...new Set(bounds)].filter((bound) => bound !== undefined)
}

/** The class of a count, from 0; -1 for none. */
export function classOf(count: number, breaks: readonly number[]): number {
  return breaks.findLastIndex((bound) => count >= bound)
}

/** The colour step of a class: few classes still span the ramp from end to end. */
export function stepOf(index: number, classes: number): number {
  if (classes <= 1) return CLASSES - 2
  return Math.round((index * (CLASSES - 1)) / (classes - 1))
}
