import { compileNormaliser, type Judged } from '../delta/normalise.ts'
import type { SourceDefinition } from '../domain/definition.ts'
import type { Row } from '../domain/row.ts'
import type { WarningTally } from '../domain/run.ts'
import { openRows } from '../sources/rows.ts'
import type { RawSnapshot } from '../store/runs.ts'
import { type Parts, partition, readPart } from './partition.ts'

/** The bytes of one source, fetched once; or the publisher's word that they are the ones we have. */
export type Fetched =
  | { kind: 'not_modified'; startedAt: string }
  | { kind: 'file'; startedAt: string; path: string; raw: Omit<RawSnapshot, 'definition'> }

/** One source's snapshot, as the run of each of its territories reads it. */
export interface Input {
  fetched(): Promise<Fetched>
  /** the territory's rows, judged, in the file's order; reading again starts over */
  judged(
    territory: string,
    observedAt: string,
    tally: WarningTally,
  ): AsyncGenerator<readonly Judged[]>
}

export function openInput(options: {
  definition: SourceDefinition
  folder: string
  fetch: () => Promise<Fetched>
}): Input {
  const { definition, folder } = options
  let fetching: Promise<Fetched> | undefined
  let parts: Promise<Parts> | undefined
  const fetched = () => {
    fetching ??= options.fetch()
    return fetching
  }
  const all = async function* (observedAt: string, watch: Watch) {
    const source = await fetched()
    if (source.kind === 'not_modified')
      throw new Error('nothing was downloaded, so there are no rows')
    yield* judgeRows(definition, source, { observedAt, ...watch })
  }

  return {
    fetched,
    async *judged(territory, observedAt, tally) {
      if (!definition.territory_from) {
        yield* all(observedAt, { tally })
        return
      }
      parts ??= partition((rows, onJudged) => all(observedAt, { tally: rows, onJudged }), {
        folder,
        slug: definition.slug,
      })
      yield* readPart(await parts, territory, tally)
    },
  }
}

/** About half a millisecond's work: whoever reads can give way in between. */
const ROWS_AT_ONCE = 64

interface Watch {
  tally: WarningTally
  onJudged?: (judged: Judged) => void
}

async function* judgeRows(
  definition: SourceDefinition,
  source: { path: string; raw: { dataset_modified_at: string | null } },
  { observedAt, tally, onJudged }: { observedAt: string } & Watch,
): AsyncGenerator<Judged[]> {
  const reader = await openRows(definition, source.path)
  const normaliser = compileNormaliser(definition, reader.layout, {
    observedAt,
    datasetModifiedAt: source.raw.dataset_modified_at,
  })
  const judge = (row: Row): Judged => {
    const judged = normaliser.judge(row, tally)
    onJudged?.(judged)
    return judged
  }
  for await (const rows of reader.batches) {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      yield rows.slice(at, at + ROWS_AT_ONCE).map(judge)
    }
  }
  const missing = normaliser.missing()
  if (missing) throw missing
}
