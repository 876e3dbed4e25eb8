import type { EventType } from '../../../src/domain/event.ts'
import { shownTheme } from '../shell/theme.ts'
import { EVENT_TYPES } from './event-types.ts'

/** The colours of the style sheet, for what is drawn on a canvas. */
export interface Ink {
  text: string
  muted: string
  line: string
  surface: string
  land: string
  shore: string
  old: string
  new: string
  accent: string
  events: Record<EventType, string>
  ramp: string[]
}

/** Reads the custom properties of the theme that is shown; a component that calls it is drawn anew when it changes. */
export function currentInk(): Ink {
  // Read for the dependency: the properties below change with it.
  void shownTheme.value
  const style = getComputedStyle(document.documentElement)
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    text: of('text'),
    muted: of('muted'),
    line: of('line'),
    surface: of('surface'),
    land: of('land'),
    shore: of('shore'),
    old: of('old'),
    new: of('new'),
    accent: of('accent'),
    events: Object.fromEntries(EVENT_TYPES.map((type) => [type, of(type)])) as Ink['events'],
    ramp: [1, 2, 3, 4, 5].map((step) => of(`ramp-${step}`)),
  }
}
