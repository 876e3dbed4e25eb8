import { Select } from '../../parts/choice.tsx'
import { provinceOptions } from '../../parts/province-options.ts'
import { TypedField } from '../../parts/typed-field.tsx'
import type { Params } from '../../state/fragment.ts'
import { setParams } from '../../state/route.ts'
import { text } from '../../text/language.ts'
import { SIDES } from './near.ts'

const FIELDS = ['old_province', 'old_city', 'new_province', 'new_city', 'near_old', 'near_new']

/** Province and city, before and after the move. */
export function PlaceFilters({
  params,
  territories,
}: {
  params: Params
  territories: readonly string[]
}) {
  const isSet = FIELDS.some((field) => params[field])
  return (
    <div class="place-filters">
      {SIDES.map((side) => (
        <fieldset class="place-filter" key={side}>
          <legend>{text.value[`place_${side}`]}</legend>
          <Select
            label={text.value.province}
            value={params[`${side}_province`] ?? ''}
            options={[{ value: '', label: text.value.any_f }, ...provinceOptions(territories)]}
            onChange={(province) => setParams({ [`${side}_province`]: province })}
          />
          <TypedField
            type="text"
            label={text.value.city}
            value={params[`${side}_city`] ?? ''}
            onChange={(city) => setParams({ [`${side}_city`]: city })}
          />
        </fieldset>
      ))}
      {isSet && (
        <button
          type="button"
          class="button is-quiet"
          onClick={() => setParams(Object.fromEntries(FIELDS.map((field) => [field, undefined])))}
        >
          {text.value.clear}
        </button>
      )}
    </div>
  )
}
