import type { EventType } from '../../../src/domain/event.ts'

/**
 * The kinds of event in the order in which they are shown, and a column is stacked. Each has its words in text/ and
 * its two colours, under its own name, in style/theme.css.
 */
const SHOWN: Readonly<Record<EventType, true>> = {
  opened: true,
  reopened: true,
  relocated: true,
  ownership_change: true,
  closed_soft: true,
  closed_hard: true,
}

/** A record, so that no kind can be forgotten; its keys keep their order. */
export const EVENT_TYPES = Object.keys(SHOWN) as EventType[]
