import { EVENT_TYPES, type EventType } from './event.ts'

export const RUN_STATUSES = [
  'running',
  'committed',
  'unchanged',
  'quarantined',
  'failed',
  'rejected',
  'abandoned',
] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** Why a run failed or was quarantined: a closed list, stable for scripts. */
export const REASON_CODES = [
  'http_status',
  'tls',
  'timeout',
  'too_large',
  'truncated_body',
  'incomplete_record',
  'unexpected_content',
  'encoding',
  'source_error',
  'records_path_missing',
  'paging_unstable',
  'empty_dataset',
  'missing_column',
  'duplicate_column',
  'too_many_rejected',
  'too_many_conflicts',
  'below_min_rows',
  'older_snapshot',
  'future_snapshot',
  'mass_removal',
  'mass_soft_close',
  'mass_relocation',
  'id_scheme_change',
  'mass_growth',
  'source_unavailable',
  'superseded',
  'archive_missing',
  'lease_lost',
  'store_unavailable',
  'stopped',
  'internal',
] as const
export type ReasonCode = (typeof REASON_CODES)[number]

export const WARNING_CODES = [
  'rejected_known_id',
  'bad_postal_code',
  'coordinates_outside',
  'coordinates_invalid',
  'null_island',
  'duplicate_conflict',
  'mojibake',
  'identity_reuse_suspected',
  'row_rejected',
] as const
export type WarningCode = (typeof WARNING_CODES)[number]

export interface Reason {
  code: ReasonCode
  detail: string
}

export interface Warning {
  code: WarningCode
  count: number
  example: string
  /** the first few, the example among them; only where there are several */
  examples?: string[]
}

export interface RunCounts {
  read: number
  rejected: number
  duplicates: number
  added: number
  updated: number
  removed: number
  unchanged: number
}

export type EventCounts = Record<EventType, number>

/** One attempt to bring a territory up to date (interface.md, "A run object"). */
export interface Run {
  run_id: string
  source_slug: string
  territory_code: string
  status: RunStatus
  observed_at: string
  started_at: string
  finished_at: string | null
  baseline: boolean
  renormalised: boolean
  counts: RunCounts
  events: EventCounts
  reasons: Reason[]
  warnings: Warning[]
  error: string | null
}

export function noCounts(): RunCounts {
  return { read: 0, rejected: 0, duplicates: 0, added: 0, updated: 0, removed: 0, unchanged: 0 }
}

export function noEvents(): EventCounts {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, 0])) as EventCounts
}

/** Counts warnings by code and keeps the first few of each: bounded however bad the file is. */
export interface WarningTally {
  add(code: WarningCode, example: string): void
  list(): Warning[]
}

const MAX_EXAMPLES = 5
const MAX_EXAMPLE_CHARS = 200

export function warningTally(): WarningTally {
  const byCode = new Map<WarningCode, { count: number; examples: string[] }>()
  return {
    add(code, example) {
      const known = byCode.get(code) ?? { count: 0, examples: [] }
      byCode.set(code, known)
      known.count += 1
      if (known.examples.length < MAX_EXAMPLES)
        known.examples.push(example.slice(0, MAX_EXAMPLE_CHARS))
    },
    list: () =>
      [...byCode].map(([code, { count, examples }]) => ({
        code,
        count,
        example: examples[0] ?? '',
        ...(examples.length > 1 ? { examples: [...examples] } : {}),
      })),
  }
}
