import { setImmediate } from 'node:timers/promises'

/** Work that is there already comes piece after piece, and would keep the process from everything else. */
const BREATH_MS = 1

/** To be called between two pieces; gives a promise only when it is time to let others have their turn. */
export type Breathe = () => Promise<void> | undefined

export function breathing(): Breathe {
  let last = performance.now()
  return () => {
    if (performance.now() - last < BREATH_MS) return undefined
    return setImmediate().then(() => {
      last = performance.now()
    })
  }
}

/** Does something for each item, waits where that says so, and lets others have their turn in between. */
export async function forEachPaced<T>(
  items: readonly T[],
  take: (item: T) => Promise<void> | undefined,
  breathe: Breathe = breathing(),
): Promise<void> {
  for (const item of items) {
    const full = take(item)
    if (full !== undefined) await full
    const due = breathe()
    if (due !== undefined) await due
  }
}
