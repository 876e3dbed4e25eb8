import type { ComponentChildren } from 'preact'
import { setParams } from '../state/route.ts'
import { DEFAULT_WINDOW, type Span, WINDOWS } from '../state/span.ts'
import { text } from '../text/language.ts'
import { Segments } from './choice.tsx'
import { TerritoryPicker } from './territory-picker.tsx'
import { TypedField } from './typed-field.tsx'

/** The bar above a view: the window, the territories, and what the view adds. */
export function FilterBar({
  span,
  territories,
  children,
}: {
  span: Span
  territories: readonly string[]
  children?: ComponentChildren
}) {
  return (
    <search class="filters" aria-label={text.value.filters}>
      <WindowPicker span={span} />
      <TerritoryPicker chosen={territories} />
      {children}
    </search>
  )
}

function WindowPicker({ span }: { span: Span }) {
  const options = [...WINDOWS, 'custom' as const].map((name) => ({
    value: name,
    label: text.value[`window_${name}`],
  }))
  return (
    <>
      <Segments
        label={text.value.window}
        value={span.name}
        options={options}
        onChange={(name) => setParams(name === 'custom' ? customOf() : windowOf(name))}
      />
      {span.name === 'custom' && <Dates first={span.first} last={span.last} />}
    </>
  )
}

function Dates({ first, last }: { first: string; last: string }) {
  return (
    <span class="field-row">
      <TypedField
        type="date"
        label={text.value.from}
        value={first}
        max={last}
        onChange={(from) => from && setParams({ from, to: from > last ? from : last })}
      />
      <TypedField
        type="date"
        label={text.value.to}
        value={last}
        min={first}
        onChange={(to) => to && setParams({ to, from: to < first ? to : first })}
      />
    </span>
  )
}

function windowOf(name: string): Record<string, string | undefined> {
  const window = name === DEFAULT_WINDOW ? undefined : name
  return { window, from: undefined, to: undefined }
}

/** The last thirty days, to begin with. */
function customOf(): Record<string, string> {
  const today = new Date()
  const before = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 29)
  return { window: 'custom', from: localDate(before), to: localDate(today) }
}

function localDate(date: Date): string {
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, '0'))
  return `${date.getFullYear()}-${month}-${day}`
}
