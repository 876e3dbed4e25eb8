import { text } from '../../text/language.ts'

/** A field before and after; undefined on the side that there is none of. */
export interface Field {
  field:
    | 'name'
    | 'owner_name'
    | 'is_active'
    | 'address_line'
    | 'postal_code'
    | 'city'
    | 'province'
    | 'latitude'
    | 'longitude'
    | 'cnn_code'
  old: string | null | undefined
  new: string | null | undefined
}

export function Difference({ fields }: { fields: readonly Field[] }) {
  if (fields.length === 0) return null
  return (
    <dl class="facts is-difference">
      {fields.map(({ field, old, new: now }) => (
        <div key={field}>
          <dt>{text.value[`field_${field}`]}</dt>
          <dd>
            {old !== undefined && <del>{old ?? text.value.nothing}</del>}
            {old !== undefined && now !== undefined && <span aria-hidden="true"> → </span>}
            {now !== undefined && <ins>{now ?? text.value.nothing}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
