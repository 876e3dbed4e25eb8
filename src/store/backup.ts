import { errors, type estypes } from '@elastic/elasticsearch'
import { OperatorError } from '../domain/problem.ts'
import { openRepository, type Repository } from './backup-repository.ts'
import { type Db, INDICES, type IndexName } from './db.ts'
import { ensureIndices, type IndexSettings } from './indices.ts'
import { takeLease } from './lease.ts'
import type { RegistryState } from './state.ts'
import { compareAndSet, readState } from './state-document.ts'

/** One backup of one registry. */
export interface Backup {
  name: string
  prefix: string
  created_at: string
  committed_run: number
  committed_at: string | null
  last_change_id: number
  indices: string[]
}

/** What a snapshot carries about itself, so that foreign ones in the same repository are left alone. */
interface Label {
  program: 'pharmacy-registry'
  prefix: string
  committed_run: number
  committed_at: string | null
  last_change_id: number
}

/** Snapshots and restores of any size are waited for in one request. */
const LONG = { requestTimeout: 6 * 3_600_000, maxRetries: 0 }

/**
 * Takes a backup with the lease in hand: a snapshot is made shard by shard, and only while nobody commits do all
 * shards and the state document belong together. Readers notice nothing.
 */
export async function createBackup(
  db: Db,
  repository: Repository,
  options: { owner: string; waitMs: number; now: number },
): Promise<Backup> {
  await openRepository(db, repository)
  const name = `${db.prefix}-${stamp(options.now)}`
  const lease = await takeLease(db, options)
  try {
    const snapshot = await takeSnapshot(db, repository, name)
    // One write of ours proves that the lease was ours throughout; else somebody may have committed in between.
    await lease.update(
      (now) => now,
      () => false,
    )
    return backupOf(snapshot)
  } catch (cause) {
    await removeUnsound(db, repository, name)
    throw cause
  } finally {
    await lease.release({ dirty: false })
  }
}

async function takeSnapshot(
  db: Db,
  repository: Repository,
  name: string,
): Promise<estypes.SnapshotSnapshotInfo> {
  const { state } = await readState(db)
  const { snapshot } = await db.client.snapshot.create(
    {
      repository: repository.name,
      snapshot: name,
      indices: INDICES.map((index) => db.alias(index)),
      include_global_state: false,
      feature_states: ['none'],
      metadata: { ...labelOf(db, state) },
      wait_for_completion: true,
    },
    LONG,
  )
  if (snapshot?.state === 'SUCCESS') return snapshot
  throw new OperatorError(`The snapshot ended ${snapshot?.state ?? 'unknown'}; try again.`)
}

/** What was not finished under the lease must never be listed; one that is still going on is ended by this. */
async function removeUnsound(db: Db, repository: Repository, name: string): Promise<void> {
  try {
    await db.client.snapshot.delete({ repository: repository.name, snapshot: name }, LONG)
  } catch (cause) {
    if (cause instanceof errors.ResponseError && cause.statusCode === 404) return
    throw new OperatorError(
      `The backup failed, and so did removing it: delete the snapshot ${name} of ${repository.name} by hand.`,
      cause,
    )
  }
}

/** The backups of all registries in the repository, newest first. */
export async function listBackups(db: Db, repository: Repository): Promise<Backup[]> {
  await openRepository(db, repository)
  const { snapshots = [] } = await db.client.snapshot.get({
    repository: repository.name,
    snapshot: '*',
  })
  return snapshots
    .filter(({ metadata, state }) => isLabel(metadata) && state === 'SUCCESS')
    .map(backupOf)
    .sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
}

/**
 * Restores a backup, by name or the newest of this prefix, into a prefix that holds no registry yet: the one it was
 * taken from or another. Aliases come last and at once, so a restore that was interrupted is no registry.
 */
export async function restoreBackup(
  db: Db,
  repository: Repository,
  options: { name?: string | undefined; settings: IndexSettings },
): Promise<Backup> {
  const backup = await findBackup(db, repository, options.name)
  await makeRoom(db, backup)
  await db.client.snapshot.restore(
    {
      repository: repository.name,
      snapshot: backup.name,
      indices: backup.indices,
      include_aliases: false,
      include_global_state: false,
      feature_states: ['none'],
      rename_pattern: `^${backup.prefix}-(.+)$`,
      rename_replacement: `${db.prefix}-$1`,
      index_settings: { 'index.number_of_replicas': options.settings.replicas },
      wait_for_completion: true,
    },
    LONG,
  )
  await db.client.indices.updateAliases({
    actions: INDICES.map((name) => ({
      add: {
        index: restoredIndex(db, backup, name),
        alias: db.alias(name),
        is_write_index: true,
      },
    })),
  })
  await endLeaseOfBackup(db)
  await ensureIndices(db, options.settings)
  return backup
}

async function findBackup(db: Db, repository: Repository, name?: string): Promise<Backup> {
  const all = await listBackups(db, repository)
  const found = all.find((backup) =>
    name === undefined ? backup.prefix === db.prefix : backup.name === name,
  )
  if (found) return found
  throw new OperatorError(
    name === undefined
      ? `The repository ${repository.name} holds no backup of ${db.prefix}: name one of those that "backup list" shows.`
      : `The repository ${repository.name} holds no backup ${name}: "backup list" shows those there are.`,
  )
}

function restoredIndex(db: Db, backup: Backup, name: IndexName): string {
  const source = backup.indices.find((index) => index.startsWith(`${backup.prefix}-${name}-`))
  if (source) return `${db.prefix}${source.slice(backup.prefix.length)}`
  throw new OperatorError(
    `The backup ${backup.name} has no index ${name}: it is not of this program.`,
  )
}

/** Refuses a prefix that holds a registry; clears away what an interrupted restore left, which has no aliases. */
async function makeRoom(db: Db, backup: Backup): Promise<void> {
  const found = await db.client.indices.get({
    index: INDICES.map((name) => `${db.alias(name)}*`),
    expand_wildcards: 'all',
  })
  const inUse = Object.entries(found).find(([index, { aliases }]) => {
    return Object.keys(aliases ?? {}).length > 0 || INDICES.some((name) => index === db.alias(name))
  })
  if (inUse) {
    throw new OperatorError(
      `${inUse[0]} is there: a backup is restored into a prefix that is empty. ` +
        `Choose another INDEX_PREFIX, or stop every process of ${db.prefix} and delete its indices first.`,
    )
  }
  const targets = INDICES.map((name) => restoredIndex(db, backup, name))
  const left = targets.filter((index) => found[index])
  for (const index of left) await db.client.indices.delete({ index })
}

/** The state was saved while the backup held the lease; nothing was written under its number. */
async function endLeaseOfBackup(db: Db): Promise<void> {
  const read = await readState(db)
  await compareAndSet(db, read, { ...read.state, lease: null })
}

function labelOf(db: Db, state: RegistryState): Label {
  const { committed_run, committed_at, last_change_id } = state
  return {
    program: 'pharmacy-registry',
    prefix: db.prefix,
    committed_run,
    committed_at,
    last_change_id,
  }
}

function isLabel(metadata: unknown): boolean {
  return (metadata as Partial<Label> | undefined)?.program === 'pharmacy-registry'
}

function backupOf(snapshot: estypes.SnapshotSnapshotInfo): Backup {
  const { prefix, committed_run, committed_at, last_change_id } =
    snapshot.metadata as unknown as Label
  return {
    name: snapshot.snapshot,
    prefix,
    created_at: new Date(snapshot.start_time_in_millis as number).toISOString(),
    committed_run,
    committed_at,
    last_change_id,
    indices: [...(snapshot.indices ?? [])].sort(),
  }
}

/** 20260131t060000123: names of snapshots are lower case. */
function stamp(now: number): string {
  return new Date(now)
    .toISOString()
    .toLowerCase()
    .replaceAll(/[^0-9t]/g, '')
}
