import type { BusinessEvent } from '../domain/event.ts'
import type { PreviousVersion } from './previous.ts'

/**
 * What one run does to one pharmacy. Contents are JSON in UTF-8, so that a spooled record is neither parsed nor even
 * decoded to be written.
 */
export interface Modification {
  external_id: string
  previous: PreviousVersion | null
  /** the new content: the record, its search fields (an object's inside, may be empty) and its hash */
  current: { record: Uint8Array; searchFields: Uint8Array; hash: string } | null
  events: readonly BusinessEvent[]
}
