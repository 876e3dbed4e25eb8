import { OperatorError } from '../domain/problem.ts'
import type { LoadContext } from '../load/context.ts'
import { approveRun, rejectRun } from '../load/quarantine.ts'
import { getRun, listRuns, publicRun, type RunDocument } from '../store/runs.ts'
import { integerFlag, parseFlags } from './arguments.ts'
import { describe } from './describe-run.ts'
import { print, table } from './output.ts'
import { loadContext, type ReadyCommand, type Runtime } from './runtime.ts'

export const RUNS_HELP = `runs list [--limit N] [--json]    the load journal, newest first
runs show ID [--json]             one run with its counts, reasons and warnings
runs approve ID [--json]          applies the archived snapshot of a quarantined run
runs reject ID [--json]           drops a quarantined run for good`

const DEFAULT_LIMIT = 50

export async function runsCommand(args: readonly string[]): Promise<ReadyCommand> {
  const [action, ...rest] = args
  if (action === 'list') return list(rest)
  if (action !== 'show' && action !== 'approve' && action !== 'reject') {
    throw new OperatorError(
      `runs ${action ?? ''}: expected list, show, approve or reject.\n${RUNS_HELP}`,
    )
  }
  const { values, positionals } = parseFlags(
    rest,
    { json: { type: 'boolean' }, wait: { type: 'string' } },
    { min: 1, max: 1, usage: `runs ${action} ID [--json]` },
  )
  const id = positionals[0] as string
  const wait = integerFlag('wait', values.wait, { min: 0, max: 86_400 })
  return async (runtime) => {
    const run = await { show, approve, reject }[action](runtime, id, wait)
    print(values.json ? JSON.stringify(publicRun(run)) : describe(run))
    const isApplied = run.status === 'committed' || run.status === 'unchanged'
    return action === 'approve' && !isApplied ? 1 : 0
  }
}

async function show({ db }: Runtime, id: string): Promise<RunDocument> {
  const run = await getRun(db, id)
  if (!run) throw new OperatorError(`There is no run ${id}; "runs list" shows those there are.`)
  return run
}

async function approve(runtime: Runtime, id: string, wait?: number): Promise<RunDocument> {
  return approveRun(contextOf(runtime, wait), await show(runtime, id))
}

async function reject(runtime: Runtime, id: string, wait?: number): Promise<RunDocument> {
  return rejectRun(contextOf(runtime, wait), await show(runtime, id))
}

function contextOf(runtime: Runtime, wait: number | undefined): LoadContext {
  return loadContext(runtime, wait === undefined ? {} : { waitSeconds: wait })
}

function list(args: readonly string[]): ReadyCommand {
  const { values } = parseFlags(
    args,
    { json: { type: 'boolean' }, limit: { type: 'string' } },
    { min: 0, max: 0, usage: 'runs list [--limit N] [--json]' },
  )
  const limit = integerFlag('limit', values.limit, { min: 1, max: 5000 }) ?? DEFAULT_LIMIT
  return async ({ db }) => {
    const { items } = await listRuns(db, { territories: 'all', limit })
    print(values.json ? JSON.stringify(items.map(publicRun)) : tableOf(items))
    return 0
  }
}

function tableOf(runs: readonly RunDocument[]): string {
  return table(
    ['run', 'status', 'observed', 'added', 'updated', 'removed', 'unchanged', 'reasons'],
    runs.map((run) => [
      run.run_id,
      run.status,
      run.observed_at,
      String(run.counts.added),
      String(run.counts.updated),
      String(run.counts.removed),
      String(run.counts.unchanged),
      run.reasons.map(({ code }) => code).join(','),
    ]),
  )
}
