import { forgetAnswers } from '../api/client.ts'
import { useResource } from '../api/resource.ts'
import { forgetKey } from '../api/session-key.ts'
import type { KeyShown } from '../api/shapes.ts'
import { Select } from '../parts/choice.tsx'
import { Icon } from '../parts/icon.tsx'
import { VIEWS } from '../state/fragment.ts'
import { linkTo, route } from '../state/route.ts'
import { LANGUAGES, type Language, language, setLanguage, text } from '../text/language.ts'
import { territoryName } from '../text/territory-names.ts'
import { setTheme, THEMES, theme } from './theme.ts'

/** Title, views, preferences; `isOpen` once there is a key. */
export function Header({ isOpen = false }: { isOpen?: boolean }) {
  return (
    <header class="top">
      <div class="top-row">
        <div class="brand">
          <span class="brand-mark">
            <Icon name="cross" />
          </span>
          <div>
            <p class="brand-name">{text.value.title}</p>
            <p class="brand-sub">{text.value.subtitle}</p>
          </div>
        </div>
        <div class="top-tools">
          {isOpen && <KeyShownHere />}
          <Preferences />
        </div>
      </div>
      {isOpen && <Navigation />}
    </header>
  )
}

function Navigation() {
  return (
    <nav class="tabs" aria-label={text.value.views}>
      {VIEWS.map((view) => (
        <a
          key={view}
          href={linkTo(view)}
          aria-current={route.value.view === view ? 'page' : undefined}
        >
          {text.value[`view_${view}`]}
        </a>
      ))}
    </nav>
  )
}

function KeyShownHere() {
  // The name and scope of a key do not change, so a pulse need not ask for them.
  const { data } = useResource<KeyShown>('/v1/key', { once: true })
  const scope = data?.territories?.map(territoryName).join(', ') ?? text.value.scope_all
  return (
    <div class="key-shown">
      {data && (
        <p>
          <span class="key-name">{data.name}</span>
          <span class="key-scope" title={data.territories?.join(', ')}>
            {text.value.scope}: {scope}
          </span>
        </p>
      )}
      <button
        type="button"
        class="button is-quiet"
        onClick={() => {
          forgetAnswers()
          forgetKey()
        }}
      >
        {text.value.leave}
      </button>
    </div>
  )
}

function Preferences() {
  return (
    <div class="preferences">
      <Select<Language>
        label={text.value.language}
        value={language.value}
        options={Object.entries(LANGUAGES).map(([value, label]) => ({
          value: value as Language,
          label,
        }))}
        onChange={setLanguage}
      />
      <Select
        label={text.value.theme}
        value={theme.value}
        options={THEMES.map((value) => ({ value, label: text.value[`theme_${value}`] }))}
        onChange={setTheme}
      />
    </div>
  )
}
