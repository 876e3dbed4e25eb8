import { useEffect } from 'preact/hooks'
import { health } from './api/client.ts'
import { useResource } from './api/resource.ts'
import { sessionKey } from './api/session-key.ts'
import type { TerritoryShown } from './api/shapes.ts'
import { Banner } from './shell/banner.tsx'
import { Footer } from './shell/footer.tsx'
import { Header } from './shell/header.tsx'
import { KeyGate } from './shell/key-gate.tsx'
import { type ViewName } from './state/fragment.ts'
import { Registry } from './state/registry.ts'
import { route } from './state/route.ts'
import { text } from './text/language.ts'
import { DataView } from './views/data/data-view.tsx'
import { LatestView } from './views/latest/latest-view.tsx'
import { OverviewView } from './views/overview/overview-view.tsx'
import { PharmacyPanel } from './views/pharmacy/pharmacy-panel.tsx'
import { RelocationsView } from './views/relocations/relocations-view.tsx'

const VIEWS: Record<ViewName, () => preact.JSX.Element> = {
  overview: OverviewView,
  relocations: RelocationsView,
  latest: LatestView,
  data: DataView,
}

/** The page: the gate while there is no key, else the view that the address names. */
export function App() {
  const key = sessionKey.value
  return (
    <>
      <a class="skip" href="#main" onClick={focusMain}>
        {text.value.skip}
      </a>
      {key === null ? <Gate /> : <Views key={key} />}
    </>
  )
}

function Gate() {
  return (
    <>
      <Header />
      <KeyGate isRefused={health.value.isKeyRefused} />
    </>
  )
}

function Views() {
  const territories = useResource<{ items: TerritoryShown[] }>('/v1/farmacias/territories')
  const { view, params } = route.value
  const View = VIEWS[view]
  useEffect(() => {
    document.title = `${text.value[`view_${view}`]} · ${text.value.title}`
  }, [view, text.value])
  return (
    <Registry.Provider value={territories}>
      <Header isOpen />
      <Banner />
      <main id="main" tabIndex={-1}>
        <h1 class="visually-hidden">{text.value[`view_${view}`]}</h1>
        <View key={view} />
      </main>
      <Footer />
      {params.pharmacy && <PharmacyPanel key={params.pharmacy} id={params.pharmacy} />}
    </Registry.Provider>
  )
}

/** The fragment belongs to the view, so the link moves the focus itself. */
function focusMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
