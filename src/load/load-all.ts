import { territoriesOf } from '../domain/definition.ts'
import { publicRun, type RunDocument } from '../store/runs.ts'
import type { LoadContext, LoadRequest } from './context.ts'
import { type Downloads, openDownloads } from './downloads.ts'
import { openInput } from './input.ts'
import { pruneArchive } from './prune.ts'
import { runLoad } from './run-load.ts'
import { openWorkFolder } from './work-folder.ts'

/**
 * Loads each requested source, territory by territory, and yields every run as it ends. A failing territory
 * never stops another; only somebody else's lease, or a stop from outside, ends the whole.
 */
export async function* loadAll(
  context: LoadContext,
  requests: readonly LoadRequest[],
): AsyncGenerator<RunDocument> {
  const folder = await openWorkFolder(context.workDir, 'load')
  try {
    const downloads = openDownloads(context, folder.path)
    for (const request of requests)
      yield* loadSource(context, request, { downloads, folder: folder.path })
    await pruneArchive(context)
  } finally {
    await folder.remove()
  }
}

async function* loadSource(
  context: LoadContext,
  request: LoadRequest,
  { downloads, folder }: { downloads: Downloads; folder: string },
): AsyncGenerator<RunDocument> {
  const { definition } = request
  const input = openInput({ definition, folder, fetch: () => downloads.get(request) })
  for (const territory of territoriesOf(definition)) {
    if (request.territories && !request.territories.includes(territory)) continue
    context.signal?.throwIfAborted()
    for await (const run of runLoad(context, { ...request, territory, input })) {
      context.onRunEnded?.(publicRun(run))
      yield run
    }
  }
}
