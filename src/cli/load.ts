import type { Config } from '../config/settings.ts'
import type { SourceDefinition } from '../domain/definition.ts'
import { OperatorError } from '../domain/problem.ts'
import type { LoadContext, LoadRequest } from '../load/context.ts'
import { loadAll } from '../load/load-all.ts'
import { planReplay, replayArchive } from '../load/replay.ts'
import { readDefinitions } from '../sources/definitions.ts'
import { publicRun, type RunDocument } from '../store/runs.ts'
import { instantFlag, integerFlag, parseFlags } from './arguments.ts'
import { describe } from './describe-run.ts'
import { print, say } from './output.ts'
import { progressLine } from './progress.ts'
import { loadContext, type ReadyCommand } from './runtime.ts'
import { untilAskedToStop } from './stopping.ts'

export const LOAD_HELP = `load --sources DIR [--source SLUG]… [--file PATH] [--observed-at ISO] [--force] [--wait SECONDS] [--json]
load --sources DIR --from-archive SLUG [--wait SECONDS] [--json]

Loads every enabled source of the folder once, or those named. --file and --observed-at replace the input and the
clock of one source: the way to backfill dated snapshots. --force passes the guards that quarantine.
--from-archive applies the archived snapshots of a source again, each at its own time, as far as the registry has not
seen them: the way to rebuild a registry from DATA_DIR.
Exit code: 0 all runs committed or unchanged, 1 one failed, else 3 one is quarantined.`

const OPTIONS = {
  sources: { type: 'string' },
  source: { type: 'string', multiple: true },
  file: { type: 'string' },
  'observed-at': { type: 'string' },
  'from-archive': { type: 'string' },
  force: { type: 'boolean' },
  wait: { type: 'string' },
  json: { type: 'boolean' },
} as const

type Values = ReturnType<typeof parseFlags<typeof OPTIONS>>['values']

export async function loadCommand(args: readonly string[], config: Config): Promise<ReadyCommand> {
  const usage = LOAD_HELP.split('\n').slice(0, 2).join('\n       ')
  const { values } = parseFlags(args, OPTIONS, { min: 0, max: 0, usage })
  const dir = values.sources ?? config.SOURCES_DIR
  if (!dir) throw new OperatorError('load: --sources DIR is needed, or the setting SOURCES_DIR.')
  const waitSeconds = integerFlag('wait', values.wait, { min: 0, max: 86_400 })
  const definitions = await readDefinitions(dir)
  const start =
    values['from-archive'] === undefined
      ? fromSources(requestsOf(values, definitions))
      : fromArchive(values, definitions)

  return async (runtime) => {
    const progress = progressLine()
    const stopping = new AbortController()
    void untilAskedToStop().then(() => stopping.abort())
    const context = loadContext(runtime, {
      signal: stopping.signal,
      ...(waitSeconds === undefined ? {} : { waitSeconds }),
      progress: progress.show,
    })
    const runs: RunDocument[] = []
    for await (const run of await start(context)) {
      progress.clear()
      runs.push(run)
      print(values.json ? JSON.stringify(publicRun(run)) : describe(run))
    }
    progress.clear()
    return exitCode(runs)
  }
}

/** Begins a load that has been checked. */
type Start = (context: LoadContext) => Promise<AsyncGenerator<RunDocument>>

function fromSources(requests: readonly LoadRequest[]): Start {
  return async (context) => loadAll(context, requests)
}

function requestsOf(values: Values, all: readonly SourceDefinition[]): LoadRequest[] {
  const definitions = select(all, values.source)
  if (values.file !== undefined && definitions.length !== 1) {
    throw new OperatorError(
      `--file replaces the input of one source, and ${definitions.length} are selected: name it with --source.`,
    )
  }
  const observedAt = instantFlag('observed-at', values['observed-at'])
  return definitions.map((definition) => ({
    definition,
    ...(values.file === undefined ? {} : { file: values.file }),
    ...(observedAt === undefined ? {} : { observedAt }),
    force: values.force ?? false,
  }))
}

function fromArchive(values: Values, all: readonly SourceDefinition[]): Start {
  const slug = values['from-archive'] ?? ''
  if (values.source || values.file !== undefined || values['observed-at'] !== undefined) {
    throw new OperatorError('--from-archive goes without --source, --file and --observed-at.')
  }
  const [definition] = select(all, [slug]) as [SourceDefinition]
  return async (context) => {
    const plan = await planReplay(context, definition)
    if (!plan.isKnown) throw new OperatorError(`The archive has no snapshot of ${slug}.`)
    if (plan.pruned > 0) say(`${plan.pruned} snapshots of ${slug} are no longer archived.`)
    if (plan.requests.length === 0) say(`The archive has nothing of ${slug} that was not applied.`)
    return replayArchive(context, plan)
  }
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

function exitCode(runs: readonly RunDocument[]): number {
  if (runs.some(({ status }) => status === 'failed' || status === 'abandoned')) return 1
  return runs.some(({ status }) => status === 'quarantined') ? 3 : 0
}
