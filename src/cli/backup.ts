import { hostname } from 'node:os'
import type { Config } from '../config/settings.ts'
import { OperatorError } from '../domain/problem.ts'
import { type Backup, createBackup, listBackups, restoreBackup } from '../store/backup.ts'
import type { Repository } from '../store/backup-repository.ts'
import { integerFlag, parseFlags } from './arguments.ts'
import { print, table } from './output.ts'
import type { ReadyCommand } from './runtime.ts'

export const BACKUP_HELP = `backup create [--wait SECONDS] [--json]     a snapshot of all indices of this registry; loads wait meanwhile
backup list [--json]                        the backups in the repository, newest first
backup restore [NAME] [--json]              into an INDEX_PREFIX that is empty; without a name the newest of this prefix

The repository is BACKUP_REPOSITORY, made in BACKUP_DIR when Elasticsearch does not know it yet. Stop every process
of the registry before a restore, and run "verify" after it.`

const DEFAULT_REPOSITORY = 'pharmacy-registry'
const DEFAULT_WAIT_S = 60
const MAX_WAIT_S = 86_400

export async function backupCommand(args: readonly string[]): Promise<ReadyCommand> {
  const [action, ...rest] = args
  if (action === 'create') return create(rest)
  if (action === 'list') return list(rest)
  if (action === 'restore') return restore(rest)
  throw new OperatorError(
    `backup ${action ?? ''}: expected create, list or restore.\n${BACKUP_HELP}`,
  )
}

function create(args: readonly string[]): ReadyCommand {
  const { values } = parseFlags(
    args,
    { json: { type: 'boolean' }, wait: { type: 'string' } },
    { min: 0, max: 0, usage: 'backup create [--wait SECONDS] [--json]' },
  )
  const wait = integerFlag('wait', values.wait, { min: 0, max: MAX_WAIT_S }) ?? DEFAULT_WAIT_S
  return async ({ db, config }) => {
    const backup = await createBackup(db, repositoryOf(config), {
      owner: `backup on ${hostname()}, process ${process.pid}`,
      waitMs: wait * 1000,
      now: Date.now(),
    })
    print(values.json ? JSON.stringify(backup) : `Backup ${backup.name}: ${contentOf(backup)}.`)
    return 0
  }
}

function list(args: readonly string[]): ReadyCommand {
  const { values } = parseFlags(
    args,
    { json: { type: 'boolean' } },
    { min: 0, max: 0, usage: 'backup list [--json]' },
  )
  return async ({ db, config }) => {
    const backups = await listBackups(db, repositoryOf(config))
    if (values.json) print(JSON.stringify(backups))
    else {
      print(
        table(
          ['name', 'created', 'prefix', 'run', 'last change'],
          backups.map((backup) => [
            backup.name,
            backup.created_at,
            backup.prefix,
            String(backup.committed_run),
            String(backup.last_change_id),
          ]),
        ),
      )
    }
    return 0
  }
}

function restore(args: readonly string[]): ReadyCommand {
  const { values, positionals } = parseFlags(
    args,
    { json: { type: 'boolean' } },
    { min: 0, max: 1, usage: 'backup restore [NAME] [--json]' },
  )
  return async ({ db, config }) => {
    const backup = await restoreBackup(db, repositoryOf(config), {
      name: positionals[0],
      settings: { shards: config.INDEX_SHARDS, replicas: config.INDEX_REPLICAS },
    })
    print(
      values.json
        ? JSON.stringify({ ...backup, restored_to: db.prefix })
        : `Restored ${backup.name} to ${db.prefix}: ${contentOf(backup)}. Run "verify" now.`,
    )
    return 0
  }
}

function repositoryOf(config: Config): Repository {
  return { name: config.BACKUP_REPOSITORY ?? DEFAULT_REPOSITORY, location: config.BACKUP_DIR }
}

function contentOf({ committed_run, committed_at, last_change_id }: Backup): string {
  if (committed_at === null) return 'nothing committed yet'
  return `run ${committed_run} of ${committed_at}, changes up to ${last_change_id}`
}
