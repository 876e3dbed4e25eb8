import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/store/db.ts'

const PAUSE_MS = 500
/** A merge may wait for the one before it: idle this often in a row is idle. */
const IDLE_LOOKS = 3
const MAX_LOOKS = 600

/**
 * Waits until Elasticsearch has merged what was written: reads are measured of data at rest, as they are between two
 * loads, not beside what is left to do of millions of events written in a minute.
 */
export async function settled(db: Db): Promise<void> {
  const index = `${db.prefix}-*`
  await db.client.indices.refresh({ index })
  let idle = 0
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const { _all: all } = await db.client.indices.stats({ index, metric: 'merge' })
    idle = all.primaries?.merges?.current === 0 ? idle + 1 : 0
    if (idle === IDLE_LOOKS) return
    await sleep(PAUSE_MS)
  }
  throw new Error('Elasticsearch is still merging after five minutes')
}
