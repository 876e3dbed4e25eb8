import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../config/read-config.ts'
import { EXPORT_COLUMNS, type Pharmacy } from '../domain/pharmacy.ts'
import { OperatorError } from '../domain/problem.ts'
import { instantOf } from '../domain/time.ts'
import { type Preview, previewSource } from '../load/preview.ts'
import { readDefinitions } from '../sources/definitions.ts'
import { parseFlags } from './arguments.ts'
import { describeWarning } from './describe-run.ts'
import { print, table } from './output.ts'

export const PREVIEW_USAGE = 'sources preview SLUG [--sources DIR] [--file PATH] [--json]'

const BUNDLED = fileURLToPath(new URL('../../sources', import.meta.url))

/** Fetches, maps and shows a source; the registry is not touched, and no Elasticsearch is needed. */
export async function previewCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseFlags(
    args,
    { sources: { type: 'string' }, file: { type: 'string' }, json: { type: 'boolean' } },
    { min: 1, max: 1, usage: PREVIEW_USAGE },
  )
  const dir = values.sources ?? readConfig(process.env).SOURCES_DIR ?? BUNDLED
  const definitions = await readDefinitions(dir)
  const definition = definitions.find(({ slug }) => slug === positionals[0])
  if (!definition) {
    throw new OperatorError(
      `${positionals[0]} is no source; the folder has ${definitions.map(({ slug }) => slug).join(', ')}.`,
    )
  }
  const folder = await mkdtemp(join(tmpdir(), 'pharmacy-registry-preview-'))
  try {
    const preview = await previewSource(definition, {
      folder,
      observedAt: instantOf(Date.now()),
      ...(values.file === undefined ? {} : { file: values.file }),
    })
    print(values.json ? JSON.stringify(preview) : describe(preview))
    return isLoadable(preview) ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function isLoadable({ failure, territories }: Preview): boolean {
  return failure === null && territories.every(({ reasons }) => reasons.length === 0)
}

function describe(preview: Preview): string {
  const { columns, records, territories, filtered, warnings, failure } = preview
  const lines = [
    `${preview.source_slug}: ${columns.length} columns`,
    ...columns.map((name) => `  ${JSON.stringify(name)}`),
    '',
  ]
  if (records.length > 0)
    lines.push(`The first ${records.length} records:`, recordTable(records), '')
  for (const { territory_code, counts, reasons } of territories) {
    lines.push(
      `${territory_code}: ${counts.added} pharmacies; read ${counts.read}, rejected ${counts.rejected}, duplicates ${counts.duplicates}`,
      ...reasons.map(({ code, detail }) => `  would fail, ${code}: ${detail}`),
    )
  }
  if (filtered > 0) lines.push(`Left out by the filter: ${filtered}`)
  lines.push(...warnings.flatMap(describeWarning))
  if (failure) lines.push(`Cannot be loaded, ${failure.code}: ${failure.detail}`)
  else if (warnings.length === 0) lines.push('No warnings.')
  return lines.join('\n')
}

const MAX_CELL = 32
/** The same for every record of a source, or of this moment. */
const SHARED: ReadonlySet<string> = new Set([
  'source_slug',
  'official_source_name',
  'official_source_url',
  'observed_at',
])

/** Columns without any value are left out, as those which are the same everywhere. */
function recordTable(records: readonly Pharmacy[]): string {
  const shown = EXPORT_COLUMNS.filter(
    (column) => !SHARED.has(column) && records.some((record) => record[column] !== null),
  )
  return table(
    shown,
    records.map((record) => shown.map((column) => shortened(String(record[column] ?? '')))),
  )
}

function shortened(text: string): string {
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text
}
