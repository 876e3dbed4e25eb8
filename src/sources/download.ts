import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import type { SourceDefinition } from '../domain/definition.ts'
import { LoadFailure } from '../domain/problem.ts'
import { discover } from './discovery.ts'
import type { Download } from './downloaded.ts'
import { type Fetcher, openFetcher } from './fetcher.ts'
import { resolveBeside } from './files.ts'
import { nameOf } from './http-failure.ts'
import { downloadPages } from './paging.ts'
import { withQuery } from './portal.ts'
import { portalOf } from './portals.ts'
import { recordsPathOf } from './records-path.ts'

export type { Download } from './downloaded.ts'

export interface DownloadOptions {
  /** existing folder for the raw file; it may serve many downloads */
  dir: string
  /** what the last applied answer of this address said of itself; leads to `not_modified` */
  validators?: { etag: string | null; last_modified: string | null }
  signal?: AbortSignal
  /** a file that takes the place of the definition's input, wherever it lies */
  override?: string
  /** first pause before a repeated request; only tests are in a hurry */
  retryBaseMs?: number
}

/** Brings the raw bytes of a source into one file, streaming, or learns that they have not changed. */
export async function download(
  definition: SourceDefinition,
  options: DownloadOptions,
): Promise<Download> {
  const { fetch } = definition
  const fetcher = await openFetcher(definition, options)
  if (options.override !== undefined)
    return copy(options.override, { definition, fetcher, options })
  if (fetch.kind === 'file') {
    return copy(resolveBeside(definition, fetch.path ?? ''), { definition, fetcher, options })
  }
  if (fetch.kind === 'http') return downloadDocument(definition, fetcher, options)
  return downloadPages(definition, { fetcher, portal: await portalOf(definition, fetcher) })
}

/** Equal for definitions that would download the same bytes; a hash, so that it tells nothing of credentials. */
export function downloadKey(definition: SourceDefinition): string {
  const { fetch } = definition
  const sorted = (map: Record<string, string | number> | undefined) =>
    Object.entries(map ?? {}).sort()
  const isPaged = fetch.kind !== 'file' && fetch.kind !== 'http'
  const parts = [
    fetch.kind,
    fetch.path === undefined ? null : resolveBeside(definition, fetch.path),
    fetch.url ?? null,
    fetch.discovery ?? null,
    sorted(fetch.query),
    sorted(fetch.headers),
    fetch.page ?? null,
    isPaged ? recordsPathOf(definition) : null,
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

async function downloadDocument(
  definition: SourceDefinition,
  fetcher: Fetcher,
  { validators }: DownloadOptions,
): Promise<Download> {
  const { fetch } = definition
  const found = fetch.discovery
    ? await discover(fetch.discovery, { fetcher, base: fetch.url })
    : undefined
  const url = withQuery(found ?? new URL(fetch.url ?? ''), fetch.query)
  // Validators belong to an address, and a discovered one changes with every edition.
  const answer = await fetcher.save(url, { headers: found ? {} : conditions(validators) })
  if (answer.status === 304) return notModified(answer.url, validators)
  return {
    kind: 'file',
    path: answer.file,
    sha256: answer.sha256,
    bytes: answer.bytes,
    etag: answer.headers.etag ?? null,
    last_modified: answer.headers['last-modified'] ?? null,
    headers: answer.headers,
    metadata_modified: null,
  }
}

function conditions(validators: DownloadOptions['validators']): Record<string, string> {
  return {
    ...(validators?.etag ? { 'if-none-match': validators.etag } : {}),
    ...(validators?.last_modified ? { 'if-modified-since': validators.last_modified } : {}),
  }
}

function notModified(url: URL, validators: DownloadOptions['validators']): Download {
  if (validators?.etag || validators?.last_modified) return { kind: 'not_modified' }
  throw new LoadFailure(
    'http_status',
    `${nameOf(url)} answered with status 304 although nothing was known before.`,
  )
}

/** A copy, so that what was hashed is what is read later, whatever happens to the original meanwhile. */
async function copy(
  source: string,
  {
    definition,
    fetcher,
    options,
  }: { definition: SourceDefinition; fetcher: Fetcher; options: DownloadOptions },
): Promise<Download> {
  const maxBytes = definition.fetch.max_bytes
  await refuseMissing(source)
  const path = fetcher.newFile()
  const hash = createHash('sha256')
  let bytes = 0
  await copyBytes(source, path, (chunk) => {
    bytes += chunk.length
    if (options.signal?.aborted) throw new LoadFailure('stopped', 'The copying was stopped.')
    if (maxBytes !== undefined && bytes > maxBytes) {
      throw new LoadFailure('too_large', `${source} is larger than max_bytes, ${maxBytes}.`)
    }
    hash.update(chunk)
  })
  return {
    kind: 'file',
    path,
    sha256: hash.digest('hex'),
    bytes,
    etag: null,
    last_modified: null,
    headers: {},
    metadata_modified: null,
  }
}

const COPY_BYTES = 512 * 1024

/** Copies a file through one buffer; each chunk is looked at while it is being written. */
async function copyBytes(
  source: string,
  target: string,
  look: (chunk: Buffer) => void,
): Promise<void> {
  const from = await open(source, 'r')
  const to = await open(target, 'w')
  try {
    const buffer = Buffer.allocUnsafe(COPY_BYTES)
    for (;;) {
      const { bytesRead } = await from.read(buffer, 0, COPY_BYTES)
      if (bytesRead === 0) return
      const chunk = buffer.subarray(0, bytesRead)
      const writing = to.writeFile(chunk)
      try {
        look(chunk)
      } finally {
        await writing
      }
    }
  } finally {
    await Promise.all([from.close(), to.close()])
  }
}

async function refuseMissing(source: string): Promise<void> {
  try {
    if ((await stat(source)).isFile()) return
  } catch (error) {
    throw new LoadFailure('source_unavailable', `There is no file ${source}.`, error)
  }
  throw new LoadFailure('source_unavailable', `${source} is no file.`)
}
