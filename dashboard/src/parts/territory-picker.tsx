import { useContext, useEffect, useRef } from 'preact/hooks'
import { Registry } from '../state/registry.ts'
import { setParams } from '../state/route.ts'
import { fill } from '../text/fill.ts'
import { text } from '../text/language.ts'
import { territoryName } from '../text/territory-names.ts'
import { Icon } from './icon.tsx'

/** The territories of the key's scope, several at once; none chosen means all. */
export function TerritoryPicker({ chosen }: { chosen: readonly string[] }) {
  const { data } = useContext(Registry)
  const box = useRef<HTMLDetailsElement>(null)
  useClosing(box)
  const codes = (data?.items ?? []).map(({ territory_code: code }) => code)
  const toggle = (code: string) => {
    const next = chosen.includes(code) ? chosen.filter((c) => c !== code) : [...chosen, code]
    setParams({ territories: next.length === codes.length ? undefined : next.sort().join(',') })
  }
  return (
    <details class="picker" ref={box}>
      <summary aria-label={`${text.value.territories}: ${nameOf(chosen)}`}>
        <span>{nameOf(chosen)}</span>
        <Icon name="chevron" />
      </summary>
      <fieldset class="picker-list">
        <legend class="visually-hidden">{text.value.territories}</legend>
        <label>
          <input
            type="checkbox"
            checked={chosen.length === 0}
            onChange={() => setParams({ territories: undefined })}
          />
          {text.value.territories_all}
        </label>
        {codes.map((code) => (
          <label key={code}>
            <input
              type="checkbox"
              value={code}
              checked={chosen.includes(code)}
              onChange={() => toggle(code)}
            />
            {territoryName(code)} <span class="code">{code}</span>
          </label>
        ))}
      </fieldset>
    </details>
  )
}

function nameOf(chosen: readonly string[]): string {
  const [only] = chosen
  if (only === undefined) return text.value.territories_all
  if (chosen.length === 1) return territoryName(only)
  return fill(text.value.territories_some, { count: chosen.length })
}

/** A click elsewhere or Escape closes the list. */
function useClosing(box: { current: HTMLDetailsElement | null }): void {
  useEffect(() => {
    const close = () => {
      if (box.current) box.current.open = false
    }
    const onPointer = ({ target }: Event) => {
      if (!(target instanceof Node && box.current?.contains(target))) close()
    }
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !box.current?.open) return
      close()
      box.current.querySelector('summary')?.focus()
    }
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('keydown', onKey)
    }
  }, [box])
}
