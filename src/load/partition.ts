import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Judged } from '../delta/normalise.ts'
import type { WarningCode, WarningTally } from '../domain/run.ts'
import { breathing } from './breathing.ts'

/** Files of judged rows, each row with the warnings it gave: one per territory, and one of those that tell none. */
export interface Parts {
  byTerritory: ReadonlyMap<string, string>
  homeless: string | null
}

interface Line {
  judged: Judged
  warnings: [WarningCode, string][]
}

type Rows = (tally: WarningTally, onJudged: (judged: Judged) => void) => AsyncGenerator<Judged[]>

const BATCH = 64

/**
 * Splits the rows of a file that covers many territories, in one pass over it. Rejected rows that do not tell
 * their territory count for every territory: if there are many of them, none of the territories is sound.
 */
export async function partition(
  rows: Rows,
  { folder, slug }: { folder: string; slug: string },
): Promise<Parts> {
  const files = openFiles((name) => join(folder, `${slug}.${name}.ndjson`))
  try {
    await distribute(rows, files)
  } catch (error) {
    files.abandon()
    throw error
  }
  return files.end()
}

async function distribute(rows: Rows, files: ReturnType<typeof openFiles>): Promise<void> {
  const warnings = warningsByRow()
  const breathe = breathing()
  for await (const batch of rows(warnings.tally, warnings.assign)) {
    await breathe()
    for (const judged of batch) {
      const territory = territoryOf(judged)
      // A row that a filter left out before its territory was known is nobody's.
      if (territory === null && judged.kind !== 'rejected') continue
      const written = files.write(territory, { judged, warnings: warnings.of(judged) })
      if (written !== undefined) await written
    }
  }
}

export async function* readPart(
  { byTerritory, homeless }: Parts,
  territory: string,
  tally: WarningTally,
): AsyncGenerator<Judged[]> {
  for (const path of [byTerritory.get(territory), homeless]) {
    if (path) yield* readFile(path, tally)
  }
}

async function* readFile(path: string, tally: WarningTally): AsyncGenerator<Judged[]> {
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

const HOMELESS = 'unknown'

function openFiles(pathOf: (name: string) => string) {
  const files = new Map<string, WriteStream>()
  let failure: Error | null = null
  const fileOf = (name: string) => {
    const known = files.get(name)
    if (known) return known
    const out = createWriteStream(pathOf(name))
    out.on('error', (error) => {
      failure = error
    })
    files.set(name, out)
    return out
  }
  return {
    /** a promise only when the file wants to be waited for */
    write(territory: string | null, line: Line): Promise<unknown> | undefined {
      if (failure) throw failure
      const out = fileOf(territory ?? HOMELESS)
      return out.write(`${JSON.stringify(line)}\n`) ? undefined : once(out, 'drain')
    },
    async end(): Promise<Parts> {
      for (const out of files.values()) {
        out.end()
        await once(out, 'close')
      }
      if (failure) throw failure
      const names = [...files.keys()]
      return {
        byTerritory: new Map(
          names.filter((name) => name !== HOMELESS).map((name) => [name, pathOf(name)]),
        ),
        homeless: files.has(HOMELESS) ? pathOf(HOMELESS) : null,
      }
    },
    abandon() {
      for (const out of files.values()) out.destroy()
    },
  }
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
