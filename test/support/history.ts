import type { SourceDefinition } from '../../src/domain/definition.ts'
import type { BusinessEvent } from '../../src/domain/event.ts'
import type { Pharmacy } from '../../src/domain/pharmacy.ts'
import { noEvents, type RunStatus } from '../../src/domain/run.ts'
import { instantOf } from '../../src/domain/time.ts'
import { eventsOf } from './made-records.ts'
import { byCodePoint } from './made-registry.ts'
import {
  addressTemplate,
  BY_MEANING,
  type Edit,
  edited,
  newRegister,
  type Register,
  recordOf,
} from './published.ts'
import { seededRandom } from './random.ts'
import { csvOf, type Listed, registerDefinition } from './register.ts'

/**
 * What a history of loads must leave, foretold from the rules of the specification alone: states are whole maps of
 * records, events and changes come from comparing two of them by brute force.
 */

export type Dataset = ReadonlyMap<string, Pharmacy>

/** One load of one territory, as chance deals it; an operator may have a word before it. */
export interface Step {
  territory: number
  kind: 'load' | 'same' | 'older' | 'future' | 'broken'
  edits: readonly Edit[]
  /** guards that quarantine what is much */
  isStrict: boolean
  /** the definition's version is raised before this load */
  isRaised: boolean
  decision: 'approve' | 'reject' | null
  seed: number
}

/** What a run must be in the journal. */
export interface Foretold {
  status: RunStatus
  renormalised: boolean
  baseline: boolean
  events: ReturnType<typeof noEvents>
  changes: { added: number; updated: number; removed: number }
}

/** A file to load, and what must come of it. */
export interface Delivery {
  territory: string
  definition: SourceDefinition
  text: string
  observedAt: string
  foretold: Foretold[]
}

export interface Pending {
  territory: string
  rows: ReadonlyMap<string, Listed>
  text: string
  observedAt: string
  version: number
}

interface Loaded {
  version: number
  dataset: Dataset
  /** the last file applied, or confirmed with other bytes */
  rows: ReadonlyMap<string, Listed>
  text: string
  appliedAt: string
  confirmedAt: string
}

interface Territory {
  code: string
  register: Register
  version: number
  hour: number
  loaded: Loaded | null
}

export type ForetoldEvent = BusinessEvent & { occurred_at: string }

export interface Model {
  territories: readonly Territory[]
  /** quarantined runs that wait for an operator, oldest first; the test keeps their run ids by this object */
  pending: Pending[]
  events: ForetoldEvent[]
  deliver(step: Step): Delivery
  /** what the operator's approval of a quarantined run must give; null when it must be refused */
  approve(pending: Pending): Foretold[] | null
}

const START = Date.parse('2024-01-01T06:00:00.000Z')
const HOUR_MS = 3_600_000
const STRICT = { max_removed_ratio: 0.1, max_relocated_ratio: 0.1, max_growth_ratio: 0.2, floor: 1 }

export function openModel(
  codes: readonly string[],
  { folder, seed }: { folder: string; seed: number },
): Model {
  const random = seededRandom(seed)
  const territories: Territory[] = codes.map((code) => ({
    code,
    register: newRegister(random, 6),
    version: 1,
    hour: 0,
    loaded: null,
  }))
  const pending: Pending[] = []
  const events: ForetoldEvent[] = []

  /** Brings a territory to a dataset; null says that this is what it has already. */
  const commit = (
    territory: Territory,
    next: Omit<Loaded, 'confirmedAt'>,
    { renormalised }: { renormalised: boolean },
  ): Foretold => {
    const before = territory.loaded
    const run = runOf(before?.dataset ?? null, next.dataset, { renormalised })
    for (const event of run.happened) events.push({ ...event, occurred_at: next.appliedAt })
    const confirmedAt =
      before && before.confirmedAt > next.appliedAt ? before.confirmedAt : next.appliedAt
    territory.loaded = { ...next, confirmedAt }
    return run.foretold
  }

  /** A raised version reads the last file again, at its own date, without events. */
  const renormalise = (territory: Territory, version: number): Foretold[] => {
    const { loaded } = territory
    if (!loaded || loaded.version === version) return []
    const dataset = read(loaded.rows, loaded.dataset, {
      territory: territory.code,
      version,
      observedAt: loaded.appliedAt,
    })
    if (isSame(dataset, loaded.dataset)) {
      territory.loaded = { ...loaded, version }
      return [unchanged({ renormalised: true })]
    }
    return [commit(territory, { ...loaded, version, dataset }, { renormalised: true })]
  }

  const apply = (
    territory: Territory,
    file: Pick<Pending, 'rows' | 'text' | 'observedAt' | 'version'>,
    { isStrict, isBroken }: { isStrict: boolean; isBroken: boolean },
  ): Foretold => {
    const { loaded } = territory
    const { rows, text, observedAt, version } = file
    if (loaded?.text === text) {
      if (observedAt > loaded.confirmedAt) territory.loaded = { ...loaded, confirmedAt: observedAt }
      return unchanged()
    }
    if (Date.parse(observedAt) > Date.now() + HOUR_MS / 2) return ended('failed', loaded)
    if (loaded && observedAt <= loaded.confirmedAt) return ended('failed', loaded)
    if (isBroken) return ended('failed', loaded)
    const dataset = read(rows, loaded?.dataset, { territory: territory.code, version, observedAt })
    if (loaded && isSame(dataset, loaded.dataset)) {
      territory.loaded = { ...loaded, rows, text, confirmedAt: observedAt }
      return unchanged()
    }
    if (isStrict && loaded && isTooMuch(loaded.dataset, dataset)) {
      pending.push({ ...file, territory: territory.code })
      return {
        ...runOf(loaded.dataset, dataset, { renormalised: false }).foretold,
        status: 'quarantined',
      }
    }
    return commit(
      territory,
      { version, dataset, rows, text, appliedAt: observedAt },
      { renormalised: false },
    )
  }

  return {
    territories,
    pending,
    events,
    deliver(step) {
      const dealt = seededRandom(step.seed)
      const territory = territories[step.territory % territories.length] as Territory
      if (step.isRaised) territory.version += 1
      const changed = step.edits.reduce(
        (register, edit) => edited(dealt, register, edit),
        territory.register,
      )
      if (step.kind === 'load') territory.register = changed
      territory.hour += 1
      const file = fileOf(territory, step, changed)
      const { version } = territory
      return {
        territory: territory.code,
        definition: definitionOf(folder, territory, step),
        text: file.text,
        observedAt: file.observedAt,
        foretold: [
          ...renormalise(territory, version),
          apply(
            territory,
            { ...file, version },
            { isStrict: step.isStrict, isBroken: step.kind === 'broken' },
          ),
        ],
      }
    },
    approve(asked) {
      pending.splice(pending.indexOf(asked), 1)
      const territory = territories.find(({ code }) => code === asked.territory) as Territory
      if (territory.loaded && territory.loaded.confirmedAt >= asked.observedAt) return null
      return [
        ...renormalise(territory, asked.version),
        apply(territory, asked, { isStrict: false, isBroken: false }),
      ]
    },
  }
}

function fileOf({ register, loaded, hour }: Territory, step: Step, changed: Register) {
  const { rows } = step.kind === 'same' ? (loaded ?? register) : changed
  const listed = [...rows.values()]
  // Rows in another order are other bytes of the same content.
  const ordered = step.kind === 'load' && step.seed % 2 === 0 ? listed.reverse() : listed
  const text = step.kind === 'same' && loaded ? loaded.text : csvOf(ordered)
  return {
    rows,
    text: step.kind === 'broken' ? brokenText(text, step.seed) : text,
    observedAt: dateOf({ loaded, hour }, step),
  }
}

function dateOf(
  { loaded, hour }: Pick<Territory, 'loaded' | 'hour'>,
  { kind, seed }: Step,
): string {
  if (kind === 'future') return instantOf(Date.now() + HOUR_MS)
  if (kind === 'older' && loaded)
    return instantOf(Date.parse(loaded.confirmedAt) - (seed % 2) * HOUR_MS)
  return instantOf(START + hour * HOUR_MS)
}

/** A header alone, a column under another name, or rows without their ids. */
function brokenText(text: string, seed: number): string {
  if (seed % 3 === 0) return text.slice(0, text.indexOf('\n') + 1)
  if (seed % 3 === 1) return text.replace('codigo', 'clave')
  return text.replaceAll(/^[^;]+;(?=Farmacia)/gm, ';')
}

function definitionOf(
  folder: string,
  { code, version }: Territory,
  { isStrict }: Step,
): SourceDefinition {
  const base = registerDefinition(folder, {
    territory: code,
    version,
    ...(isStrict ? { guards: STRICT } : {}),
  })
  return { ...base, map: { ...base.map, address_line: { template: addressTemplate(version) } } }
}

/** The dataset that rows give on top of another: what says the same keeps the date it was first observed. */
function read(
  rows: ReadonlyMap<string, Listed>,
  before: Dataset | undefined,
  at: { territory: string; version: number; observedAt: string },
): Dataset {
  const records = [...rows.values()].map((row) => {
    const record = recordOf(row, at)
    const known = before?.get(row.id)
    return known && saysTheSame(known, record) ? known : record
  })
  return new Map(records.map((record) => [record.external_id, record]))
}

function saysTheSame(a: Pharmacy, b: Pharmacy): boolean {
  return JSON.stringify({ ...a, observed_at: '' }) === JSON.stringify({ ...b, observed_at: '' })
}

function isSame(a: Dataset, b: Dataset): boolean {
  return a.size === b.size && [...a].every(([id, record]) => b.get(id) === record)
}

function runOf(
  before: Dataset | null,
  after: Dataset,
  { renormalised }: { renormalised: boolean },
) {
  const baseline = before === null
  const known = before ?? new Map<string, Pharmacy>()
  const changes = { added: 0, updated: 0, removed: 0 }
  const happened: BusinessEvent[] = []
  for (const id of new Set([...known.keys(), ...after.keys()])) {
    const [old, now] = [known.get(id) ?? null, after.get(id) ?? null]
    if (old === now) continue
    changes[kindOf(old, now)] += 1
    if (!baseline && !renormalised) happened.push(...eventsOf(old, now, BY_MEANING))
  }
  const events = noEvents()
  for (const { event_type } of happened) events[event_type] += 1
  return {
    happened,
    foretold: { status: 'committed' as const, renormalised, baseline, events, changes },
  }
}

function kindOf(old: Pharmacy | null, now: Pharmacy | null): 'added' | 'updated' | 'removed' {
  if (!old) return 'added'
  return now ? 'updated' : 'removed'
}

function isTooMuch(before: Dataset, after: Dataset): boolean {
  const { foretold } = runOf(before, after, { renormalised: false })
  const exceeds = (count: number, ratio: number) =>
    count > STRICT.floor && count / before.size > ratio
  return (
    exceeds(foretold.changes.removed, STRICT.max_removed_ratio) ||
    exceeds(foretold.events.closed_soft, STRICT.max_removed_ratio) ||
    exceeds(foretold.events.relocated, STRICT.max_relocated_ratio) ||
    exceeds(foretold.changes.added, STRICT.max_growth_ratio)
  )
}

const NOTHING = { added: 0, updated: 0, removed: 0 }

function unchanged({ renormalised = false }: { renormalised?: boolean } = {}): Foretold {
  return {
    status: 'unchanged',
    renormalised,
    baseline: false,
    events: noEvents(),
    changes: NOTHING,
  }
}

function ended(status: RunStatus, loaded: Loaded | null): Foretold {
  return {
    status,
    renormalised: false,
    baseline: loaded === null,
    events: noEvents(),
    changes: NOTHING,
  }
}

/** Events as the listing shows them but for its numbers, in an order of their own: for comparing with what was foretold. */
export function inOneOrder(events: readonly object[]): object[] {
  const shown = events.map((event) => {
    const { event_id, run_id, old_location, new_location, ...rest } = event as Record<
      string,
      unknown
    >
    return rest
  })
  const key = (event: Record<string, unknown>) =>
    ['occurred_at', 'territory_code', 'external_id', 'event_type']
      .map((field) => event[field])
      .join(' ')
  return shown.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** The records of a dataset as an export lists them. */
export function listed(dataset: Dataset): Pharmacy[] {
  return [...dataset.values()].sort((a, b) => byCodePoint(a.external_id, b.external_id))
}
