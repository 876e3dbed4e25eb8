import { type ChangeCriteria, changePageQuery } from './change-queries.ts'
import { type Db, search } from './db.ts'
import type { ChangeDocument } from './documents.ts'
import type { Pin } from './state.ts'

export interface ChangePage {
  items: ChangeDocument[]
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
  const answer = await search<ChangeDocument>(db, 'changes', changePageQuery(criteria, pin, limit))
  const { hits } = answer.hits
  return {
    items: hits.slice(0, limit).map((hit) => hit._source as ChangeDocument),
    more: hits.length > limit,
  }
}
