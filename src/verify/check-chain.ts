import { isDeepStrictEqual } from 'node:util'
import { contentHash } from '../delta/content-hash.ts'
import { eventsOf } from '../delta/events.ts'
import type { Pharmacy } from '../domain/pharmacy.ts'
import type { EventCounts } from '../domain/run.ts'
import type { ChangeDocument, EventDocument, VersionDocument } from '../store/documents.ts'
import { eventDocument, OPEN_RUN, searchFields } from '../store/documents.ts'
import { recordOf } from '../store/previous.ts'
import type { Chain } from './chains.ts'
import type { Report } from './report.ts'

/** What the journal knows of a committed run, as far as the checks need it. */
export interface CommittedRun {
  run: number
  run_id: string
  territory_code: string
  observed_at: string
  baseline: boolean
  renormalised: boolean
  /** has every event type that was known when it ran */
  events: EventCounts
}

/**
 * Checks one pharmacy against invariants b, c, d, e and h: its changes, replayed, give its versions at every
 * run, its versions follow one another without overlap, and its events are what diffing neighbours yields.
 */
export function checkChain(
  chain: Chain,
  runs: ReadonlyMap<number, CommittedRun>,
  isDead: (run: number) => boolean,
  report: Report,
): void {
  checkReplay(chain, isDead, report)
  checkOverlap(chain, isDead, report)
  checkEvents(chain, runs, report)
  for (const version of chain.versions) checkContent(version, report)
}

interface Life {
  from_run: number
  to_run: number
  record: Pharmacy
}

/** The versions that replaying the changes would make. */
function replay(changes: readonly ChangeDocument[]): Life[] {
  const lives: Life[] = []
  for (const change of changes) {
    const open = lives.at(-1)
    if (open && open.to_run === OPEN_RUN) open.to_run = change.run
    if (change.operation === 'upsert') {
      lives.push({ from_run: change.run, to_run: OPEN_RUN, record: change.payload })
    }
  }
  return lives
}

function checkReplay(chain: Chain, isDead: (run: number) => boolean, report: Report): void {
  const expected = replay(chain.changes)
  const actual = chain.versions.map((version) => ({
    from_run: version.from_run,
    to_run: isDead(version.to_run) ? OPEN_RUN : version.to_run,
    record: recordOf(version),
  }))
  if (!isDeepStrictEqual(actual.map(ordered), expected.map(ordered))) {
    report.violation(
      'c',
      `${nameOf(chain)}: versions ${spans(actual)}, changes replayed ${spans(expected)}`,
    )
  }
  const now = { actual: actual.at(-1), expected: expected.at(-1) }
  const current = (life: Life | undefined) =>
    life?.to_run === OPEN_RUN ? ordered(life).record : null
  if (!isDeepStrictEqual(current(now.actual), current(now.expected))) {
    report.violation('b', `${nameOf(chain)}: the current record is not what the changes give`)
  }
  for (const [at, change] of chain.changes.entries()) {
    if (change.operation !== 'delete') continue
    const last = chain.changes[at - 1]
    if (!last || last.operation === 'delete' || !isDeepStrictEqual(last.payload, change.payload)) {
      report.violation(
        'b',
        `${nameOf(chain)}: delete ${change.id} does not carry the last known record`,
      )
    }
  }
}

function ordered(life: Life) {
  return { ...life, record: Object.entries(life.record).sort(([a], [b]) => (a < b ? -1 : 1)) }
}

function checkOverlap(chain: Chain, isDead: (run: number) => boolean, report: Report): void {
  let end = 0
  for (const version of chain.versions) {
    const to = isDead(version.to_run) ? OPEN_RUN : version.to_run
    if (version.from_run < end || to <= version.from_run) {
      report.violation('e', `${nameOf(chain)}: version [${version.from_run}, ${to}) overlaps`)
    }
    end = to
  }
}

function checkEvents(chain: Chain, runs: ReadonlyMap<number, CommittedRun>, report: Report): void {
  const expected: EventDocument[] = []
  let previous: Pharmacy | null = null
  for (const change of chain.changes) {
    const current = change.operation === 'upsert' ? change.payload : null
    const run = runs.get(change.run)
    if (run) expected.push(...expectedEvents(run, previous, current))
    else report.violation('d', `${nameOf(chain)}: change ${change.id} is of no known run`)
    previous = current
  }
  const actual = chain.events.map((event) => ({ ...event, seq: 0 }))
  if (!isDeepStrictEqual(actual, expected)) {
    report.violation('d', `${nameOf(chain)}: [${typesOf(actual)}], expected [${typesOf(expected)}]`)
  }
}

function expectedEvents(
  run: CommittedRun,
  previous: Pharmacy | null,
  current: Pharmacy | null,
): EventDocument[] {
  if (run.baseline || run.renormalised) return []
  const at = { seq: 0, run: run.run, run_id: run.run_id, occurred_at: run.observed_at }
  return eventsOf(previous, current)
    .filter(({ event_type }) => event_type in run.events)
    .map((event) => eventDocument(event, at))
}

function typesOf(events: readonly EventDocument[]): string {
  return events.map(({ event_type, run }) => `${event_type} in run ${run}`).join(', ')
}

function checkContent(version: VersionDocument, report: Report): void {
  const record = recordOf(version)
  const hashes = [contentHash(record, true), contentHash(record, false)]
  if (!hashes.includes(version.content_hash)) {
    report.violation(
      'h',
      `${nameOf(version)}: content_hash of the version from run ${version.from_run}`,
    )
  }
  const { location, city_keys, province_keys, search_tokens } = version
  const stored = Object.fromEntries(
    Object.entries({ location, city_keys, province_keys, search_tokens }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  if (!isDeepStrictEqual(stored, { ...searchFields(record) })) {
    report.violation(
      'h',
      `${nameOf(version)}: search fields of the version from run ${version.from_run}`,
    )
  }
}

function nameOf({
  territory_code,
  external_id,
}: {
  territory_code: string
  external_id: string
}): string {
  return `${territory_code} ${external_id}`
}

function spans(lives: readonly Life[]): string {
  return (
    lives
      .map(({ from_run, to_run }) => `[${from_run},${to_run === OPEN_RUN ? '' : to_run})`)
      .join('') || 'none'
  )
}
