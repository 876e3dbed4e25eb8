import type { ByteText } from '../domain/byte-text.ts'
import { type ChangeCriteria, changePageQuery } from './change-queries.ts'
import type { Db } from './db.ts'
import { searchRaw } from './raw-search.ts'
import type { Pin } from './state.ts'

/** A change as it is stored: its number, its run, and the rest of its members as JSON, without the brace. */
export interface StoredChange {
  id: number
  run: number
  /** from `"run_id":` on */
  rest: ByteText
}

export interface ChangePage {
  items: StoredChange[]
  /** whether changes follow the last one of this page */
  more: boolean
}

/** One page of changes, ascending by id. */
export async function listChanges(
  db: Db,
  criteria: ChangeCriteria,
  pin: Pin,
  limit: number,
): Promise<ChangePage> {
  const hits = await searchRaw(db, 'changes', changePageQuery(criteria, pin, limit))
  return {
    items: hits.slice(0, limit).map(({ source }) => changeIn(source)),
    more: hits.length > limit,
  }
}

const REST = '"run_id":'

function changeIn(source: ByteText): StoredChange {
  const at = source.indexOf(REST)
  const { id, run } = JSON.parse(`${source.slice(0, at - 1)}}`) as StoredChange
  return { id, run, rest: source.slice(at, -1) }
}
