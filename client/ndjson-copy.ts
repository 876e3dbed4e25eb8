import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Copy, Position } from './copy.ts'
import type { Change, Pharmacy } from './pharmacy.ts'

interface Kept {
  cursor: number | null
  territories: Record<string, number>
}

/**
 * A copy in a file of one JSON record a line, with the position in `<file>.position.json` beside it. All records are
 * held in memory and the file is written anew at each step: for registers up to some hundred thousand records.
 *
 * The records are put in place before the position. Interrupted in between, the same changes are applied again, in
 * their order, and lead to the same records.
 */
export function openNdjsonCopy(file: string): Copy {
  const positionFile = `${file}.position.json`
  const kept: Kept = existsSync(positionFile)
    ? (JSON.parse(readFileSync(positionFile, 'utf8')) as Kept)
    : { cursor: null, territories: {} }
  // Records without a position belong to a step that was not finished.
  const records = existsSync(positionFile) && existsSync(file) ? readRecords(file) : new Map()

  function save(): void {
    const lines = [...records.values()].flatMap((own) =>
      [...own.values()].map((record) => `${JSON.stringify(record)}\n`),
    )
    writeWhole(file, lines.join(''))
    writeWhole(positionFile, `${JSON.stringify(kept)}\n`)
  }

  return {
    position: (): Position => ({
      cursor: kept.cursor,
      territories: new Map(Object.entries(kept.territories)),
    }),
    async replace(territory, cursor, batches) {
      const own = new Map<string, Pharmacy>()
      for await (const batch of batches) {
        for (const record of batch) own.set(record.external_id, record)
      }
      records.set(territory, own)
      kept.territories[territory] = cursor
      if (kept.cursor !== null) kept.cursor = Math.min(kept.cursor, cursor)
      save()
    },
    apply(changes, cursor) {
      for (const change of changes) applyOne(records, kept, change)
      kept.cursor = cursor
      save()
    },
    records: (territory) => records.get(territory)?.values() ?? [],
    close: () => undefined,
  }
}

type Records = Map<string, Map<string, Pharmacy>>

function applyOne(records: Records, kept: Kept, change: Change): void {
  const { id, territory_code: territory, external_id, operation, payload } = change
  if (id <= (kept.territories[territory] ?? 0)) return
  const own = records.get(territory) ?? new Map<string, Pharmacy>()
  records.set(territory, own)
  if (operation === 'upsert') own.set(external_id, payload)
  else own.delete(external_id)
  kept.territories[territory] = id
}

function readRecords(file: string): Records {
  const records: Records = new Map()
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue
    const record = JSON.parse(line) as Pharmacy
    const own = records.get(record.territory_code) ?? new Map<string, Pharmacy>()
    records.set(record.territory_code, own)
    own.set(record.external_id, record)
  }
  return records
}

/** A reader finds the old text or the new one, never a part. */
function writeWhole(file: string, text: string): void {
  const unfinished = `${file}.new`
  writeFileSync(unfinished, text, { flush: true })
  renameSync(unfinished, file)
}
