import type { Span } from '../domain/byte-writer.ts'
import { endOfDigits, wholeNumber } from '../domain/stored-bytes.ts'
import { type ChangeCriteria, changePageQuery, wholeChangePageQuery } from './change-queries.ts'
import type { Db } from './db.ts'
import { usingRaw } from './raw-search.ts'
import type { Pin } from './state.ts'
import { isVisible } from './visible.ts'

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
  const whole = wholeChangePageQuery(criteria, { limit, lastId })
  if (whole) {
    const made = await usingRaw(db, { index: 'changes', body: whole }, async (hits) => {
      const items = hits.map(changeIn)
      const isAsked = (run: number) => run >= criteria.fromRun && isVisible(run, pin)
      const isWhole = items.length === limit && items.every(({ run }) => isAsked(run))
      // That of the last id follows at least.
      return isWhole ? { of: await use({ items, more: true }) } : null
    })
    if (made) return made.of
  }
  const body = changePageQuery(criteria, pin, limit)
  return usingRaw(db, { index: 'changes', body }, (hits) =>
    use({ items: hits.slice(0, limit).map(changeIn), more: hits.length > limit }),
  )
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
