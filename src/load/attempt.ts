import type { RunLease } from '../store/lease.ts'
import type { RunDocument } from '../store/runs.ts'
import type { RegistryState, TerritoryState } from '../store/state.ts'
import type { LoadRequest } from './context.ts'
import type { Input } from './input.ts'

/** One load of one territory: what is asked for, and where its rows come from. */
export interface TerritoryLoad extends LoadRequest {
  territory: string
  input: Input
  /** the id of the quarantined run that an operator's word turns committed */
  approves?: string
}

/** A run while it is going on: what the steps of a load read and fill in. */
export interface Attempt {
  load: TerritoryLoad
  lease: RunLease
  state: RegistryState
  territory: TerritoryState | undefined
  /** the run that an operator approved, as it waited when the lease was taken */
  approved: RunDocument | null
  entry: RunDocument
  /** set once documents may have been written under this run's number */
  dirty: boolean
  /** set when it cannot be told whether the run committed: the next load settles it */
  isUnsettled: boolean
}
