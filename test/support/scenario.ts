import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseCsv } from 'csv-parse/sync'
import { parse as parseYaml } from 'yaml'
import { changeOf } from '../../src/delta/changes.ts'
import { identityReuseSuspected } from '../../src/delta/diff.ts'
import { eventsOf } from '../../src/delta/events.ts'
import { createRekeyCounter, judgeDelta } from '../../src/delta/guards.ts'
import { compileNormaliser } from '../../src/delta/normalise.ts'
import { createComparison } from '../../src/delta/snapshot.ts'
import type { Change } from '../../src/domain/change.ts'
import type { SourceDefinition } from '../../src/domain/definition.ts'
import type { BusinessEvent } from '../../src/domain/event.ts'
import type { Pharmacy } from '../../src/domain/pharmacy.ts'
import type { Row, RowLayout } from '../../src/domain/row.ts'
import { type Reason, type RunCounts, type Warning, warningTally } from '../../src/domain/run.ts'

/** The pure pipeline in memory: what load/ does with a spool and a store, for files small enough to hold. */
export type State = ReadonlyMap<string, { record: Pharmacy; hash: string }>

export interface Loaded {
  state: State
  counts: RunCounts
  events: BusinessEvent[]
  changes: Change[]
  reasons: Reason[]
  warnings: Warning[]
}

export interface Snapshot {
  layout: RowLayout
  rows: readonly Row[]
  observedAt: string
}

/** Loads one snapshot of one territory on top of a state; without a state it is the baseline. */
export function loadSnapshot(
  definition: SourceDefinition,
  snapshot: Snapshot,
  previous?: State,
): Loaded {
  const { layout, rows, observedAt } = snapshot
  const tally = warningTally()
  const before: State = previous ?? new Map()
  const normaliser = compileNormaliser(definition, layout, { observedAt, datasetModifiedAt: null })
  const comparison = createComparison({ definition, expected: before.size, tally })
  for (const [id, { hash }] of before) comparison.previous(id, hash)

  const spool: { record: Pharmacy; hash: string }[] = []
  for (const row of rows) {
    const judged = normaliser.judge(row, tally)
    if (comparison.row(judged) !== 'skip' && judged.kind === 'record') spool.push(judged)
  }
  const missing = normaliser.missing()
  if (missing) throw missing
  if (comparison.unresolved) {
    for (const row of rows) comparison.resolve(normaliser.judge(row, warningTally()))
  }
  const { counts, reasons } = comparison.finish()

  const wins = comparison.winners()
  const state = new Map(before)
  const touched = new Set<string>(comparison.removed())
  for (const id of touched) state.delete(id)
  for (const { record, hash } of spool) {
    if (!wins(record.external_id, hash)) continue
    state.set(record.external_id, { record, hash })
    touched.add(record.external_id)
  }

  const pairs = [...touched].sort().map((id) => ({
    old: before.get(id)?.record ?? null,
    current: state.get(id)?.record ?? null,
  }))
  const events = previous ? pairs.flatMap(({ old, current }) => eventsOf(old, current)) : []
  for (const { old, current } of pairs) {
    if (old && current && identityReuseSuspected(old, current)) {
      tally.add('identity_reuse_suspected', current.external_id)
    }
  }
  return {
    state,
    counts,
    events,
    changes: pairs.flatMap(({ old, current }) => changeOf(old, current) ?? []),
    reasons: previous
      ? [...reasons, ...doubts(definition, { before, counts, events, pairs })]
      : reasons,
    warnings: tally.list(),
  }
}

function doubts(
  definition: SourceDefinition,
  {
    before,
    counts,
    events,
    pairs,
  }: {
    before: State
    counts: RunCounts
    events: BusinessEvent[]
    pairs: { old: Pharmacy | null; current: Pharmacy | null }[]
  },
): Reason[] {
  const rekeys = createRekeyCounter()
  for (const { old, current } of pairs) {
    if (old && !current) rekeys.removed(old)
    if (current && !old) rekeys.added(current)
  }
  const number = (type: string) => events.filter(({ event_type }) => event_type === type).length
  return judgeDelta(
    {
      previousTotal: before.size,
      removed: counts.removed,
      added: counts.added,
      softClosed: number('closed_soft'),
      relocated: number('relocated'),
      rekeyed: rekeys.count(),
    },
    definition.guards,
  )
}

/** A CSV file as the rows of a table. */
export function tableOf(
  text: string,
  {
    delimiter = ';',
    quote = '"',
  }: { delimiter?: string | undefined; quote?: string | null | undefined } = {},
): Pick<Snapshot, 'layout' | 'rows'> {
  const [header = [], ...rows]: string[][] = parseCsv(text, {
    delimiter,
    quote: quote === null ? false : quote,
    relax_column_count: true,
    skip_empty_lines: true,
  })
  return { layout: { header }, rows }
}

/** A scenario folder: a definition, an optional state before, a snapshot after, and what must come of it. */
export function runScenario(folder: string): Loaded {
  const definition: SourceDefinition = {
    ...parseYaml(readFileSync(join(folder, 'definition.yaml'), 'utf8')),
    file: join(folder, 'definition.yaml'),
  }
  const read = (name: string, observedAt: string): Snapshot => ({
    ...tableOf(readFileSync(join(folder, name), 'utf8'), definition.parse),
    observedAt,
  })
  const before = existsSync(join(folder, 'before.csv'))
    ? loadSnapshot(definition, read('before.csv', '2024-01-02T06:00:00.000Z')).state
    : undefined
  return loadSnapshot(definition, read('after.csv', '2024-02-02T06:00:00.000Z'), before)
}
