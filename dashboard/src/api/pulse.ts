import { signal } from '@preact/signals'

const POLL_MS = 30_000
/** By then every process of the API has seen a commit that one of them told of. */
const SEEN_BY_ALL_S = 2
/** A window that ends now loses its oldest events without any load: so often everything is asked for anyway. */
const POLLS_TO_REFRESH = 20

/** Grows whenever everything that is shown should be asked for again. */
export const pulse = signal(0)

/** Grows with every poll: what failed is tried again then, whether or not there is news. */
export const retries = signal(0)

let lastAt = Date.now()

export function beat(): void {
  lastAt = Date.now()
  pulse.value += 1
}

/** Asks again after a wait that the API named. */
export function beatIn(seconds: number): void {
  setTimeout(beat, seconds * 1000)
}

/** Asks for news every 30 seconds while the page is looked at, and for everything when there is some. */
export function startPulse(hasNews: () => Promise<boolean>): void {
  let polls = 0
  const poll = async () => {
    lastAt = Date.now()
    polls += 1
    retries.value += 1
    const isDue = polls % POLLS_TO_REFRESH === 0
    const isNews = await hasNews()
    if (isNews || isDue) beat()
    if (isNews) beatIn(SEEN_BY_ALL_S)
  }
  const pollWhenDue = () => {
    if (!document.hidden && Date.now() - lastAt >= POLL_MS) void poll()
  }
  // Looked at every second, so that a page that comes back to the front catches up at once.
  setInterval(pollWhenDue, 1000)
  document.addEventListener('visibilitychange', pollWhenDue)
}
