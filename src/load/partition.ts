import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Judged } from '../delta/normalise.ts'
import type { WarningCode, WarningTally } from '../domain/run.ts'

/** One file of judged rows per territory, each row with the warnings it gave. */
export type Parts = ReadonlyMap<string, string>

interface Line {
  judged: Judged
  warnings: [WarningCode, string][]
}

const BATCH = 1_000

/**
 * Splits the rows of a file that covers many territories, in one pass over it. Rejected rows that do not tell
 * their territory go to every territory: if there are many of them, none of the territories is sound.
 */
export async function partition(
  rows: (tally: WarningTally, onJudged: (judged: Judged) => void) => AsyncGenerator<Judged[]>,
  { folder, slug }: { folder: string; slug: string },
): Promise<Parts> {
  const files = new Map<string, { path: string; out: WriteStream }>()
  const homeless: Line[] = []
  const fileOf = (territory: string) => {
    const known = files.get(territory)
    if (known) return known
    const path = join(folder, `${slug}.${territory}.ndjson`)
    const file = { path, out: createWriteStream(path) }
    files.set(territory, file)
    return file
  }

  const warnings = warningsByRow()
  for await (const batch of rows(warnings.tally, warnings.assign)) {
    for (const judged of batch) {
      const line: Line = { judged, warnings: warnings.of(judged) }
      const territory = territoryOf(judged)
      if (territory) await write(fileOf(territory).out, line)
      else if (judged.kind === 'rejected') homeless.push(line)
    }
  }
  for (const { out } of files.values()) {
    for (const line of homeless) await write(out, line)
    out.end()
    await once(out, 'close')
  }
  return new Map([...files].map(([territory, { path }]) => [territory, path]))
}

export async function* readPart(
  parts: Parts,
  territory: string,
  tally: WarningTally,
): AsyncGenerator<Judged[]> {
  const path = parts.get(territory)
  if (path === undefined) return
  let batch: Judged[] = []
  for await (const text of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const { judged, warnings } = JSON.parse(text) as Line
    for (const [code, example] of warnings) tally.add(code, example)
    batch.push(judged)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function write(out: WriteStream, line: Line): Promise<void> {
  if (!out.write(`${JSON.stringify(line)}\n`)) await once(out, 'drain')
}

/** Which territory a warning counts for is known only once its row has been judged. */
function warningsByRow() {
  let pending: Line['warnings'] = []
  const byRow = new WeakMap<Judged, Line['warnings']>()
  const tally: WarningTally = {
    add: (code, example) => {
      pending.push([code, example])
    },
    list: () => [],
  }
  return {
    tally,
    assign(judged: Judged) {
      if (pending.length > 0) byRow.set(judged, pending)
      pending = []
    },
    of: (judged: Judged) => byRow.get(judged) ?? [],
  }
}

function territoryOf(judged: Judged): string | null {
  return judged.kind === 'record' ? judged.record.territory_code : judged.territory_code
}
