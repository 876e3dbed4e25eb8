import { signal } from '@preact/signals'

const POLL_MS = 30_000

/** Grows whenever what is shown should be asked for again: every 30 seconds while the page is looked at. */
export const pulse = signal(0)

let lastAt = Date.now()

export function beat(): void {
  lastAt = Date.now()
  pulse.value += 1
}

/** Asks again after a wait that the API named. */
export function beatIn(seconds: number): void {
  setTimeout(beat, seconds * 1000)
}

export function startPulse(): void {
  const beatWhenDue = () => {
    if (!document.hidden && Date.now() - lastAt >= POLL_MS) beat()
  }
  // Looked at every second, so that a page that comes back to the front catches up at once.
  setInterval(beatWhenDue, 1000)
  document.addEventListener('visibilitychange', beatWhenDue)
}
