import { render } from 'preact'
import { startPulse } from './api/pulse.ts'
import { takeKeyFromFragment } from './api/session-key.ts'
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
startPulse()

const root = document.getElementById('app')
if (root) render(<App />, root)
