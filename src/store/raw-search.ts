import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { errors, type estypes } from '@elastic/elasticsearch'
import { createBufferPool } from '../domain/buffer-pool.ts'
import { type ByteWriter, createByteWriter, type Span } from '../domain/byte-writer.ts'
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

/** The hits of an answer, in its order. Each is cut out when it is asked for: thousands at once would live too long. */
export interface RawHits extends Iterable<RawHit> {
  /** null when there is none */
  last: RawHit | null
}

interface RawSearch {
  index: IndexName
  /** must sort */
  body: estypes.SearchRequest
  signal?: AbortSignal
}

const pool = createBufferPool()
/** For the pages of walks, of which 5 000 records take five megabytes and more. */
const walkPool = createBufferPool(1 << 23)

/**
 * A search whose documents are passed on as they are stored: reading them into objects and writing them again costs a
 * listing or an export more than everything else it does. Refused like any other search when it is not complete. The
 * answer stands in memory that is used again: what is made of the hits must be whole when `use` is done.
 */
export async function usingRaw<T>(
  db: Db,
  asked: RawSearch,
  use: (hits: RawHit[]) => T | Promise<T>,
): Promise<T> {
  const begun = await begin(db, asked)
  // Only now: while Elasticsearch searches, others can use it.
  const memory = createByteWriter(pool.lend())
  const made = await use([...(await hitsIn(db, asked, { ...begun, memory }))])
  // After a failure something may still write into it.
  pool.giveBack(memory.memory)
  return made
}

interface RawWalk {
  index: IndexName
  /** the page that follows a hit; the first where there is none. Must sort */
  pageAfter(last: RawHit | null): estypes.SearchRequest
  signal: AbortSignal
}

/**
 * Page after page, until one is empty: no page is counted before the next is asked for. That is fetched while the caller
 * works on the current one, in two memories by turns: what is made of a page must be whole when the next is asked for. When
 * the caller stops, so does this.
 */
export async function* walkRaw(
  db: Db,
  { index, pageAfter, signal }: RawWalk,
): AsyncGenerator<RawHits> {
  const stopped = new AbortController()
  const either = AbortSignal.any([signal, stopped.signal])
  let idle = createByteWriter(walkPool.lend())
  let busy = createByteWriter(walkPool.lend())
  const fetchAfter = async (last: RawHit | null) => {
    const memory = idle
    const asked = { index, body: pageAfter(last), signal: either }
    return hitsIn(db, asked, { ...(await begin(db, asked)), memory })
  }
  try {
    let page = await fetchAfter(null)
    while (page.last) {
      ;[idle, busy] = [busy, idle]
      const next = fetchAfter(page.last)
      // Awaited after the caller comes back; a failure until then must not count as unhandled.
      next.catch(() => undefined)
      yield page
      page = await next
    }
    walkPool.giveBack(idle.memory)
    walkPool.giveBack(busy.memory)
  } finally {
    stopped.abort()
  }
}

/** An answer of which only the status is known: good, or a refusal. */
interface Begun {
  answer: Readable
  isGood: boolean
}

async function begin(db: Db, { index, body, signal }: RawSearch): Promise<Begun> {
  const { statusCode, body: answer } = await unavailableAsProblem(
    db.client.search(
      { index: db.alias(index), ...SEARCH_DEFAULTS, ...body },
      { asStream: true, meta: true, ...(signal ? { signal } : {}) },
    ),
  )
  return { answer: answer as unknown as Readable, isGood: statusCode === 200 }
}

async function hitsIn(
  db: Db,
  { index, body, signal }: RawSearch,
  { answer, isGood, memory }: Begun & { memory: ByteWriter },
): Promise<RawHits> {
  memory.clear()
  await unavailableAsProblem(readAll(answer, memory))
  if (isGood) return splitHits(memory.bytes())
  // The client leaves statuses and retries of a streamed answer to its caller: asked again, it sees to them.
  return splitHits(Buffer.from(JSON.stringify(await search(db, index, body, signal))))
}

/** With a listener: an answer comes in many chunks, and walking a stream costs a turn of the event loop for each. */
async function readAll(stream: Readable, into: ByteWriter): Promise<void> {
  stream.on('data', into.write)
  try {
    // Also tells of a stream that broke off before anybody listened.
    await finished(stream)
  } catch (cause) {
    throw new errors.ConnectionError(`The answer broke off: ${(cause as Error).message}`)
  }
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
export function splitHits(answer: Buffer): RawHits {
  const start = answer.indexOf(HITS) + HITS.length
  if (start < HITS.length) throw unreadable(answer)
  complete(JSON.parse(`${answer.toString('utf8', 0, start)}]}}`) as estypes.SearchResponse)
  if (answer.length - start === NO_HIT.length && endsWith(answer, NO_HIT)) return NO_HITS
  if (!endsWith(answer, END)) throw unreadable(answer)
  const end = answer.length - END.length
  return {
    last: cutter(answer)(answer.lastIndexOf(NEXT_HIT) + 1 || start, end),
    [Symbol.iterator]: () => hitsBetween(answer, start, end),
  }
}

const NO_HITS: RawHits = { last: null, [Symbol.iterator]: () => [][Symbol.iterator]() }

function* hitsBetween(answer: Buffer, start: number, end: number): Generator<RawHit> {
  const cut = cutter(answer)
  for (let at = start; at >= 0; ) {
    const next = answer.indexOf(NEXT_HIT, at)
    yield cut(at, next < 0 ? end : next)
    at = next < 0 ? next : next + 1
  }
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
