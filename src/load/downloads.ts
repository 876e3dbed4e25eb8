import { isJudgedByDate, territoriesOf } from '../domain/definition.ts'
import { instantOf } from '../domain/time.ts'
import type { AppliedSnapshot } from '../sources/archive-log.ts'
import { download, downloadKey } from '../sources/download.ts'
import { readState } from '../store/state-document.ts'
import type { LoadContext, LoadRequest } from './context.ts'
import { datasetModifiedAt } from './dataset-modified.ts'
import type { Fetched } from './input.ts'

/** One download for all definitions, and all their territories, that name the same address. */
export interface Downloads {
  get(request: LoadRequest): Promise<Fetched>
}

export function openDownloads(context: LoadContext, folder: string): Downloads {
  const started = new Map<string, Promise<Fetched>>()
  return {
    get(request) {
      const key = keyOf(request)
      const known = started.get(key)
      if (known !== undefined) return known
      const fetching = fetchOnce(context, request, { folder, key })
      started.set(key, fetching)
      return fetching
    },
  }
}

function keyOf({ definition, file, archived }: LoadRequest): string {
  if (archived) return `archive:${archived.sha256}`
  return file === undefined ? downloadKey(definition) : `file:${file}`
}

async function fetchOnce(
  context: LoadContext,
  request: LoadRequest,
  { folder, key }: { folder: string; key: string },
): Promise<Fetched> {
  if (request.archived) return restored(context, request.archived, folder)
  const startedAt = instantOf(context.now())
  const validators = request.file === undefined ? await validatorsOf(context, request, key) : null
  const answer = await download(request.definition, {
    dir: folder,
    ...(validators ? { validators } : {}),
    ...(context.signal ? { signal: context.signal } : {}),
    ...(request.file === undefined ? {} : { override: request.file }),
  })
  if (answer.kind === 'not_modified') return { kind: 'not_modified', startedAt }
  return {
    kind: 'file',
    startedAt,
    path: answer.path,
    raw: {
      sha256: answer.sha256,
      bytes: answer.bytes,
      http_etag: answer.etag,
      http_last_modified: answer.last_modified,
      download_key: request.file === undefined ? key : null,
      dataset_modified_at: datasetModifiedAt(request.definition, answer),
    },
  }
}

async function restored(
  { archive }: LoadContext,
  snapshot: AppliedSnapshot,
  folder: string,
): Promise<Fetched> {
  const { sha256, bytes, http_etag, http_last_modified, download_key, dataset_modified_at } =
    snapshot
  return {
    kind: 'file',
    startedAt: snapshot.observed_at,
    path: await archive.restore(sha256, folder),
    raw: { sha256, bytes, http_etag, http_last_modified, download_key, dataset_modified_at },
  }
}

/**
 * The stored validators may be sent only when an answer of "not modified" would be true for every territory of
 * the definition: all last applied the same bytes, of this very address, read by this version of the definition, and
 * these bytes mean today what they meant then.
 */
async function validatorsOf(
  { db }: LoadContext,
  { definition }: LoadRequest,
  key: string,
): Promise<{ etag: string | null; last_modified: string | null } | null> {
  if (isJudgedByDate(definition)) return null
  const { state } = await readState(db)
  const known = territoriesOf(definition).map((code) => state.territories[code])
  const [first] = known
  if (!first || (first.http_etag === null && first.http_last_modified === null)) return null
  const same = known.every(
    (territory) =>
      territory?.raw_sha256 === first.raw_sha256 &&
      territory.source_slug === definition.slug &&
      territory.download_key === key &&
      territory.definition_version === definition.version,
  )
  return same ? { etag: first.http_etag, last_modified: first.http_last_modified } : null
}
