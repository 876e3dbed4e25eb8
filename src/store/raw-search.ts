import type { Readable } from 'node:stream'
import { errors, type estypes } from '@elastic/elasticsearch'
import { type ByteText, decoded } from '../domain/byte-text.ts'
import {
  complete,
  type Db,
  type IndexName,
  SEARCH_DEFAULTS,
  search,
  unavailableAsProblem,
} from './db.ts'

/** A document as Elasticsearch sent it. */
export interface RawHit {
  /** the JSON of its `_source` */
  source: ByteText
  /** its sort values */
  sort(): estypes.SortResults
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

async function readAll(stream: Readable): Promise<Buffer> {
  try {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  } catch (cause) {
    throw new errors.ConnectionError(`The answer broke off: ${(cause as Error).message}`)
  }
}

function hitsOf(answer: estypes.SearchResponse<unknown>): RawHit[] {
  return answer.hits.hits.map((hit) => ({
    source: Buffer.from(JSON.stringify(hit._source)).toString('latin1'),
    sort: () => hit.sort ?? [],
  }))
}

const HITS = '"hits":['
const SOURCE = '"_source":'
const SORT = ',"sort":['
const NEXT_HIT = ']},{"_index":'
const END = ']}]}}'
const NO_HIT = ']}}'

/**
 * Cuts an answer at the names that stand around its documents. Inside a text a quote is escaped, so none of these can
 * occur there; and no document has a field of such a name. What does not look so is not guessed at.
 */
export function splitHits(bytes: Buffer): RawHit[] {
  const answer = bytes.toString('latin1')
  const start = answer.indexOf(HITS) + HITS.length
  if (start < HITS.length) throw unreadable(answer)
  complete(JSON.parse(`${answer.slice(0, start)}]}}`) as estypes.SearchResponse)
  if (answer.length - start === NO_HIT.length && answer.endsWith(NO_HIT)) return []
  if (!answer.endsWith(END)) throw unreadable(answer)
  const hits: RawHit[] = []
  for (let at = start; at >= 0; ) {
    const next = answer.indexOf(NEXT_HIT, at)
    hits.push(cutHit(answer, at, next < 0 ? answer.length - END.length : next))
    at = next < 0 ? next : next + 1
  }
  return hits
}

function cutHit(answer: ByteText, start: number, end: number): RawHit {
  const from = answer.indexOf(SOURCE, start) + SOURCE.length
  const to = answer.indexOf(SORT, from)
  if (from < SOURCE.length || to < 0 || to > end) throw unreadable(answer)
  return {
    source: answer.slice(from, to),
    sort: () => JSON.parse(`[${decoded(answer.slice(to + SORT.length, end))}]`),
  }
}

function unreadable(answer: ByteText): Error {
  return new Error(`not the answer of a search: ${answer.slice(0, 300)}`)
}
