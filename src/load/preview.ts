import { compileNormaliser, type Judged, type Normaliser } from '../delta/normalise.ts'
import { type Comparison, createComparison } from '../delta/snapshot.ts'
import { type SourceDefinition, territoriesOf } from '../domain/definition.ts'
import type { Pharmacy } from '../domain/pharmacy.ts'
import { LoadFailure } from '../domain/problem.ts'
import type { RowReader } from '../domain/row.ts'
import {
  type Reason,
  type RunCounts,
  type Warning,
  type WarningTally,
  warningTally,
} from '../domain/run.ts'
import { download } from '../sources/download.ts'
import { columnsOf, openRows } from '../sources/rows.ts'
import { datasetModifiedAt } from './dataset-modified.ts'

/** What a first load of a source would find. */
export interface Preview {
  source_slug: string
  columns: string[]
  /** the first records, in the order of the source */
  records: Pharmacy[]
  territories: { territory_code: string; counts: RunCounts; reasons: Reason[] }[]
  /** records of the source that a filter left out, whatever their territory */
  filtered: number
  warnings: Warning[]
  /** why the source cannot be loaded at all; null when it can be */
  failure: Reason | null
}

const SHOWN_RECORDS = 20

/**
 * Fetches and maps a source as a load would, and writes nothing but into `folder`. A source that cannot be read
 * gives a preview with the failure, and with the columns where it came so far: they are what is looked for then.
 */
export async function previewSource(
  definition: SourceDefinition,
  options: { folder: string; observedAt: string; file?: string },
): Promise<Preview> {
  const preview: Preview = {
    source_slug: definition.slug,
    columns: [],
    records: [],
    territories: [],
    filtered: 0,
    warnings: [],
    failure: null,
  }
  try {
    await fill(preview, definition, options)
  } catch (error) {
    if (!(error instanceof LoadFailure)) throw error
    preview.failure = { code: error.code, detail: error.message }
  }
  return preview
}

async function fill(
  preview: Preview,
  definition: SourceDefinition,
  { folder, observedAt, file }: { folder: string; observedAt: string; file?: string },
): Promise<void> {
  const answer = await download(definition, {
    dir: folder,
    ...(file === undefined ? {} : { override: file }),
  })
  if (answer.kind === 'not_modified') throw new Error('nothing was asked conditionally')
  const reader = await openRows(definition, answer.path)
  preview.columns = await columnsOf(reader)
  const normaliser = compileNormaliser(definition, reader.layout, {
    observedAt,
    datasetModifiedAt: datasetModifiedAt(definition, answer),
  })
  const tally = warningTally()
  const comparisons = new Map(
    territoriesOf(definition).map((code) => [
      code,
      createComparison({ definition, expected: 0, tally }),
    ]),
  )
  await compare(preview, { reader, normaliser, tally, comparisons })
  preview.territories = [...comparisons].map(([territory_code, comparison]) => {
    const { counts, reasons } = comparison.finish()
    return { territory_code, counts, reasons }
  })
  preview.warnings = tally.list()
}

interface Work {
  reader: RowReader
  normaliser: Normaliser
  tally: WarningTally
  comparisons: ReadonlyMap<string, Comparison>
}

async function compare(
  preview: Preview,
  { reader, normaliser, tally, comparisons }: Work,
): Promise<void> {
  for await (const rows of reader.batches) {
    for (const row of rows) take(preview, comparisons, normaliser.judge(row, tally))
  }
  const missing = normaliser.missing()
  if (missing) throw missing
  if (![...comparisons.values()].some(({ unresolved }) => unresolved)) return
  const silent = warningTally()
  for await (const rows of reader.batches) {
    for (const row of rows) resolve(comparisons, normaliser.judge(row, silent))
  }
}

function take(
  preview: Preview,
  comparisons: ReadonlyMap<string, Comparison>,
  judged: Judged,
): void {
  if (judged.kind === 'filtered') preview.filtered += 1
  if (judged.kind === 'record' && preview.records.length < SHOWN_RECORDS)
    preview.records.push(judged.record)
  for (const comparison of concerned(comparisons, judged)) comparison.row(judged)
}

function resolve(comparisons: ReadonlyMap<string, Comparison>, judged: Judged): void {
  for (const comparison of concerned(comparisons, judged)) {
    if (comparison.unresolved) comparison.resolve(judged)
  }
}

/** As in a load, a rejected row that does not tell its territory counts for all of them. */
function concerned(
  comparisons: ReadonlyMap<string, Comparison>,
  judged: Judged,
): Iterable<Comparison> {
  const code = judged.kind === 'record' ? judged.record.territory_code : judged.territory_code
  if (code === null) return judged.kind === 'rejected' ? comparisons.values() : []
  const comparison = comparisons.get(code)
  return comparison ? [comparison] : []
}
