import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { errors, type estypes } from '@elastic/elasticsearch'
import type { Span } from '../domain/byte-writer.ts'
import {
  complete,
  type Db,
  type IndexName,
  SEARCH_DEFAULTS,
  search,
  unavailableAsProblem,
} from './db.ts'

/** The JSON of a document within Elasticsearch's answer. */
export interface RawHit extends Span {
  /** where the hit ends; its sort values stand before it */
  hitEnd: number
}

/**
 * A search whose documents are passed on as they are stored: reading them into objects and writing them again costs a
 * listing or an export more than everything else it does. Each query must sort. Refused like any other search when
 * it is not complete.
 */
export async function searchRaw(
  db: Db,
  index: IndexName,
  body: estypes.SearchRequest,
  signal?: AbortSignal,
): Promise<RawHit[]> {
  const { statusCode, body: stream } = await unavailableAsProblem(
    db.client.search(
      { index: db.alias(index), ...SEARCH_DEFAULTS, ...body },
      { asStream: true, meta: true, ...(signal ? { signal } : {}) },
    ),
  )
  // The client leaves statuses and retries of a streamed answer to its caller: asked again, it sees to them.
  const bytes = await unavailableAsProblem(readAll(stream as unknown as Readable))
  if (statusCode !== 200) return hitsOf(await search(db, index, body, signal))
  return splitHits(bytes)
}

/** With a listener: an answer comes in many chunks, and walking a stream costs a turn of the event loop for each. */
async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  try {
    // Also tells of a stream that broke off before anybody listened.
    await finished(stream)
    return Buffer.concat(chunks)
  } catch (cause) {
    throw new errors.ConnectionError(`The answer broke off: ${(cause as Error).message}`)
  }
}

/** An answer that was parsed, written again as it would have come. */
function hitsOf({ hits }: estypes.SearchResponse<unknown>): RawHit[] {
  return hits.hits.map(({ _source, sort }) => {
    const json = JSON.stringify(_source)
    const bytes = Buffer.from(`${json},"sort":${JSON.stringify(sort).slice(0, -1)}`)
    return { bytes, start: 0, end: Buffer.byteLength(json), hitEnd: bytes.length }
  })
}

// Searched for as bytes: made from text at every look, they would cost more than looking. Each search looks for the first
// byte first: the rarer it is in what is searched, the faster.
const HITS = Buffer.from('"hits":[')
const SOURCE = Buffer.from('_source":')
const SORT = Buffer.from(',"sort":[')
const NEXT_HIT = Buffer.from(']},{"_index":')
const END = Buffer.from(']}]}}')
const NO_HIT = Buffer.from(']}}')

/**
 * Cuts an answer at the names that stand around its documents. Inside a text a quote is escaped, so none of these can
 * occur there; and no document has a field of such a name. What does not look so is not guessed at.
 */
export function splitHits(answer: Buffer): RawHit[] {
  const start = answer.indexOf(HITS) + HITS.length
  if (start < HITS.length) throw unreadable(answer)
  complete(JSON.parse(`${answer.toString('utf8', 0, start)}]}}`) as estypes.SearchResponse)
  if (answer.length - start === NO_HIT.length && endsWith(answer, NO_HIT)) return []
  if (!endsWith(answer, END)) throw unreadable(answer)
  const hits: RawHit[] = []
  for (let at = start; at >= 0; ) {
    const next = answer.indexOf(NEXT_HIT, at)
    hits.push(hitIn(answer, at, next < 0 ? answer.length - END.length : next))
    at = next < 0 ? next : next + 1
  }
  return hits
}

function hitIn(bytes: Buffer, at: number, hitEnd: number): RawHit {
  const start = bytes.indexOf(SOURCE, at) + SOURCE.length
  const end = bytes.lastIndexOf(SORT, hitEnd)
  // Both must be of this very hit.
  if (start < SOURCE.length || end < start) throw unreadable(bytes)
  return { bytes, start, end, hitEnd }
}

/** The sort values of a hit. */
export function sortOf({ bytes, end, hitEnd }: RawHit): estypes.SortResults {
  return JSON.parse(`[${bytes.toString('utf8', end + SORT.length, hitEnd)}]`)
}

function endsWith(bytes: Buffer, end: Buffer): boolean {
  return bytes.subarray(-end.length).equals(end)
}

function unreadable(answer: Buffer): Error {
  return new Error(`not the answer of a search: ${answer.toString('utf8', 0, 300)}`)
}
