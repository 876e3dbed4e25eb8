import type { RunStatus } from '../domain/run.ts'
import { type Db, search } from './db.ts'
import { listRuns } from './runs.ts'
import type { RegistryState } from './state.ts'

/** How many runs of a territory ended with a status, and the number of the newest of them. */
export interface RunTotal {
  territory_code: string
  status: RunStatus
  count: number
  newestRun: number
}

interface Bucket {
  key: { territory_code: string; status: RunStatus }
  doc_count: number
  newest: { value: number }
}

/** More pairs of territory and status than Spain can have. */
const MAX_PAIRS = 1000

export async function runTotals(db: Db): Promise<RunTotal[]> {
  const answer = await search<never, { pairs: { buckets: Bucket[] } }>(db, 'runs', {
    size: 0,
    aggs: {
      pairs: {
        composite: {
          size: MAX_PAIRS,
          sources: [
            { territory_code: { terms: { field: 'territory_code' } } },
            { status: { terms: { field: 'status' } } },
          ],
        },
        aggs: { newest: { max: { field: 'run' } } },
      },
    },
  })
  return (answer.aggregations?.pairs.buckets ?? []).map(({ key, doc_count, newest }) => ({
    ...key,
    count: doc_count,
    newestRun: newest.value,
  }))
}

/** Territories whose newest run went wrong, so that what is served grows old. */
export function failingTerritories(totals: readonly RunTotal[]): Set<string> {
  const newest = new Map<string, RunTotal>()
  for (const total of totals) {
    if (total.status === 'running' || total.status === 'rejected') continue
    const known = newest.get(total.territory_code)
    if (!known || total.newestRun > known.newestRun) newest.set(total.territory_code, total)
  }
  const wrong = [...newest.values()].filter(
    ({ status }) => status === 'failed' || status === 'abandoned',
  )
  return new Set(wrong.map(({ territory_code }) => territory_code))
}

const MAX_WAITING = 1000

/** Quarantined runs by territory that an operator can still approve: no good snapshot came after them. */
export async function waitingRuns(db: Db, state: RegistryState): Promise<Map<string, number>> {
  const { items } = await listRuns(db, {
    territories: 'all',
    limit: MAX_WAITING,
    status: 'quarantined',
  })
  const waiting = new Map<string, number>()
  for (const { territory_code, observed_at } of items) {
    const newest = state.territories[territory_code]?.confirmed_observed_at
    if (newest !== undefined && newest >= observed_at) continue
    waiting.set(territory_code, (waiting.get(territory_code) ?? 0) + 1)
  }
  return waiting
}
