import type { SourceDefinition } from '../domain/definition.ts'
import { noCounts, type Reason, type RunCounts, type WarningTally } from '../domain/run.ts'
import { createContests } from './contests.ts'
import { judgeRows } from './guards.ts'
import { createFlags, createLedger, type Entry, type Ledger } from './ledger.ts'
import type { Judged } from './normalise.ts'

/**
 * Compares the rows of one territory's file with its previous state, holding ids and hashes only, never records.
 *
 *   const comparison = createComparison({ definition, expected: previousTotal, tally })
 *   for (const [id, hash] of previous) comparison.previous(id, hash)
 *   for (const row of rows) {                                     // file order does not matter
 *     const judged = normaliser.judge(row, tally)
 *     if (comparison.row(judged) !== 'skip') spool.write(judged)  // content that may be new
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
  /** the same for many at once, as `packed` gave them after an earlier comparison; returns how many bytes it took */
  previousPacked(entries: Uint8Array): number
  /**
   * one judged row; 'new' and 'contradicting' must be kept by the caller with their hash: the first says something new
   * of its id, the second something else than a row before it
   */
  row(judged: Judged): 'new' | 'contradicting' | 'skip'
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
  /** which id this is, counted from 0 by their first coming; where there was no previous state, by their first rows */
  position(externalId: string): number
  /** the state that the snapshot leaves, for `previousPacked` of the next one */
  packed(): Iterable<Uint8Array>
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

export function createComparison(options: {
  definition: SourceDefinition
  /** about how many records there will be; the previous total, say */
  expected: number
  tally: WarningTally
}): Comparison {
  const { definition, expected, tally } = options
  const ledger = createLedger(expected)
  const contests = createContests(definition)
  const counts = noCounts()
  let outcome: Outcome | undefined

  const take = (entry: Entry): ReturnType<Comparison['row']> => {
    if (entry === 'repeated' || entry === 'contradicting') counts.duplicates += 1
    return entry === 'new' || entry === 'contradicting' ? entry : 'skip'
  }
  const reject = (externalId: string | null): void => {
    counts.rejected += 1
    if (externalId !== null) ledger.reject(externalId)
  }

  return {
    previous: (externalId, hash) => ledger.previous(externalId, hash),
    previousPacked: (entries) => ledger.previousPacked(entries),
    row(judged) {
      counts.read += 1
      if (judged.kind === 'record')
        return take(ledger.accept(judged.record.external_id, judged.hash))
      if (judged.kind === 'rejected') reject(judged.external_id)
      return 'skip'
    },
    get unresolved() {
      return contests.areWorthDeciding(
        ledger.contested,
        counts.rejected + counts.duplicates + ledger.seen,
      )
    },
    resolve(judged) {
      if (judged.kind !== 'record') return
      const id = ledger.find(judged.record.external_id)
      if (id >= 0 && ledger.isContested(id)) contests.enter(id, judged)
    },
    finish() {
      outcome ??= settle({ ledger, contests, counts, definition, tally })
      return outcome
    },
    winners: () => winnersOf(ledger),
    isKnown(externalId) {
      const id = ledger.find(externalId)
      return id >= 0 && ledger.isPrevious(id)
    },
    *removed() {
      if (ledger.unseen === 0) return
      for (let id = 0; id < ledger.size; id++) {
        if (ledger.fate(id) === 'removed') yield ledger.externalId(id)
      }
    },
    position: (externalId) => ledger.find(externalId),
    packed: () => ledger.packed(),
  }
}

function settle({
  ledger,
  contests,
  counts,
  definition,
  tally,
}: {
  ledger: Ledger
  contests: ReturnType<typeof createContests>
  counts: RunCounts
  definition: SourceDefinition
  tally: WarningTally
}): Outcome {
  for (const [id, hash] of contests.winners()) ledger.settle(id, hash)
  // Ids are looked through one by one only where there is something to tell of some.
  const isOdd = ledger.contested > 0 || ledger.hasRejectedKnown
  const rejectedKnown = isOdd ? tellOdd(ledger, tally) : 0
  const { added, updated, unchanged } = ledger.counts
  // A record that stays as it was is unchanged.
  Object.assign(counts, { added, updated, unchanged: unchanged + rejectedKnown })
  counts.removed = ledger.unseen - rejectedKnown
  const found = {
    counts,
    conflicts: Math.max(ledger.contested, contests.conflicts()),
    rejectedKnown,
  }
  return { ...found, reasons: judgeRows(found, definition) }
}

/** Tells of the ids whose rows contradict each other or were all rejected; returns how many of the known were rejected. */
function tellOdd(ledger: Ledger, tally: WarningTally): number {
  let rejectedKnown = 0
  for (let id = 0; id < ledger.size; id++) {
    if (ledger.isContested(id)) tally.add('duplicate_conflict', ledger.externalId(id))
    if (ledger.fate(id) !== 'kept') continue
    rejectedKnown += 1
    tally.add('rejected_known_id', ledger.externalId(id))
  }
  return rejectedKnown
}

const TAKEN = 1

function winnersOf(ledger: Ledger): ReturnType<Comparison['winners']> {
  const taken = createFlags(ledger.size)
  return (externalId, hash) => {
    const id = ledger.find(externalId)
    if (id < 0 || taken.has(id, TAKEN) || !ledger.isNewContent(id, hash)) return null
    taken.set(id, TAKEN, true)
    return ledger.isPrevious(id) ? 'updated' : 'added'
  }
}
