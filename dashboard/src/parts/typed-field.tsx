import { useEffect, useId, useState } from 'preact/hooks'

/** A text filter: asked for on Enter or on leaving the field, not at every letter. */
export function TypedField({
  label,
  value,
  onChange,
  ...rest
}: {
  label: string
  value: string
  onChange: (value: string) => void
  type?: 'text' | 'number' | 'date'
  inputMode?: 'decimal'
  min?: string
  max?: string
  step?: string
  list?: string
}) {
  const id = useId()
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const commit = () => {
    if (typed.trim() !== value) onChange(typed.trim())
  }
  return (
    <span class="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        autocomplete="off"
        {...rest}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={commit}
        onKeyDown={({ key }) => key === 'Enter' && commit()}
      />
    </span>
  )
}
