import type { BusinessEvent } from '../../src/domain/event.ts'
import type { Pharmacy } from '../../src/domain/pharmacy.ts'
import { instantOf } from '../../src/domain/time.ts'
import {
  type ChangeDocument,
  type EventDocument,
  eventDocument,
  type VersionDocument,
} from '../../src/store/documents.ts'
import type { RunDocument } from '../../src/store/runs.ts'
import { NEW_REGISTRY, type RegistryState } from '../../src/store/state.ts'
import { changeDocument, openVersion, runDocument, territoryState } from './made-documents.ts'
import { after, eventsOf, HAPPENINGS, someRecord } from './made-records.ts'
import { type Random, seededRandom } from './random.ts'

/** What became of a run: readers must see the committed ones and nothing of the others. */
export type Fate = 'committed' | 'abandoned' | 'beyond'

export interface MadeRun {
  run: number
  run_id: string
  territory: string
  observed_at: string
  committed_at: string
  fate: Fate
}

/** A visible event with its location on both sides, for checking answers by hand. */
export type MadeEvent = BusinessEvent & {
  seq: number
  run: number
  run_id: string
  occurred_at: string
}
export type MadeChange = ChangeDocument & { changed_at: string }

/** A registry as the commit protocol leaves it, and apart from it what a reader must be told. */
export interface MadeRegistry {
  state: RegistryState
  stored: {
    pharmacies: VersionDocument[]
    events: EventDocument[]
    changes: ChangeDocument[]
    runs: RunDocument[]
  }
  runs: MadeRun[]
  /** newest first */
  events: MadeEvent[]
  /** by ascending id */
  changes: MadeChange[]
  /** the records of a territory once the given run was committed, by external_id */
  datasets: Map<number, Pharmacy[]>
}

export interface MadeOptions {
  seed: number
  territories: readonly string[]
  /** records of each baseline */
  records: number
  /** runs after the baselines, abandoned ones included */
  runs: number
  changesPerRun: number
  /** how many made-up towns there are besides the named cities */
  towns: number
  /** the instant of the first baseline; the runs of one day share theirs */
  start: string
}

const DAY_MS = 86_400_000
const BEYOND_RUNS = 2

/** Makes a history of runs: baselines first, then changes, some abandoned half-way, the last ones not committed. */
export function makeRegistry(options: MadeOptions): MadeRegistry {
  const random = seededRandom(options.seed)
  const made = emptyRegistry()
  const current = new Map(options.territories.map((code) => [code, new Map<string, Held>()]))
  const total = options.territories.length + options.runs + BEYOND_RUNS
  for (let index = 0; index < total; index++) {
    const isBaseline = index < options.territories.length
    const territory = isBaseline
      ? (options.territories[index] as string)
      : random.pick(options.territories)
    const fate = fateOf(random, { index, total, isBaseline })
    const day = isBaseline ? 0 : 1 + Math.floor((index - options.territories.length) / 2)
    const observedAt = instantOf(Date.parse(options.start) + day * DAY_MS)
    const run = madeRun({ index, territory, fate, observedAt })
    const held = current.get(territory) as Map<string, Held>
    perform({ made, run, held, random, options, isBaseline })
  }
  made.events.sort((a, b) => b.occurred_at.localeCompare(a.occurred_at) || b.seq - a.seq)
  return made
}

function emptyRegistry(): MadeRegistry {
  return {
    state: structuredClone(NEW_REGISTRY),
    stored: { pharmacies: [], events: [], changes: [], runs: [] },
    runs: [],
    events: [],
    changes: [],
    datasets: new Map(),
  }
}

function fateOf(
  random: Random,
  { index, total, isBaseline }: { index: number; total: number; isBaseline: boolean },
): Fate {
  if (index >= total - BEYOND_RUNS) return 'beyond'
  // The last run below them commits, so that no abandoned number is left unsettled.
  if (isBaseline || index === total - BEYOND_RUNS - 1) return 'committed'
  return random.chance(0.2) ? 'abandoned' : 'committed'
}

function madeRun(at: {
  index: number
  territory: string
  fate: Fate
  observedAt: string
}): MadeRun {
  const run = at.index + 1
  return {
    run,
    run_id: `run-${String(run).padStart(4, '0')}`,
    territory: at.territory,
    observed_at: at.observedAt,
    // Later than the snapshot, strictly growing with the run number.
    committed_at: instantOf(Date.parse(at.observedAt) + 60_000 + run),
    fate: at.fate,
  }
}

/** A record that is there, with the stored version that carries it. */
interface Held {
  record: Pharmacy
  version: VersionDocument
}

interface Performance {
  made: MadeRegistry
  run: MadeRun
  held: Map<string, Held>
  random: Random
  options: MadeOptions
  isBaseline: boolean
}

function perform(performance: Performance): void {
  const { made, run, held, isBaseline } = performance
  const isSeen = run.fate === 'committed'
  let { last_seq: seq, last_change_id: id } = made.state
  for (const [before, now] of modifications(performance)) {
    const version = now && openVersion(now, run.run)
    if (version) made.stored.pharmacies.push(version)
    // Whoever wrote last ended the version; readers know which of these numbers count.
    if (before) before.version.to_run = run.run

    for (const event of isBaseline ? [] : eventsOf(before?.record ?? null, now)) {
      seq += 1
      const numbered = { seq, run: run.run, run_id: run.run_id, occurred_at: run.observed_at }
      made.stored.events.push(eventDocument(event, numbered))
      if (isSeen) made.events.push({ ...event, ...numbered })
    }
    id += 1
    const change = changeDocument(run, id, now ?? before?.record, now ? 'upsert' : 'delete')
    made.stored.changes.push(change)
    if (!isSeen) continue
    made.changes.push({ ...change, changed_at: run.committed_at })
    if (now && version) held.set(now.external_id, { record: now, version })
    else held.delete(change.external_id)
  }
  conclude(performance, { seq, id })
}

function* modifications({
  run,
  held,
  random,
  options,
  isBaseline,
}: Performance): Generator<[Held | null, Pharmacy | null]> {
  const at = { territory: run.territory, observedAt: run.observed_at, towns: options.towns }
  if (isBaseline) {
    for (let n = 0; n < options.records; n++)
      yield [null, someRecord(random, { ...at, id: idOf(n) })]
    return
  }
  const touched = new Set<string>()
  const ids = [...held.keys()]
  for (let n = 0; n < options.changesPerRun; n++) {
    // Ids come back after they vanished: `records` more of them than the baseline had.
    const id = random.chance(0.3) ? idOf(random.integer(2 * options.records)) : random.pick(ids)
    if (touched.has(id)) continue
    touched.add(id)
    const before = held.get(id) ?? null
    if (!before) yield [null, someRecord(random, { ...at, id })]
    else if (random.chance(0.25)) yield [before, null]
    else yield [before, after(random, before.record, random.pick(HAPPENINGS), at)]
  }
}

/** Ids whose code point order differs from their numbers, some beyond the basic plane. */
function idOf(n: number): string {
  if (n % 97 === 3) return `\u{1F48A}${n}`
  if (n % 97 === 5) return `\uFF21${n}`
  return n % 2 === 0 ? String(n).padStart(5, '0') : `B-${n}`
}

function conclude(
  { made, run, held, isBaseline }: Performance,
  last: { seq: number; id: number },
): void {
  const { state } = made
  made.runs.push(run)
  made.stored.runs.push(runDocument(run, isBaseline, last))
  state.next_run = run.run + 1
  if (run.fate === 'abandoned') state.abandoned.push(run.run)
  if (run.fate !== 'committed') return
  const records = [...held.values()].map(({ record }) => record)
  made.datasets.set(
    run.run,
    records.sort((a, b) => byCodePoint(a.external_id, b.external_id)),
  )
  state.committed_run = run.run
  state.committed_at = run.committed_at
  state.last_seq = last.seq
  state.last_change_id = last.id
  state.territories[run.territory] = territoryState(run, records, state.territories[run.territory])
}

/** UTF-8 byte order, which is code point order; UTF-16 order puts what lies beyond the basic plane too early. */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
