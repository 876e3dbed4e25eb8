import { useEffect } from 'preact/hooks'
import { health } from './api/client.ts'
import { useResource } from './api/resource.ts'
import { sessionKey } from './api/session-key.ts'
import type { TerritoryShown } from './api/shapes.ts'
import { warmUp } from './parts/chart.tsx'
import { Banner } from './shell/banner.tsx'
import { Footer } from './shell/footer.tsx'
import { Header } from './shell/header.tsx'
import { KeyGate } from './shell/key-gate.tsx'
import type { ViewName } from './state/fragment.ts'
import { Registry } from './state/registry.ts'
import { route } from './state/route.ts'
import { text } from './text/language.ts'
import { DataStateView } from './views/data/data-view.tsx'
import { LatestView } from './views/latest/latest-view.tsx'
import { OverviewView } from './views/overview/overview-view.tsx'
import { PharmacyPanel } from './views/pharmacy/pharmacy-panel.tsx'
import { RelocationsView } from './views/relocations/relocations-view.tsx'

const VIEWS: Record<ViewName, () => preact.JSX.Element> = {
  overview: OverviewView,
  relocations: RelocationsView,
  latest: LatestView,
  data: DataStateView,
}

/** The page: the gate while there is no key, else the view that the address names. */
export function App() {
  const key = sessionKey.value
  return (
    <>
      <button type="button" class="skip" onClick={focusMain}>
        {text.value.skip}
      </button>
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
  useEffect(warmUp, [])
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

/** No link to `#main`: the fragment belongs to the view. */
function focusMain(): void {
  document.getElementById('main')?.focus()
}
