import type { Db } from '../../src/store/db.ts'
import { datasetPageQuery } from '../../src/store/pharmacy-queries.ts'
import { pinOf, type RegistryState } from '../../src/store/state.ts'

const PAGE = 5_000

/** Records a second that the Elasticsearch client reads of a territory through a point in time, whole and in no order. */
export async function drainRate(db: Db, state: RegistryState, territory: string): Promise<number> {
  const { query } = datasetPageQuery({ territory, activeOnly: false }, pinOf(state), { size: PAGE })
  const began = performance.now()
  const { id } = await db.client.openPointInTime({
    index: db.alias('pharmacies'),
    keep_alive: '1m',
  })
  let read = 0
  try {
    let after: unknown
    for (;;) {
      const { hits } = (
        await db.client.search({
          pit: { id, keep_alive: '1m' },
          size: PAGE,
          track_total_hits: false,
          sort: ['_shard_doc'],
          ...(query ? { query } : {}),
          ...(after ? { search_after: after as never } : {}),
        })
      ).hits
      read += hits.length
      if (hits.length < PAGE) break
      after = hits.at(-1)?.sort
    }
  } finally {
    await db.client.closePointInTime({ id })
  }
  return read / ((performance.now() - began) / 1000)
}
