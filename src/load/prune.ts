import type { AppliedSnapshot } from '../sources/archive-log.ts'
import { listRuns } from '../store/runs.ts'
import { readState } from '../store/state-document.ts'
import type { LoadContext } from './context.ts'

const DAY_MS = 86_400_000
const RUNS_PER_READ = 500

/**
 * Removes archived snapshots that were applied longer ago than the archive keeps them. What a later run may need
 * stays whatever its age: the last applied snapshot of every territory, and those that wait for an operator.
 */
export async function pruneArchive(context: LoadContext): Promise<void> {
  const { archive, archiveKeepDays = 0, log, now } = context
  if (archiveKeepDays === 0) return
  const before = now() - archiveKeepDays * DAY_MS
  try {
    const applied = await archive.log.read()
    const keep = new Set([
      ...(await lastApplied(context)),
      ...(await quarantined(context)),
      ...newestOfEach(applied),
      ...applied.flatMap(({ applied_at, sha256 }) =>
        Date.parse(applied_at) >= before ? sha256 : [],
      ),
    ])
    const pruned = await archive.prune(keep, before)
    if (pruned > 0) log.info({ pruned, archiveKeepDays }, 'pruned the archive')
  } catch (err) {
    // The runs have ended well; what was not pruned now is pruned after the next load.
    log.error({ err }, 'could not prune the archive')
  }
}

async function lastApplied({ db }: LoadContext): Promise<string[]> {
  const { state } = await readState(db)
  return Object.values(state.territories).map(({ raw_sha256 }) => raw_sha256)
}

async function quarantined({ db }: LoadContext): Promise<string[]> {
  const found: string[] = []
  let before: number | undefined
  for (;;) {
    const { items, more } = await listRuns(db, {
      territories: 'all',
      status: 'quarantined',
      limit: RUNS_PER_READ,
      ...(before === undefined ? {} : { before }),
    })
    found.push(...items.flatMap(({ raw }) => raw?.sha256 ?? []))
    if (!more) return found
    before = items.at(-1)?.run
  }
}

/** Other registries may share the archive; what they applied last is theirs to lose. */
function newestOfEach(applied: readonly AppliedSnapshot[]): Iterable<string> {
  return new Map(
    applied.map(({ registry, territory_code, sha256 }) => [
      `${registry} ${territory_code}`,
      sha256,
    ]),
  ).values()
}
