import type { Pharmacy } from './pharmacy.ts'

export const OPERATIONS = ['upsert', 'delete'] as const
export type Operation = (typeof OPERATIONS)[number]

/**
 * What a mirror must apply (spec section 2.4), before it is numbered: at most one per pharmacy and run.
 * The payload of a delete is the last known record.
 */
export interface Change {
  operation: Operation
  external_id: string
  payload: Pharmacy
}
