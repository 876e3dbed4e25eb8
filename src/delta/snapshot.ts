import type { SourceDefinition } from '../domain/definition.ts'
import { noCounts, type Reason, type RunCounts, type WarningTally } from '../domain/run.ts'
import { createContests } from './contests.ts'
import { judgeRows } from './guards.ts'
import { createHashColumn } from './hash-column.ts'
import { createIdTable, grown } from './id-table.ts'
import type { Judged } from './normalise.ts'

/**
 * Compares the rows of one territory's file with its previous state, holding ids and hashes only, never records.
 *
 *   const comparison = createComparison({ definition, expected: previousTotal, tally })
 *   for (const [id, hash] of previous) comparison.previous(id, hash)
 *   for (const row of rows) {                                     // file order does not matter
 *     const judged = normaliser.judge(row, tally)
 *     if (comparison.row(judged) === 'keep') spool.write(judged)  // content that may be new
 *   }
 *   if (comparison.unresolved) for (const row of rows) comparison.resolve(normaliser.judge(row, warningTally()))
 *   const { counts, reasons } = comparison.finish()
 *   const wins = comparison.winners()                             // anew for each walk over the spool
 *   for (const { record, hash } of spool) if (wins(record.external_id, hash)) …   // 'added' or 'updated'
 *   for (const id of comparison.removed()) …
 *
 * The second reading happens only when one id had rows of different content (`unresolved`), and holds only those ids'
 * candidates. Its tally is thrown away: the warnings were counted in the first.
 */
export interface Comparison {
  /** one current record of the territory; all of them before the first row */
  previous(externalId: string, hash: string): void
  /** one judged row; 'keep': the caller must spool `judged.record` and its hash */
  row(judged: Judged): 'keep' | 'skip'
  /** true after the rows when they must be read once more, through `resolve` */
  readonly unresolved: boolean
  resolve(judged: Judged): void
  finish(): Outcome
  /**
   * For one walk over the spool, in any order: whether a spooled record is new content of the snapshot. True at most
   * once per id, and only for the content that won.
   */
  winners(): (externalId: string, hash: string) => 'added' | 'updated' | null
  /** whether the previous state has the id */
  isKnown(externalId: string): boolean
  /** ids of the previous state that the snapshot does not have, in no particular order */
  removed(): Iterable<string>
}

export interface Outcome {
  counts: RunCounts
  /** rows whose content contradicts another row of their id: every content beyond the first counts once */
  conflicts: number
  /** records that stay as they were because their row was rejected */
  rejectedKnown: number
  /** why the run fails because of its rows (guards.ts, judgeRows); empty when it does not */
  reasons: Reason[]
}

/** Facts of one id, as bits. */
const PREVIOUS = 1
const SEEN = 2
/** the snapshot's content is that of the previous state */
const SAME = 4
const CONFLICT = 8
const REJECTED = 16
/** of one walk over the spool */
const TAKEN = 1

export function createComparison(options: {
  definition: SourceDefinition
  /** about how many records there will be; the previous total, say */
  expected: number
  tally: WarningTally
}): Comparison {
  const { definition, expected, tally } = options
  const ids = createIdTable(expected)
  const before = createHashColumn(expected)
  const after = createHashColumn()
  const facts = createFacts(expected)
  const contests = createContests(definition)
  const counts = noCounts()
  /** ids with at least one row */
  let distinct = 0
  let outcome: Outcome | undefined

  /** The content of one id in the snapshot; kept apart only where it is not the previous one. */
  const setContent = (id: number, hash: string): void => {
    if (facts.has(id, PREVIOUS) && before.equals(id, hash)) {
      facts.add(id, SAME)
    } else {
      facts.remove(id, SAME)
      after.set(id, hash)
    }
  }
  const hasContent = (id: number, hash: string): boolean =>
    facts.has(id, SAME) ? before.equals(id, hash) : after.equals(id, hash)

  const record = (externalId: string, hash: string): 'keep' | 'skip' => {
    const id = ids.add(externalId)
    if (!facts.has(id, SEEN)) {
      facts.add(id, SEEN)
      distinct += 1
      setContent(id, hash)
      return facts.has(id, SAME) ? 'skip' : 'keep'
    }
    counts.duplicates += 1
    if (hasContent(id, hash)) return 'skip'
    if (!facts.has(id, CONFLICT)) {
      facts.add(id, CONFLICT)
      contests.open()
    }
    return facts.has(id, PREVIOUS) && before.equals(id, hash) ? 'skip' : 'keep'
  }

  const rejected = (externalId: string | null): void => {
    counts.rejected += 1
    const id = externalId === null ? -1 : ids.find(externalId)
    if (id >= 0) facts.add(id, REJECTED)
  }

  const settle = (): Outcome => {
    for (const [id, hash] of contests.winners()) setContent(id, hash)
    let rejectedKnown = 0
    for (let id = 0; id < ids.size; id++) {
      const known = facts.has(id, PREVIOUS)
      if (facts.has(id, CONFLICT)) tally.add('duplicate_conflict', ids.id(id))
      if (facts.has(id, SEEN)) {
        if (!known) counts.added += 1
        else if (facts.has(id, SAME)) counts.unchanged += 1
        else counts.updated += 1
      } else if (known && facts.has(id, REJECTED)) {
        rejectedKnown += 1
        counts.unchanged += 1
        tally.add('rejected_known_id', ids.id(id))
      } else if (known) {
        counts.removed += 1
      }
    }
    const conflicts = contests.conflicts()
    return { counts, conflicts, rejectedKnown, reasons: judgeRows({ counts, conflicts, rejectedKnown }, definition) }
  }

  return {
    previous(externalId, hash) {
      const id = ids.add(externalId)
      before.set(id, hash)
      facts.add(id, PREVIOUS)
    },
    row(judged) {
      counts.read += 1
      if (judged.kind === 'record') return record(judged.record.external_id, judged.hash)
      if (judged.kind === 'rejected') rejected(judged.external_id)
      return 'skip'
    },
    get unresolved() {
      return contests.areWorthDeciding(counts.rejected + counts.duplicates + distinct)
    },
    resolve(judged) {
      if (judged.kind !== 'record') return
      const id = ids.find(judged.record.external_id)
      if (id >= 0 && facts.has(id, CONFLICT)) contests.enter(id, judged)
    },
    finish() {
      outcome ??= settle()
      return outcome
    },
    winners() {
      const taken = createFacts(ids.size)
      return (externalId, hash) => {
        const id = ids.find(externalId)
        if (id < 0 || !facts.has(id, SEEN) || facts.has(id, SAME) || taken.has(id, TAKEN)) return null
        if (!after.equals(id, hash)) return null
        taken.add(id, TAKEN)
        return facts.has(id, PREVIOUS) ? 'updated' : 'added'
      }
    },
    isKnown(externalId) {
      const id = ids.find(externalId)
      return id >= 0 && facts.has(id, PREVIOUS)
    },
    *removed() {
      for (let id = 0; id < ids.size; id++) {
        if (facts.has(id, PREVIOUS) && !facts.has(id, SEEN) && !facts.has(id, REJECTED)) yield ids.id(id)
      }
    },
  }
}

/** One byte of facts per id. */
function createFacts(expected: number) {
  let bytes = new Uint8Array(Math.max(64, expected))
  return {
    has: (id: number, bits: number): boolean => ((bytes[id] ?? 0) & bits) !== 0,
    add(id: number, bits: number): void {
      if (id >= bytes.length) bytes = grown(bytes, Math.max(id + 1, bytes.length * 2))
      bytes[id] = (bytes[id] ?? 0) | bits
    },
    remove(id: number, bits: number): void {
      bytes[id] = (bytes[id] ?? 0) & ~bits
    },
  }
}
