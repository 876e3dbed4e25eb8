import type { Logger } from 'pino'
import type { Db } from '../store/db.ts'
import { HEALTH_STATUSES, type HealthStatus, storeHealth } from '../store/health.ts'
import { failingTerritories, type RunTotal, runTotals, waitingRuns } from '../store/run-totals.ts'
import type { RegistryState } from '../store/state.ts'
import { readState } from '../store/state-document.ts'
import type { Meters } from './meters.ts'

/** Shorter than the ten seconds that Prometheus waits for a scrape. */
const LIMIT_MS = 5_000

interface Seen {
  state: RegistryState
  health: HealthStatus
  totals: RunTotal[]
  waiting: ReadonlyMap<string, number>
}

/**
 * Brings the gauges that tell of the registry itself up to date, from what is stored: they are true whichever
 * process is asked, and whoever did the load. While the store is away they are absent rather than old.
 */
export function stateCollector(
  { db, log, now }: { db: Db; log: Logger; now: () => number },
  meters: Meters,
): () => Promise<void> {
  return async () => {
    try {
      const seen = await withinLimit(look(db))
      forget(meters)
      meters.storeUp.set(1)
      show(seen, meters, now())
    } catch (err) {
      log.warn({ err }, 'the state of the registry could not be read for metrics')
      forget(meters)
      meters.storeUp.set(0)
    }
  }
}

async function look(db: Db): Promise<Seen> {
  const [{ state }, health, totals] = await Promise.all([
    readState(db),
    storeHealth(db),
    runTotals(db),
  ])
  return { state, health, totals, waiting: await waitingRuns(db, state) }
}

async function withinLimit<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${LIMIT_MS} ms`)), LIMIT_MS)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Gauges with labels keep a series for ever unless they are emptied. */
function forget(meters: Meters): void {
  const { storeHealth: health, loadRuns, loadsFailing, runsWaiting } = meters
  const { lastGoodLoadAge, pharmacies, leaseOwner, lastChangeId, committedRun } = meters
  for (const gauge of [health, loadRuns, loadsFailing, runsWaiting]) gauge.reset()
  for (const gauge of [lastGoodLoadAge, pharmacies, leaseOwner]) gauge.reset()
  lastChangeId.remove()
  committedRun.remove()
}

function show({ state, health, totals, waiting }: Seen, meters: Meters, now: number): void {
  for (const status of HEALTH_STATUSES) {
    meters.storeHealth.set({ status }, status === health ? 1 : 0)
  }
  for (const { territory_code, status, count } of totals) {
    meters.loadRuns.set({ territory_code, status }, count)
  }
  showTerritories({ state, totals, waiting }, meters, now)
  meters.lastChangeId.set(state.last_change_id)
  meters.committedRun.set(state.committed_run)
  meters.leaseOwner.set({ owner: ownerOf(state, now) }, 1)
}

function showTerritories(
  { state, totals, waiting }: Omit<Seen, 'health'>,
  meters: Meters,
  now: number,
): void {
  const failing = failingTerritories(totals)
  const loaded = Object.keys(state.territories)
  const known = new Set([...loaded, ...totals.map(({ territory_code }) => territory_code)])
  for (const territory_code of known) {
    meters.loadsFailing.set({ territory_code }, failing.has(territory_code) ? 1 : 0)
    meters.runsWaiting.set({ territory_code }, waiting.get(territory_code) ?? 0)
  }
  for (const [territory_code, territory] of Object.entries(state.territories)) {
    const age = (now - Date.parse(territory.confirmed_observed_at)) / 1000
    meters.lastGoodLoadAge.set({ territory_code }, age)
    meters.pharmacies.set({ territory_code, state: 'active' }, territory.active)
    meters.pharmacies.set({ territory_code, state: 'inactive' }, territory.inactive)
  }
}

function ownerOf({ lease }: RegistryState, now: number): string {
  return lease && Date.parse(lease.expires_at) > now ? lease.owner : 'none'
}
