import type { estypes } from '@elastic/elasticsearch'
import { createBufferPool } from '../domain/buffer-pool.ts'
import { type ByteWriter, createByteWriter, type Span } from '../domain/byte-writer.ts'
import { standsAt } from '../domain/stored-bytes.ts'
import { clearYoung } from './clear-young.ts'
import { complete, type Db, type IndexName, SEARCH_DEFAULTS, search } from './db.ts'
import { beginAnswer, type RawAnswer, readAnswer } from './raw-answer.ts'

/** The JSON of a document within Elasticsearch's answer. */
export interface RawHit extends Span {
  /** where the hit ends; its sort values stand before it */
  hitEnd: number
}

/** The hits of an answer, in its order. Each is cut out when it is asked for: thousands at once would live too long. */
export interface RawHits extends Iterable<RawHit> {
  /** the answer, in which they stand */
  bytes: Buffer
  /** tells where each document begins and ends, without making anything of it */
  places(tell: (start: number, end: number) => void): void
  /** null when there is none */
  last: RawHit | null
  /** how many match, on other pages too; NaN when it was not asked for */
  total: number
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

/** An answer, and the memory it stands in. */
export interface RawPage {
  hits: RawHits
  memory: Buffer
  /** this memory, or larger that has taken its place, may be used for others; who never says so only costs a new one */
  giveBack(memory: Buffer): void
}

/**
 * A search whose documents are passed on as they are stored: reading them into objects and writing them again costs a
 * listing or an export more than everything else it does. Refused like any other search when it is not complete. The
 * answer stands in memory that is lent.
 */
export async function askRaw(db: Db, asked: RawSearch): Promise<RawPage> {
  const begun = await begin(db, asked)
  // Only now: while Elasticsearch searches, others can use it.
  const memory = createByteWriter(pool.lend())
  // After a failure something may still write into it: it is not given back.
  const hits = await hitsIn(db, asked, { ...begun, memory })
  return { hits, memory: memory.memory, giveBack: pool.giveBack }
}

/** The same, and the memory is given back at the end: what is made of the hits must be whole when `use` is done. */
export async function usingRaw<T>(
  db: Db,
  asked: RawSearch,
  use: (hits: RawHits) => T | Promise<T>,
): Promise<T> {
  const { hits, memory, giveBack } = await askRaw(db, asked)
  const made = await use(hits)
  giveBack(memory)
  return made
}

/** What to ask for after a page, and first after null; null at the end. Must sort. */
export type PageAfter = (
  page: RawHits | null,
  signal: AbortSignal,
) => Promise<estypes.SearchRequest | null>

interface RawWalk {
  index: IndexName
  pageAfter: PageAfter
  signal: AbortSignal
}

/**
 * Page after page. The next is fetched while the caller works on the current one, in two memories by turns: what is made
 * of a page must be whole when the next is asked for. When the caller stops, so does this.
 */
export async function* walkRaw(
  db: Db,
  { index, pageAfter, signal }: RawWalk,
): AsyncGenerator<RawHits> {
  const stopped = new AbortController()
  const either = AbortSignal.any([signal, stopped.signal])
  let idle = createByteWriter(walkPool.lend())
  let busy = createByteWriter(walkPool.lend())
  const fetchAfter = async (page: RawHits | null) => {
    const memory = idle
    const body = await pageAfter(page, either)
    if (!body) return null
    const asked = { index, body, signal: either }
    return hitsIn(db, asked, { ...(await begin(db, asked)), memory })
  }
  try {
    let page = await fetchAfter(null)
    while (page) {
      ;[idle, busy] = [busy, idle]
      const next = fetchAfter(page)
      // Awaited after the caller comes back; a failure until then must not count as unhandled.
      next.catch(() => undefined)
      yield page
      // A page came in dozens of buffers, which have been copied since.
      clearYoung()
      page = await next
    }
    walkPool.giveBack(idle.memory)
    walkPool.giveBack(busy.memory)
  } finally {
    stopped.abort()
  }
}

async function begin(db: Db, { index, body, signal }: RawSearch): Promise<RawAnswer> {
  return beginAnswer(
    db.client.search(
      { index: db.alias(index), ...SEARCH_DEFAULTS, ...body },
      { asStream: true, meta: true, ...(signal ? { signal } : {}) },
    ),
  )
}

async function hitsIn(
  db: Db,
  { index, body, signal }: RawSearch,
  { answer, isGood, memory }: RawAnswer & { memory: ByteWriter },
): Promise<RawHits> {
  memory.clear()
  await readAnswer(answer, memory)
  if (isGood) return splitHits(memory.bytes())
  return splitHits(Buffer.from(JSON.stringify(await search(db, index, body, signal))))
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
  const total = totalOf(JSON.parse(`${answer.toString('utf8', 0, start)}]}}`))
  if (answer.length - start === NO_HIT.length && endsWith(answer, NO_HIT))
    return none(answer, total)
  if (!endsWith(answer, END)) throw unreadable(answer)
  const end = answer.length - END.length
  const final = hitCursor(answer, answer.lastIndexOf(NEXT_HIT) + 1 || start, end)
  final.next()
  return {
    bytes: answer,
    last: hitAt(answer, final),
    total,
    places(tell) {
      const cursor = hitCursor(answer, start, end)
      while (cursor.next()) tell(cursor.start, cursor.end)
    },
    *[Symbol.iterator]() {
      const cursor = hitCursor(answer, start, end)
      while (cursor.next()) yield hitAt(answer, cursor)
    },
  }
}

function none(bytes: Buffer, total: number): RawHits {
  return { bytes, last: null, total, places: () => undefined, [Symbol.iterator]: () => [].values() }
}

function totalOf(answer: estypes.SearchResponse): number {
  const { total } = complete(answer).hits
  return typeof total === 'object' ? total.value : Number.NaN
}

/** Goes from hit to hit: after each `next` that is true it says where that hit's document stands. */
interface HitCursor {
  start: number
  end: number
  hitEnd: number
  next(): boolean
}

/** What stands around a document is mostly as long as around the one before: it is looked for there first. */
function hitCursor(bytes: Buffer, first: number, end: number): HitCursor {
  let at = first
  let lead = 0
  let tail = 0
  return {
    start: first,
    end: first,
    hitEnd: first,
    next() {
      if (at < 0) return false
      const after = bytes.indexOf(NEXT_HIT, at)
      const hitEnd = after < 0 ? end : after
      const source = firstPlace(bytes, SOURCE, at, at + lead)
      const sort = lastPlace(bytes, SORT, hitEnd, hitEnd - tail)
      const start = source + SOURCE.length
      // Both must be of this very hit.
      if (source < at || sort < start) throw unreadable(bytes)
      lead = source - at
      tail = hitEnd - sort
      at = after < 0 ? after : after + 1
      this.start = start
      this.end = sort
      this.hitEnd = hitEnd
      return true
    },
  }
}

function firstPlace(bytes: Buffer, name: Buffer, from: number, guess: number): number {
  return standsAt(bytes, name, guess) ? guess : bytes.indexOf(name, from)
}

function lastPlace(bytes: Buffer, name: Buffer, to: number, guess: number): number {
  return standsAt(bytes, name, guess) ? guess : bytes.lastIndexOf(name, to)
}

function hitAt(bytes: Buffer, { start, end, hitEnd }: HitCursor): RawHit {
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
