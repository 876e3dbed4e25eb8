import { eventsOf } from '../delta/events.ts'
import { identityReuseSuspected } from '../delta/diff.ts'
import { createRekeyCounter } from '../delta/guards.ts'
import type { Comparison } from '../delta/snapshot.ts'
import type { Pharmacy } from '../domain/pharmacy.ts'
import { type EventCounts, noEvents, type WarningTally } from '../domain/run.ts'
import type { Commit, Modification } from '../store/commit.ts'
import { readPrevious } from '../store/previous.ts'
import { pinOf } from '../store/state.ts'
import type { LoadContext } from './context.ts'
import type { Attempt } from './run-load.ts'
import type { Spool, Spooled } from './spool.ts'

/** What a run would do, before anything is written: the guards and the journal need it. */
export interface Foreseen {
  events: EventCounts
  softClosed: number
  relocated: number
  rekeyed: number
}

type Item = Modification & { active: { before: boolean | null; after: boolean | null } }

const IDS_PER_READ = 1_000
/** Up to this many changed pharmacies are kept between looking and writing; more are read again. */
const KEPT = 5_000

/**
 * The delta as a stream: spooled records joined with the previous versions they replace, then the removed ones.
 * Walked twice, once to foresee and once to write, so that memory does not grow with a large delta.
 */
export function openModifications(
  context: LoadContext,
  work: Attempt,
  { spool, comparison }: { spool: Spool; comparison: Comparison },
) {
  const { load, entry } = work
  const quiet = entry.baseline || entry.renormalised
  const { added, updated, removed } = comparison.finish().counts
  const isSmall = added + updated + removed <= KEPT
  const kept: Item[] = []

  const walk = async function* (): AsyncGenerator<Item[]> {
    const wanted = comparison.winners()
    for await (const lines of spool.read()) {
      const winners = lines.filter((line) => wanted(line.external_id, line.hash))
      for (const batch of inBatches(winners)) yield await join(batch)
    }
    for (const ids of inBatches([...comparison.removed()])) yield await join(ids.map((external_id) => ({ external_id })))
  }

  const join = async (batch: readonly (Spooled | { external_id: string })[]): Promise<Item[]> => {
    const known = batch.filter(({ external_id }) => comparison.isKnown(external_id))
    const previous = await readPrevious(
      context.db,
      load.territory,
      pinOf(work.state),
      known.map(({ external_id }) => external_id),
    )
    return batch.map((line) => itemOf(line, previous.get(line.external_id) ?? null))
  }

  const itemOf = (line: Spooled | { external_id: string }, previous: Modification['previous']): Item => {
    const current = 'hash' in line ? line : null
    const record = current && !quiet ? (JSON.parse(current.record) as Pharmacy) : null
    return {
      external_id: line.external_id,
      previous,
      current,
      events: quiet ? [] : eventsOf(previous?.record ?? null, record),
      active: { before: previous?.record.is_active ?? null, after: current?.active ?? null },
    }
  }

  return {
    async foresee(tally: WarningTally): Promise<Foreseen> {
      const events = noEvents()
      const rekeys = createRekeyCounter()
      // Nothing is compared in a baseline, so there is nothing to foresee either.
      if (!entry.baseline) {
        for await (const items of walk()) {
          for (const item of items) {
            for (const { event_type } of item.events) events[event_type] += 1
            look(item, { rekeys, tally, quiet })
          }
          if (isSmall) kept.push(...items)
        }
      }
      return {
        events,
        softClosed: events.closed_soft,
        relocated: events.relocated,
        rekeyed: rekeys.count(),
      }
    },

    /** Writes the delta; returns by how much the active and inactive pharmacies became more. */
    async write(writer: Commit): Promise<{ active: number; inactive: number }> {
      const gained = { active: 0, inactive: 0 }
      let done = 0
      const batches = isSmall && !entry.baseline ? [kept] : walk()
      for await (const items of batches) {
        context.signal?.throwIfAborted()
        await writer.write(items)
        for (const { active } of items) count(gained, active)
        done += items.length
        context.progress?.({ territory_code: load.territory, stage: 'writing', done })
      }
      return gained
    },
  }
}

function look(
  item: Item,
  { rekeys, tally, quiet }: {
    rekeys: ReturnType<typeof createRekeyCounter>
    tally: WarningTally
    quiet: boolean
  },
): void {
  if (quiet) return
  const before = item.previous?.record ?? null
  const after = item.current ? (JSON.parse(item.current.record) as Pharmacy) : null
  if (before && !after) rekeys.removed(before)
  if (after && !before) rekeys.added(after)
  if (before && after && identityReuseSuspected(before, after)) {
    tally.add('identity_reuse_suspected', `${item.external_id}: another place, name and holder at once`)
  }
}

function count(gained: { active: number; inactive: number }, { before, after }: Item['active']): void {
  if (before !== null) gained[before ? 'active' : 'inactive'] -= 1
  if (after !== null) gained[after ? 'active' : 'inactive'] += 1
}

function* inBatches<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += IDS_PER_READ) yield items.slice(at, at + IDS_PER_READ)
}
