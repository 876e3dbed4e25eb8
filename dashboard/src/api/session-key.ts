import { signal } from '@preact/signals'

const NAME = 'registry-key'

/** The key of this tab. It lives in the session storage and travels in a header only. */
export const sessionKey = signal<string | null>(sessionStorage.getItem(NAME))

export function keepKey(key: string): void {
  sessionStorage.setItem(NAME, key)
  sessionKey.value = key
}

export function forgetKey(): void {
  sessionStorage.removeItem(NAME)
  sessionKey.value = null
}

/** `#key=…`, as `npm start` prints it, is taken and removed from the address at once; a browser never sends it. */
export function takeKeyFromFragment(): void {
  const match = /^#key=([^&/]+)/.exec(location.hash)
  if (!match?.[1]) return
  history.replaceState(null, '', location.pathname + location.search)
  keepKey(decodeURIComponent(match[1]))
}
