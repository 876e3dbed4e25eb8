import type { Change } from '../../src/domain/change.ts'
import type { Pharmacy } from '../../src/domain/pharmacy.ts'
import { noCounts, noEvents, type RunStatus } from '../../src/domain/run.ts'
import {
  type ChangeDocument,
  OPEN_RUN,
  searchFields,
  type VersionDocument,
} from '../../src/store/documents.ts'
import type { RunDocument } from '../../src/store/runs.ts'
import type { TerritoryState } from '../../src/store/state.ts'
import type { Fate, MadeRun } from './made-registry.ts'

/** A version that nothing has ended yet. */
export function openVersion(record: Pharmacy, run: number): VersionDocument {
  return {
    ...record,
    from_run: run,
    to_run: OPEN_RUN,
    content_hash: `hash-${run}`,
    ...searchFields(record),
  }
}

export function changeDocument(
  run: MadeRun,
  id: number,
  payload: Pharmacy | undefined,
  operation: Change['operation'],
): ChangeDocument {
  if (!payload) throw new Error('a change needs a record')
  return {
    id,
    run: run.run,
    run_id: run.run_id,
    territory_code: run.territory,
    operation,
    external_id: payload.external_id,
    payload,
  }
}

const STATUS: Record<Fate, RunStatus> = {
  committed: 'committed',
  abandoned: 'abandoned',
  beyond: 'running',
}

/** The journal entry of a run. */
export function runDocument(
  run: MadeRun,
  baseline: boolean,
  last: { seq: number; id: number },
): RunDocument {
  return {
    run_id: run.run_id,
    source_slug: slugOf(run.territory),
    territory_code: run.territory,
    status: STATUS[run.fate],
    observed_at: run.observed_at,
    started_at: run.observed_at,
    finished_at: run.fate === 'beyond' ? null : run.committed_at,
    baseline,
    renormalised: false,
    counts: noCounts(),
    events: noEvents(),
    reasons: [],
    warnings: [],
    error: null,
    run: run.run,
    // Written before the commit: an abandoned run may well have one.
    committed_at: run.committed_at,
    last_change_id: last.id,
    last_seq: last.seq,
    raw: null,
  }
}

/** What readers are told of a territory after a committed run. */
export function territoryState(
  run: MadeRun,
  records: readonly Pharmacy[],
  before: TerritoryState | undefined,
): TerritoryState {
  const active = records.filter(({ is_active }) => is_active).length
  return {
    source_slug: slugOf(run.territory),
    baseline_at: before?.baseline_at ?? run.observed_at,
    last_run: run.run,
    applied_observed_at: run.observed_at,
    confirmed_observed_at: run.observed_at,
    last_checked_at: run.committed_at,
    last_changed_at: run.committed_at,
    active,
    inactive: records.length - active,
    raw_sha256: 'made',
    raw_bytes: 0,
    definition_version: 1,
    download_key: null,
    http_etag: null,
    http_last_modified: null,
    dataset_modified_at: null,
  }
}

export function slugOf(territory: string): string {
  return `registro-${territory.slice(3).toLowerCase()}`
}
