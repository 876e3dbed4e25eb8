import { Segments } from '../../parts/choice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { text } from '../../text/language.ts'
import type { MapChart } from './map-chart.ts'
import type { Side } from './near.ts'

/** Whether the pointer moves the map or draws a radius around an old or a new place. */
export type MapMode = 'move' | Side
const MODES = ['move', 'old', 'new'] as const
export const ZOOM_STEP = 1.5

export function MapTools({
  mode,
  onMode,
  chart,
  fit,
}: {
  mode: MapMode
  onMode: (mode: MapMode) => void
  chart: MapChart | null
  fit: () => void
}) {
  const buttons = [
    { name: 'plus', label: text.value.map_in, press: () => chart?.zoom(ZOOM_STEP) },
    { name: 'minus', label: text.value.map_out, press: () => chart?.zoom(1 / ZOOM_STEP) },
    { name: 'fit', label: text.value.map_fit, press: fit },
  ] as const
  return (
    <div class="map-tools">
      <Segments
        label={text.value.pick_mode}
        value={mode}
        options={MODES.map((value) => ({ value, label: text.value[`pick_${value}`] }))}
        onChange={onMode}
      />
      <span class="map-buttons">
        {buttons.map(({ name, label, press }) => (
          <button key={name} type="button" class="button is-icon" title={label} onClick={press}>
            <Icon name={name} />
            <span class="visually-hidden">{label}</span>
          </button>
        ))}
      </span>
    </div>
  )
}
