import type { EventType } from '../../../src/domain/event.ts'

/** The square in the colour of a kind of event, which stands before its name. */
export function Mark({ type }: { type: EventType }) {
  return <i class="mark" style={`--kind: var(--${type})`} />
}
