import { useEffect, useId, useState } from 'preact/hooks'
import { type Municipality, searchMunicipalities } from '../../map/gazetteer.ts'
import { Segments } from '../../parts/choice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { TypedField } from '../../parts/typed-field.tsx'
import { setParams } from '../../state/route.ts'
import { fill } from '../../text/fill.ts'
import { text } from '../../text/language.ts'
import { DEFAULT_RADIUS, type Near, pointText, SIDES, type Side } from './near.ts'

/** The radius search without a mouse: a municipality by name, the radius in figures. */
export function NearSearch({ near }: { near: Near }) {
  const [side, setSide] = useState<Side>('new')
  return (
    <fieldset class="near">
      <legend>{text.value.near_title}</legend>
      <div class="near-row">
        <span class="field">
          <span class="field-label">{text.value.near_as}</span>
          <Segments
            label={text.value.near_as}
            value={side}
            options={SIDES.map((value) => ({ value, label: text.value[`near_${value}`] }))}
            onChange={setSide}
          />
        </span>
        <PlaceSearch
          onFound={(place) =>
            setParams({ [`near_${side}`]: pointText(place), radius: String(near.radius) })
          }
        />
        <TypedField
          type="number"
          inputMode="decimal"
          min="0.1"
          max="1000"
          step="any"
          label={text.value.radius_km}
          value={String(near.radius / 1000)}
          onChange={(km) => setParams({ radius: String(Number(km) * 1000 || DEFAULT_RADIUS) })}
        />
      </div>
      <Chips near={near} />
    </fieldset>
  )
}

function Chips({ near }: { near: Near }) {
  return (
    <p class="chips">
      {SIDES.map((side) => {
        const point = near[side]
        if (!point) return null
        const name = `${text.value[`near_${side}`]} ${pointText(point).replace(',', ', ')}`
        return (
          <button
            key={side}
            type="button"
            class={`chip is-${side}`}
            aria-label={fill(text.value.near_remove, { name })}
            onClick={() => setParams({ [`near_${side}`]: undefined })}
          >
            {name} <Icon name="close" />
          </button>
        )
      })}
    </p>
  )
}

function PlaceSearch({ onFound }: { onFound: (place: Municipality) => void }) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState<Municipality[]>([])
  useEffect(() => {
    let isCurrent = true
    void searchMunicipalities(typed).then((places) => isCurrent && setFound(places))
    return () => {
      isCurrent = false
    }
  }, [typed])
  return (
    <span class="field place-search">
      <label htmlFor={id}>{text.value.near_search}</label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        placeholder={text.value.near_search_hint}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {found.length > 0 && (
        <ul class="found">
          {found.map((place) => (
            <li key={`${place.name}${place.latitude}`}>
              <button
                type="button"
                onClick={() => {
                  onFound(place)
                  setTyped('')
                }}
              >
                {place.name} <span class="muted">{place.province}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </span>
  )
}
