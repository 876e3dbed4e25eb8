import type { TerritoryState } from '../store/state.ts'
import type { TerritoryLoad } from './attempt.ts'
import type { LoadContext } from './context.ts'
import { openInput } from './input.ts'
import { openWorkFolder } from './work-folder.ts'

/** The load of the last applied snapshot, to be read again with the definition as it is now. */
export async function withLastApplied<T>(
  context: LoadContext,
  { load, known }: { load: TerritoryLoad; known: TerritoryState },
  use: (load: TerritoryLoad) => Promise<T>,
): Promise<T> {
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
  // A run of its own in the journal also before an approval: the approved run keeps its identity for itself.
  const { approves: _approves, ...request } = load
  try {
    return await use({ ...request, input, observedAt: known.applied_observed_at })
  } finally {
    await folder.remove()
  }
}
