import type { SourceDefinition } from '../domain/definition.ts'
import { OperatorError } from '../domain/problem.ts'
import { loadAll } from '../load/load-all.ts'
import { readDefinitions } from '../sources/definitions.ts'
import { publicRun, type RunDocument } from '../store/runs.ts'
import { instantFlag, integerFlag, parseFlags } from './arguments.ts'
import { print } from './output.ts'
import { progressLine } from './progress.ts'
import { describe } from './runs.ts'
import { loadContext, type Runtime } from './runtime.ts'
import { untilAskedToStop } from './stopping.ts'

export const LOAD_HELP = `load --sources DIR [--source SLUG]… [--file PATH] [--observed-at ISO] [--force] [--wait SECONDS] [--json]

Loads every enabled source of the folder once, or those named. --file and --observed-at replace the input and the
clock of one source: the way to backfill dated snapshots. --force passes the guards that quarantine.
Exit code: 0 all runs committed or unchanged, 1 one failed, else 3 one is quarantined.`

export async function loadCommand(runtime: Runtime, args: readonly string[]): Promise<number> {
  const { values } = parseFlags(
    args,
    {
      sources: { type: 'string' },
      source: { type: 'string', multiple: true },
      file: { type: 'string' },
      'observed-at': { type: 'string' },
      force: { type: 'boolean' },
      wait: { type: 'string' },
      json: { type: 'boolean' },
    },
    { min: 0, max: 0, usage: LOAD_HELP.split('\n')[0] as string },
  )
  const dir = values.sources ?? runtime.config.SOURCES_DIR
  if (!dir) throw new OperatorError('load: --sources DIR is needed, or the setting SOURCES_DIR.')
  const definitions = select(await readDefinitions(dir), values.source)
  if (values.file !== undefined && definitions.length !== 1) {
    throw new OperatorError(
      `--file replaces the input of one source, and ${definitions.length} are selected: name it with --source.`,
    )
  }
  const observedAt = instantFlag('observed-at', values['observed-at'])
  const waitSeconds = integerFlag('wait', values.wait, { min: 0, max: 86_400 })
  const progress = progressLine()
  const stopping = new AbortController()
  void untilAskedToStop().then(() => stopping.abort())
  const context = loadContext(runtime, {
    signal: stopping.signal,
    ...(waitSeconds === undefined ? {} : { waitSeconds }),
    progress: progress.show,
  })

  const runs: RunDocument[] = []
  const requests = definitions.map((definition) => ({
    definition,
    ...(values.file === undefined ? {} : { file: values.file }),
    ...(observedAt === undefined ? {} : { observedAt }),
    force: values.force ?? false,
  }))
  for await (const run of loadAll(context, requests)) {
    progress.clear()
    runs.push(run)
    print(values.json ? JSON.stringify(publicRun(run)) : describe(run))
  }
  progress.clear()
  return exitCode(runs)
}

function select(
  definitions: readonly SourceDefinition[],
  slugs: readonly string[] | undefined,
): SourceDefinition[] {
  if (!slugs) {
    const enabled = definitions.filter(({ enabled }) => enabled !== false)
    if (enabled.length === 0)
      throw new OperatorError('load: the folder has no enabled source definition.')
    return enabled
  }
  return slugs.map((slug) => {
    const found = definitions.find((definition) => definition.slug === slug)
    if (found) return found
    throw new OperatorError(
      `--source ${slug}: the folder has ${definitions.map((d) => d.slug).join(', ') || 'no definitions'}.`,
    )
  })
}

export function exitCode(runs: readonly RunDocument[]): number {
  if (runs.some(({ status }) => status === 'failed' || status === 'abandoned')) return 1
  return runs.some(({ status }) => status === 'quarantined') ? 3 : 0
}
