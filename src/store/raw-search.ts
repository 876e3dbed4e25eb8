import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { errors, type estypes } from '@elastic/elasticsearch'
import { createBufferPool } from '../domain/buffer-pool.ts'
import { createByteWriter, type Span } from '../domain/byte-writer.ts'
import { standsAt } from '../domain/stored-bytes.ts'
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

interface RawSearch {
  index: IndexName
  /** must sort */
  body: estypes.SearchRequest
  signal?: AbortSignal
}

/**
 * A search whose documents are passed on as they are stored: reading them into objects and writing them again costs a
 * listing or an export more than everything else it does. Refused like any other search when it is not complete.
 */
export async function searchRaw(db: Db, asked: RawSearch): Promise<RawHit[]> {
  const chunks: Buffer[] = []
  const answer = {
    write: (chunk: Buffer) => void chunks.push(chunk),
    bytes: () => Buffer.concat(chunks),
  }
  return hitsIn(db, asked, await begin(db, asked), answer)
}

const pool = createBufferPool()

/** The same in memory that is used again: what is made of the hits must be whole when `use` is done. */
export async function usingRaw<T>(
  db: Db,
  asked: RawSearch,
  use: (hits: RawHit[]) => T | Promise<T>,
): Promise<T> {
  const begun = await begin(db, asked)
  const answer = createByteWriter(pool.lend())
  const made = await use(await hitsIn(db, asked, begun, answer))
  // After a failure something may still write into it.
  pool.giveBack(answer.memory)
  return made
}

/** An answer of which the status is known. */
interface Begun {
  statusCode?: number
  body: unknown
}

function begin(db: Db, { index, body, signal }: RawSearch): Promise<Begun> {
  return unavailableAsProblem(
    db.client.search(
      { index: db.alias(index), ...SEARCH_DEFAULTS, ...body },
      { asStream: true, meta: true, ...(signal ? { signal } : {}) },
    ),
  )
}

/** Where an answer is put together as it comes. */
interface Whole {
  write(chunk: Buffer): void
  bytes(): Buffer
}

async function hitsIn(
  db: Db,
  { index, body, signal }: RawSearch,
  begun: Begun,
  into: Whole,
): Promise<RawHit[]> {
  await unavailableAsProblem(readAll(begun.body as Readable, into))
  // The client leaves statuses and retries of a streamed answer to its caller: asked again, it sees to them.
  if (begun.statusCode !== 200) return hitsOf(await search(db, index, body, signal))
  return splitHits(into.bytes())
}

/** With a listener: an answer comes in many chunks, and walking a stream costs a turn of the event loop for each. */
async function readAll(stream: Readable, into: Whole): Promise<void> {
  stream.on('data', into.write)
  try {
    // Also tells of a stream that broke off before anybody listened.
    await finished(stream)
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
// byte first: the rarer it is in what is searched, the faster. A record has a coordinate_source: the quote matters.
const HITS = Buffer.from('"hits":[')
const SOURCE = Buffer.from('"_source":')
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
  const cut = cutter(answer)
  for (let at = start; at >= 0; ) {
    const next = answer.indexOf(NEXT_HIT, at)
    hits.push(cut(at, next < 0 ? answer.length - END.length : next))
    at = next < 0 ? next : next + 1
  }
  return hits
}

/** What stands around a document is mostly as long as around the one before: it is looked for there first. */
function cutter(bytes: Buffer): (at: number, hitEnd: number) => RawHit {
  let lead = 0
  let tail = 0
  return (at, hitEnd) => {
    const source = standsAt(bytes, SOURCE, at + lead) ? at + lead : bytes.indexOf(SOURCE, at)
    const sort = standsAt(bytes, SORT, hitEnd - tail)
      ? hitEnd - tail
      : bytes.lastIndexOf(SORT, hitEnd)
    const start = source + SOURCE.length
    // Both must be of this very hit.
    if (source < at || sort < start) throw unreadable(bytes)
    lead = source - at
    tail = hitEnd - sort
    return { bytes, start, end: sort, hitEnd }
  }
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
