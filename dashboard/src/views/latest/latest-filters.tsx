import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { Segments, Select } from '../../parts/choice.tsx'
import { Registry } from '../../state/registry.ts'
import { setParams } from '../../state/route.ts'
import { DEFAULT_WINDOW, WINDOWS } from '../../state/span.ts'
import { text } from '../../text/language.ts'
import { territoryName } from '../../text/territory-names.ts'

/** This endpoint knows six windows and one territory at a time. */
export function LatestFilters({
  window,
  territory,
  children,
}: {
  window: string
  territory: string
  children: ComponentChildren
}) {
  const { data } = useContext(Registry)
  const codes = (data?.items ?? []).map(({ territory_code: code }) => code)
  return (
    <search class="filters" aria-label={text.value.filters}>
      <Segments
        label={text.value.window}
        value={window}
        options={WINDOWS.map((name) => ({
          value: name as string,
          label: text.value[`window_${name}`],
        }))}
        onChange={(name) =>
          setParams({
            window: name === DEFAULT_WINDOW ? undefined : name,
            from: undefined,
            to: undefined,
          })
        }
      />
      <Select
        label={text.value.territory}
        value={territory}
        options={[
          { value: '', label: text.value.territories_all },
          ...codes.map((code) => ({ value: code, label: territoryName(code) })),
        ]}
        onChange={(code) => setParams({ territories: code })}
      />
      {children}
    </search>
  )
}
