import type { Span } from '../domain/byte-writer.ts'
import { endOfDigits, wholeNumber } from '../domain/stored-bytes.ts'
import { boundedChangePage, type ChangeCriteria, changePageQuery } from './change-queries.ts'
import type { Db } from './db.ts'
import { type RawHit, usingRaw } from './raw-search.ts'
import type { Pin } from './state.ts'

/** A change as it is stored, its number, and its run, which is for us alone. */
export interface StoredChange extends Span {
  id: number
  run: number
  /** the two parts that are shown: `{"id":…` ends here, and `,"run_id":…` begins here */
  headEnd: number
  restStart: number
}

export interface ChangePage {
  items: StoredChange[]
  /** whether changes follow the last one of this page */
  more: boolean
}

/** One page of changes, ascending by id. Its bytes are used again for others as soon as `use` is done. */
export async function listChanges<T>(
  db: Db,
  {
    criteria,
    pin,
    limit,
    lastId,
  }: { criteria: ChangeCriteria; pin: Pin; limit: number; lastId: number },
  use: (page: ChangePage) => T | Promise<T>,
): Promise<T> {
  const pageOf = (hits: RawHit[]): ChangePage => ({
    items: hits.slice(0, limit).map(changeIn),
    more: hits.length > limit,
  })
  const bounded = boundedChangePage(criteria, pin, { limit, lastId })
  if (bounded) {
    const made = await usingRaw(db, { index: 'changes', body: bounded }, async (hits) =>
      hits.length > limit ? { of: await use(pageOf(hits)) } : null,
    )
    if (made) return made.of
  }
  const body = changePageQuery(criteria, pin, limit)
  return usingRaw(db, { index: 'changes', body }, (hits) => use(pageOf(hits)))
}

const ID = '{"id":'
const RUN = ',"run":'

/** `{"id":…,"run":…,"run_id":…}` */
function changeIn({ bytes, start, end }: Span): StoredChange {
  const idAt = start + ID.length
  const headEnd = endOfDigits(bytes, idAt)
  const runAt = headEnd + RUN.length
  const restStart = endOfDigits(bytes, runAt)
  const id = wholeNumber(bytes, idAt, headEnd)
  const run = wholeNumber(bytes, runAt, restStart)
  return { bytes, start, end, id, run, headEnd, restStart }
}
