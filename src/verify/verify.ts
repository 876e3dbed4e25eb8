import { isDeepStrictEqual } from 'node:util'
import { noEvents } from '../domain/run.ts'
import type { Db } from '../store/db.ts'
import type { ChangeDocument, EventDocument, VersionDocument } from '../store/documents.ts'
import { OPEN_RUN } from '../store/documents.ts'
import type { RunDocument } from '../store/runs.ts'
import { countByRun, scan } from '../store/scan.ts'
import { pinOf, type RegistryState } from '../store/state.ts'
import { readState } from '../store/state-document.ts'
import { visibleRecords, visibleVersions } from '../store/visible.ts'
import { chains } from './chains.ts'
import { type CommittedRun, checkChain } from './check-chain.ts'
import { openReport, type Report, type Verdict } from './report.ts'

/**
 * Checks every invariant of the stored data at the committed run found at the start, while loads may go on.
 * Reads everything once or twice; memory does not grow with the data but for one entry per run.
 */
export async function verify(db: Db): Promise<Verdict> {
  const { state } = await readState(db)
  const pin = pinOf(state)
  const report = openReport()
  const runs = await committedRuns(db, state)
  const dead = new Set(state.abandoned)
  const isDead = (run: number) => run !== OPEN_RUN && (dead.has(run) || run > pin.run)

  const checked = { pharmacies: 0, versions: 0, changes: 0, events: 0, runs: runs.size }
  for await (const chain of chains(db, pin)) {
    checked.pharmacies += 1
    checked.versions += chain.versions.length
    checked.changes += chain.changes.length
    checked.events += chain.events.length
    checkChain(chain, runs, isDead, report)
  }
  await checkSequences(db, state, report)
  await checkRunCounts(db, state, runs, report)
  await checkTerritories(db, state, report)
  await checkLeftovers(db, state, runs, report)
  return report.verdict(pin.run, checked)
}

async function committedRuns(db: Db, state: RegistryState): Promise<Map<number, RunDocument>> {
  const runs = new Map<number, RunDocument>()
  const filter = [{ exists: { field: 'committed_at' } }, ...visibleRecords(pinOf(state))]
  for await (const run of scan<RunDocument>(db, 'runs', { filter, sort: [{ run: 'asc' }] })) {
    runs.set(run.run, run)
  }
  return runs
}

/** Invariant a, and the same for event numbers. */
async function checkSequences(db: Db, state: RegistryState, report: Report): Promise<void> {
  const filter = visibleRecords(pinOf(state))
  let id = 0
  let run = 0
  for await (const change of scan<ChangeDocument>(db, 'changes', {
    filter,
    sort: [{ id: 'asc' }],
  })) {
    if (change.id !== id + 1) report.violation('a', `change ${change.id} follows ${id}`)
    if (change.run < run)
      report.violation('a', `change ${change.id} of run ${change.run} follows run ${run}`)
    id = change.id
    run = change.run
  }
  if (id !== state.last_change_id) {
    report.violation(
      'a',
      `the last change is ${id}, the state document says ${state.last_change_id}`,
    )
  }
  let seq = 0
  for await (const event of scan<EventDocument>(db, 'events', { filter, sort: [{ seq: 'asc' }] })) {
    if (event.seq !== seq + 1) report.violation('a', `event ${event.seq} follows ${seq}`)
    seq = event.seq
  }
  if (seq !== state.last_seq) {
    report.violation('g', `the last event is ${seq}, the state document says ${state.last_seq}`)
  }
}

/** Invariant g for runs: what the journal says was done is what is there. */
async function checkRunCounts(
  db: Db,
  state: RegistryState,
  runs: ReadonlyMap<number, RunDocument>,
  report: Report,
): Promise<void> {
  const filter = visibleRecords(pinOf(state))
  const counted = new Map<
    number,
    { upserts: number; deletes: number; events: RunDocument['events'] }
  >()
  const entry = (run: number) => {
    const known = counted.get(run) ?? { upserts: 0, deletes: 0, events: noEvents() }
    counted.set(run, known)
    return known
  }
  for await (const change of scan<ChangeDocument>(db, 'changes', {
    filter,
    sort: [{ id: 'asc' }],
  })) {
    if (change.operation === 'upsert') entry(change.run).upserts += 1
    else entry(change.run).deletes += 1
  }
  for await (const event of scan<EventDocument>(db, 'events', { filter, sort: [{ seq: 'asc' }] })) {
    entry(event.run).events[event.event_type] += 1
  }
  for (const run of runs.values()) {
    const { upserts, deletes, events } = entry(run.run)
    const { added, updated, removed } = run.counts
    if (
      upserts !== added + updated ||
      deletes !== removed ||
      !isDeepStrictEqual(events, { ...noEvents(), ...run.events })
    ) {
      report.violation(
        'g',
        `${run.run_id}: journal ${added}+${updated} upserts, ${removed} deletes, ${JSON.stringify(run.events)}; ` +
          `found ${upserts} upserts, ${deletes} deletes, ${JSON.stringify(events)}`,
      )
    }
  }
}

/** Invariant g for territories. */
async function checkTerritories(db: Db, state: RegistryState, report: Report): Promise<void> {
  const counted = new Map<string, { active: number; inactive: number }>()
  const filter = visibleVersions(pinOf(state))
  for await (const version of scan<VersionDocument>(db, 'pharmacies', {
    filter,
    sort: ['_shard_doc'],
  })) {
    const entry = counted.get(version.territory_code) ?? { active: 0, inactive: 0 }
    entry[version.is_active ? 'active' : 'inactive'] += 1
    counted.set(version.territory_code, entry)
  }
  const codes = new Set([...counted.keys(), ...Object.keys(state.territories)])
  for (const code of codes) {
    const found = counted.get(code) ?? { active: 0, inactive: 0 }
    const stated = state.territories[code]
    if (stated?.active !== found.active || stated.inactive !== found.inactive) {
      report.violation(
        'g',
        `${code}: the state says ${stated?.active} active and ${stated?.inactive} inactive, found ${found.active} and ${found.inactive}`,
      )
    }
  }
}

const CARRIERS = [
  ['events', 'run'],
  ['changes', 'run'],
  ['pharmacies', 'from_run'],
  ['pharmacies', 'to_run'],
] as const

/**
 * Invariant f. A lease in force, or a dead attempt still to be swept, explains documents of a run that is not
 * committed; nothing else does.
 */
async function checkLeftovers(
  db: Db,
  state: RegistryState,
  runs: ReadonlyMap<number, CommittedRun>,
  report: Report,
): Promise<void> {
  const leased = state.lease ? [state.lease.run] : []
  const explained = new Set([OPEN_RUN, ...runs.keys(), ...state.abandoned, ...leased])
  for (const [index, field] of CARRIERS) {
    for (const [run, count] of await countByRun(db, index, field)) {
      if (explained.has(run) || (await isNewer(db, state, run))) continue
      report.violation(
        'f',
        `${count} documents in ${index} carry ${field} ${run}, which never committed`,
      )
    }
  }
}

/** A load that went on since the state was read: its run is the lease's now, or has ended meanwhile. */
async function isNewer(db: Db, then: RegistryState, run: number): Promise<boolean> {
  if (run < then.next_run) return false
  const { state } = await readState(db)
  return run < state.next_run
}
