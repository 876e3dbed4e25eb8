import { identityReuseSuspected } from '../delta/diff.ts'
import { eventsOf } from '../delta/events.ts'
import { createRekeyCounter } from '../delta/guards.ts'
import type { Comparison } from '../delta/snapshot.ts'
import { type EventCounts, noEvents, type WarningTally } from '../domain/run.ts'
import type { Commit } from '../store/commit.ts'
import type { Modification } from '../store/modification.ts'
import { readPrevious } from '../store/previous.ts'
import { pinOf } from '../store/state.ts'
import type { Attempt } from './attempt.ts'
import { forEachPaced } from './breathing.ts'
import type { LoadContext } from './context.ts'
import { type Gained, gain } from './gained.ts'
import { recordIn, type Spool, type Spooled } from './spool.ts'

/** What a run would do, before anything is written: the guards and the journal need it. */
export interface Foreseen {
  events: EventCounts
  softClosed: number
  relocated: number
  rekeyed: number
}

type Item = Modification & { active: { before: boolean | null; after: boolean | null } }

const IDS_PER_READ = 500
/** Up to this many changed pharmacies are kept between looking and writing; more are read again. */
const KEPT = 5_000

interface Delta {
  spool: Spool
  comparison: Comparison
}

/**
 * The delta as a stream: spooled records joined with the previous versions they replace, then the removed ones.
 * Walked twice, once to foresee and once to write, so that memory does not grow with a large delta.
 */
export function openModifications(context: LoadContext, work: Attempt, delta: Delta) {
  const { load } = work
  const { added, updated, removed } = delta.comparison.finish().counts
  const isSmall = added + updated + removed <= KEPT
  let kept: Item[][] | null = null

  return {
    async foresee(tally: WarningTally): Promise<Foreseen> {
      const look = { events: noEvents(), rekeys: createRekeyCounter(), tally }
      // A run that only applies a changed definition has no events, so there is nothing to foresee.
      if (!work.entry.renormalised)
        kept = await lookAtAll(walk(context, work, delta), look, { keep: isSmall })
      const { closed_soft: softClosed, relocated } = look.events
      return { events: look.events, softClosed, relocated, rekeyed: look.rekeys.count() }
    },

    /** Writes the delta; returns by how much the active and inactive pharmacies became more. */
    async write(writer: Commit): Promise<Gained> {
      const gained: Gained = { active: 0, inactive: 0 }
      let done = 0
      for await (const items of kept ?? walk(context, work, delta)) {
        context.signal?.throwIfAborted()
        await forEachPaced(items, (item) => {
          gain(gained, item.active)
          return writer.write(item)
        })
        done += items.length
        context.progress?.({ territory_code: load.territory, stage: 'writing', done })
      }
      return gained
    },
  }
}

async function lookAtAll(
  batches: AsyncGenerator<Item[]>,
  look: Look,
  { keep }: { keep: boolean },
): Promise<Item[][] | null> {
  const seen: Item[][] = []
  for await (const items of batches) {
    await forEachPaced(items, (item) => {
      lookAt(item, look)
      return undefined
    })
    if (keep) seen.push(items)
  }
  return keep ? seen : null
}

async function* walk(
  context: LoadContext,
  work: Attempt,
  { spool, comparison }: Delta,
): AsyncGenerator<Item[]> {
  const wins = comparison.winners()
  const quiet = work.entry.renormalised
  for await (const lines of spool.read()) {
    const winners = lines.filter((line) => wins(line.external_id, line.hash))
    for (const batch of inBatches(winners)) {
      const known = batch.flatMap(({ external_id }) =>
        comparison.isKnown(external_id) ? external_id : [],
      )
      const previous = await previousOf(context, work, known)
      yield batch.map((line) => upsertItem(line, previous.get(line.external_id) ?? null, quiet))
    }
  }
  for (const ids of inBatches([...comparison.removed()])) {
    const previous = await previousOf(context, work, ids)
    yield ids.map((id) => removedItem(id, previous.get(id) ?? null, quiet))
  }
}

function previousOf({ db }: LoadContext, { load, state }: Attempt, ids: readonly string[]) {
  return readPrevious(db, load.territory, pinOf(state), ids)
}

function upsertItem(line: Spooled, previous: Modification['previous'], quiet: boolean): Item {
  const events = quiet ? [] : eventsOf(previous?.record ?? null, recordIn(line))
  return {
    external_id: line.external_id,
    previous,
    current: line,
    events,
    active: { before: previous?.record.is_active ?? null, after: line.active },
  }
}

function removedItem(id: string, previous: Modification['previous'], quiet: boolean): Item {
  return {
    external_id: id,
    previous,
    current: null,
    events: quiet ? [] : eventsOf(previous?.record ?? null, null),
    active: { before: previous?.record.is_active ?? null, after: null },
  }
}

interface Look {
  events: EventCounts
  rekeys: ReturnType<typeof createRekeyCounter>
  tally: WarningTally
}

function lookAt(item: Item, { events, rekeys, tally }: Look): void {
  for (const { event_type } of item.events) events[event_type] += 1
  const before = item.previous?.record ?? null
  const after = item.current ? recordIn(item.current) : null
  if (before && !after) rekeys.removed(before)
  if (after && !before) rekeys.added(after)
  if (before && after && identityReuseSuspected(before, after)) {
    tally.add(
      'identity_reuse_suspected',
      `${item.external_id}: another place, name and holder at once`,
    )
  }
}

function* inBatches<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += IDS_PER_READ) yield items.slice(at, at + IDS_PER_READ)
}
