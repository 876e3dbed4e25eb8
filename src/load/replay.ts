import { type SourceDefinition, territoriesOf } from '../domain/definition.ts'
import type { AppliedSnapshot } from '../sources/archive-log.ts'
import type { RunDocument } from '../store/runs.ts'
import { readState } from '../store/state-document.ts'
import type { LoadContext, LoadRequest } from './context.ts'
import { loadAll } from './load-all.ts'

/** What a replay of a source has to do. */
export interface Replay {
  /** one load for each snapshot that the registry has not seen, in the order of observation */
  requests: LoadRequest[]
  /** snapshots that were applied once and that the archive has not kept */
  pruned: number
  /** whether the archive knows the source at all */
  isKnown: boolean
}

/**
 * The archived snapshots of a source, to be applied again with the definition as it is now: into a new registry, say.
 * Each goes to the territories that it was applied to, at its own time, past the guards that it has passed once; a
 * territory takes none that is not later than what it has.
 */
export async function planReplay(
  context: LoadContext,
  definition: SourceDefinition,
): Promise<Replay> {
  const { state } = await readState(context.db)
  const covered = new Set(territoriesOf(definition))
  const applied = (await context.archive.log.read()).filter(
    ({ source_slug, territory_code }) =>
      source_slug === definition.slug && covered.has(territory_code),
  )
  const due = applied.filter(
    ({ territory_code, observed_at }) =>
      observed_at > (state.territories[territory_code]?.confirmed_observed_at ?? ''),
  )
  const requests: LoadRequest[] = []
  let pruned = 0
  for (const [first, ...others] of bySnapshot(due)) {
    if (!first) continue
    if (!(await context.archive.has(first.sha256))) {
      pruned += 1
      continue
    }
    const territories = [first, ...others].map(({ territory_code }) => territory_code)
    requests.push({
      definition,
      archived: first,
      territories,
      observedAt: first.observed_at,
      force: true,
    })
  }
  return { requests, pruned, isKnown: applied.length > 0 }
}

/** Applies what was planned. Nothing is pruned meanwhile: the snapshots to come may be old ones. */
export async function* replayArchive(
  context: LoadContext,
  { requests }: Replay,
): AsyncGenerator<RunDocument> {
  for (const request of requests) yield* loadAll({ ...context, archiveKeepDays: 0 }, [request])
}

/** The territories of one snapshot together, the snapshots in the order of observation. */
function bySnapshot(applied: readonly AppliedSnapshot[]): Iterable<AppliedSnapshot[]> {
  const sorted = [...applied].sort((a, b) => (a.observed_at < b.observed_at ? -1 : 1))
  return Map.groupBy(sorted, ({ observed_at, sha256 }) => `${observed_at} ${sha256}`).values()
}
