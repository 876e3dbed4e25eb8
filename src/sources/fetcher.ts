import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SourceDefinition } from '../domain/definition.ts'
import { LoadFailure } from '../domain/problem.ts'
import { resolveBeside } from './files.ts'
import type { HttpAnswer } from './http.ts'
import { nameOf } from './http-failure.ts'
import { getWithRetries } from './retry.ts'

const TIMEOUT_S = 60
const RETRIES = 3
const RETRY_BASE_MS = 500
export const MAX_BYTES = 100_000_000
const MAX_JSON_BYTES = 20_000_000

export interface FetcherOptions {
  /** folder for what is fetched */
  dir: string
  signal?: AbortSignal | undefined
  retryBaseMs?: number | undefined
}

export interface Saved extends HttpAnswer {
  file: string
}

/** Requests made on behalf of one definition: its headers, certificates, patience and limits. */
export interface Fetcher {
  /** The body of an answer as a new file; the caller removes what it does not hand on. */
  save(url: URL, more?: { headers?: Record<string, string>; maxBytes?: number }): Promise<Saved>
  /** A small JSON document: what a portal says about its data, not the data. */
  json(url: URL): Promise<unknown>
  /** A small text, such as a page of links. */
  text(url: URL): Promise<{ text: string; url: URL }>
  newFile(): string
}

export async function openFetcher(
  definition: SourceDefinition,
  options: FetcherOptions,
): Promise<Fetcher> {
  const { fetch } = definition
  const ca =
    fetch.ca_file === undefined
      ? null
      : await readFile(resolveBeside(definition, fetch.ca_file), 'utf8')
  const patience = {
    retries: fetch.retries ?? RETRIES,
    baseMs: options.retryBaseMs ?? RETRY_BASE_MS,
  }
  const home = originOf(fetch.url) ?? originOf(fetch.discovery?.url)
  const newFile = () => join(options.dir, `${randomUUID()}.raw`)

  const save: Fetcher['save'] = async (url, more = {}) => {
    const file = newFile()
    const own = url.origin === home ? (fetch.headers ?? {}) : {}
    const answer = await getWithRetries(
      {
        url,
        headers: { ...own, ...more.headers },
        ca,
        timeoutMs: (fetch.timeout_s ?? TIMEOUT_S) * 1000,
        maxBytes: more.maxBytes ?? fetch.max_bytes ?? MAX_BYTES,
        file,
        signal: options.signal,
      },
      patience,
    )
    return { ...answer, file }
  }
  const text: Fetcher['text'] = async (url) => {
    const { file, url: answered } = await save(url, { maxBytes: MAX_JSON_BYTES })
    const content = await readFile(file, 'utf8')
    await rm(file)
    return { text: content, url: answered }
  }
  return {
    save,
    text,
    newFile,
    json: async (url) => parseJson((await text(url)).text, url),
  }
}

function originOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).origin
}

function parseJson(text: string, url: URL): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new LoadFailure('unexpected_content', `${nameOf(url)} did not answer with JSON.`, error)
  }
}
