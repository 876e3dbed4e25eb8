import type { Change } from '../domain/change.ts'
import type { Pharmacy } from '../domain/pharmacy.ts'
import { sameContent } from './diff.ts'

/**
 * What a mirror must do for one pharmacy between two states: at most one upsert or delete, null when its content is the
 * same. A delete carries the last known record.
 */
export function changeOf(previous: Pharmacy | null, current: Pharmacy | null): Change | null {
  if (current === null) return previous === null ? null : changed('delete', previous)
  if (previous !== null && sameContent(previous, current)) return null
  return changed('upsert', current)
}

function changed(operation: Change['operation'], payload: Pharmacy): Change {
  return { operation, external_id: payload.external_id, payload }
}
