/** What readers and loaders need of one territory; kept in the state document. */
export interface TerritoryState {
  source_slug: string
  /** observed_at of the first committed run: incremental data exists from here on */
  baseline_at: string
  /** the last committed run of this territory */
  last_run: number
  /** observed_at of the last committed snapshot */
  applied_observed_at: string
  /** the newest observed_at known good: the applied one, or that of a later `unchanged` run */
  confirmed_observed_at: string
  /** when a load last looked, and when a load last changed something */
  last_checked_at: string
  last_changed_at: string
  active: number
  inactive: number
  /** SHA-256 of the raw bytes last applied, and the definition version that read them */
  raw_sha256: string
  raw_bytes: number
  dataset_modified_at: string | null
  definition_version: number
  /** validators of the last download, good only for the same fetch section */
  download_key: string | null
  http_etag: string | null
  http_last_modified: string | null
}

export interface Lease {
  owner: string
  token: string
  /** the run number that was handed out with this lease */
  run: number
  expires_at: string
}

/** The one state document: a single compare-and-set of it makes a run visible everywhere at once. */
export interface RegistryState {
  next_run: number
  committed_run: number
  committed_at: string | null
  /** run numbers that never committed but may have left documents; settled before any later run commits */
  abandoned: number[]
  /** abandoned run numbers whose documents are still to be swept */
  unswept: number[]
  last_seq: number
  last_change_id: number
  lease: Lease | null
  territories: Record<string, TerritoryState>
}

/** What a reader pins a whole request to: nothing above `run`, nothing from `abandoned` runs, is visible. */
export interface Pin {
  readonly run: number
  readonly abandoned: readonly number[]
}

export const NEW_REGISTRY: RegistryState = {
  next_run: 1,
  committed_run: 0,
  committed_at: null,
  abandoned: [],
  unswept: [],
  last_seq: 0,
  last_change_id: 0,
  lease: null,
  territories: {},
}

export function pinOf(state: RegistryState): Pin {
  return { run: state.committed_run, abandoned: state.abandoned }
}
