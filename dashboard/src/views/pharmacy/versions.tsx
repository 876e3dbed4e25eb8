import type { Pharmacy } from '../../../../src/domain/pharmacy.ts'
import type { PharmacyShown } from '../../api/shapes.ts'
import { When } from '../../parts/when.tsx'
import { text } from '../../text/language.ts'
import { Difference, type Field } from './difference.tsx'

const FIELDS = [
  'name',
  'owner_name',
  'is_active',
  'address_line',
  'postal_code',
  'city',
  'province',
  'latitude',
  'longitude',
  'cnn_code',
] as const satisfies readonly (Field['field'] & keyof Pharmacy)[]

/** Every content of the record, newest first, with what changed since the one before. */
export function Versions({ versions }: { versions: PharmacyShown['versions'] }) {
  return (
    <details class="versions">
      <summary>
        {text.value.versions} ({versions.length})
      </summary>
      <ol class="timeline">
        {versions.map(({ committed_at, ended_at, record }, index) => {
          const before = versions[index + 1]?.record
          return (
            <li key={committed_at}>
              <p class="timeline-head">
                <When instant={committed_at} />
                <span class="muted">
                  {ended_at === null ? (
                    text.value.version_now
                  ) : (
                    <>
                      – <When instant={ended_at} />
                    </>
                  )}
                </span>
              </p>
              {before ? (
                <Difference fields={differing(before, record)} />
              ) : (
                <p class="muted">{text.value.version_first}</p>
              )}
            </li>
          )
        })}
      </ol>
    </details>
  )
}

function differing(before: Pharmacy, now: Pharmacy): Field[] {
  return FIELDS.flatMap((field) =>
    before[field] === now[field]
      ? []
      : [{ field, old: shown(before[field]), new: shown(now[field]) }],
  )
}

function shown(value: string | number | boolean | null): string | null {
  if (typeof value !== 'boolean') return value === null ? null : String(value)
  return value ? text.value.record_active : text.value.record_inactive
}
