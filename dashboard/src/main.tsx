import { effect } from '@preact/signals'
import { render } from 'preact'
import { hasNews } from './api/news.ts'
import { startPulse } from './api/pulse.ts'
import { sessionKey, takeKeyFromFragment } from './api/session-key.ts'
import { App } from './app.tsx'
import { startTheme } from './shell/theme.ts'
import { parseFragment } from './state/fragment.ts'
import { route, startRouting } from './state/route.ts'

// Before anything else looks at the address.
takeKeyFromFragment()
route.value = parseFragment(location.hash)
window.addEventListener('hashchange', takeKeyFromFragment)
startRouting()
startTheme()
startPulse(hasNews)

const root = document.getElementById('app')
if (root) render(<App />, root)
// The first look, to which later ones are compared: with every key anew, and behind what is on the page.
effect(() => {
  if (sessionKey.value !== null) void hasNews()
})
