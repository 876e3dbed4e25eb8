import type { Reason } from '../domain/run.ts'
import type { TerritoryState } from '../store/state.ts'
import type { Attempt, TerritoryLoad } from './attempt.ts'
import type { LoadContext } from './context.ts'
import { openInput } from './input.ts'
import { openWorkFolder } from './work-folder.ts'

/** A load whose input is only there until it is closed. */
export interface ClosableLoad {
  load: TerritoryLoad
  close(): Promise<void>
}

/** The load of the last applied snapshot, to be read again with the definition as it is now. */
export async function openLastApplied(
  context: LoadContext,
  { load, known }: { load: TerritoryLoad; known: TerritoryState },
): Promise<ClosableLoad> {
  const folder = await openWorkFolder(context.workDir, 'renormalise')
  const raw = {
    sha256: known.raw_sha256,
    bytes: known.raw_bytes,
    http_etag: known.http_etag,
    http_last_modified: known.http_last_modified,
    download_key: known.download_key,
    dataset_modified_at: known.dataset_modified_at,
  }
  const input = openInput({
    definition: load.definition,
    folder: folder.path,
    fetch: async () => ({
      kind: 'file',
      startedAt: known.applied_observed_at,
      path: await context.archive.restore(known.raw_sha256, folder.path),
      raw,
    }),
  })
  return {
    load: { ...load, input, observedAt: known.applied_observed_at },
    close: () => folder.remove(),
  }
}

/** What the last snapshot lacks is not missing in the file that was to be loaded: says so, and what to do. */
export function ofLastApplied(
  { entry, territory, load }: Attempt,
  reasons: readonly Reason[],
): Reason[] {
  const which =
    `The last snapshot, of ${entry.observed_at}, cannot be read with version ${load.definition.version} of the definition; ` +
    `if that only follows a change of the publisher, leave its version at ${territory?.definition_version}.`
  return reasons.map(({ code, detail }) => ({ code, detail: `${which} ${detail}` }))
}
