import { createFlags } from '../delta/ledger.ts'
import type { Comparison } from '../delta/snapshot.ts'
import { createByteWriter } from '../domain/byte-writer.ts'
import type { Pharmacy } from '../domain/pharmacy.ts'
import type { Amendment, Commit } from '../store/commit.ts'
import { searchFieldsJson } from '../store/documents.ts'
import { type Gained, gain } from './gained.ts'
import type { Spool } from './spool.ts'

/**
 * The way of a territory's first load: nothing precedes it, so that each record is written the moment it is read, while
 * Elasticsearch is busy with those before it. Nothing of it is visible before the commit; what is wrong with the file
 * as a whole shows later, and ends the run like a crash: under a number that never commits.
 */
export interface Straight {
  /** writes a record of which nothing was known; a promise only when one must wait before the next */
  write(record: Pharmacy, hash: string): Promise<void> | undefined
  /** replaces what was written of ids whose rows contradict each other, where another content has won */
  amend(spool: Spool, comparison: Comparison): Promise<void>
  /** how many were written as active, and as inactive */
  readonly gained: Gained
}

const ACTIVE = 1

export function openStraight(writer: Commit): Straight {
  const line = createByteWriter()
  const gained: Gained = { active: 0, inactive: 0 }
  const flags = createFlags(0)
  let written = 0

  const countAgain = (position: number, isActive: boolean): void => {
    gain(gained, { before: flags.has(position, ACTIVE), after: isActive })
    flags.set(position, ACTIVE, isActive)
  }

  return {
    gained,
    write(record, hash) {
      line.clear()
      line.write(JSON.stringify(record))
      const end = line.length
      line.write(searchFieldsJson(record))
      const bytes = line.bytes()
      flags.set(written, ACTIVE, record.is_active)
      gain(gained, { before: null, after: record.is_active })
      written += 1
      return writer.write({
        external_id: record.external_id,
        previous: null,
        current: { record: bytes.subarray(0, end), searchFields: bytes.subarray(end), hash },
        events: [],
      })
    },
    amend(spool, comparison) {
      return writer.amend(amendments(spool, comparison, countAgain))
    },
  }
}

async function* amendments(
  spool: Spool,
  comparison: Comparison,
  countAgain: (position: number, isActive: boolean) => void,
): AsyncGenerator<Amendment> {
  const wins = comparison.winners()
  for await (const lines of spool.read()) {
    for (const line of lines) {
      if (!wins(line.external_id, line.hash)) continue
      const position = comparison.position(line.external_id)
      countAgain(position, line.active)
      const { external_id } = line
      yield { position, modification: { external_id, previous: null, current: line, events: [] } }
    }
  }
}
