import { execFileSync } from 'node:child_process'
import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

/** The user that runs Elasticsearch when this program is root, which Elasticsearch refuses to be. */
export interface Account {
  uid: number
  gid: number
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** Undefined: Elasticsearch may run as the user this program runs as. */
export function elasticsearchAccount(): Account | undefined {
  if (!isRoot()) return undefined
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/**
 * Where distributions are unpacked, shared by all clones of one user. Root's own cache lies under a home that the
 * unprivileged user cannot enter, so root uses the machine's.
 */
function cacheFolder(env: Environment): string {
  if (env.ELASTICSEARCH_CACHE_DIR) return resolve(env.ELASTICSEARCH_CACHE_DIR)
  if (isRoot()) return '/var/cache/pharmacy-registry'
  const home = env.HOME ?? homedir()
  if (process.platform === 'darwin') return join(home, 'Library', 'Caches', 'pharmacy-registry')
  return join(env.XDG_CACHE_HOME ?? join(home, '.cache'), 'pharmacy-registry')
}

/** The cache folder, made so that others can enter it whatever root's umask is. */
export function openCache(env: Environment): string {
  const cache = cacheFolder(env)
  mkdirSync(join(cache, 'nodes'), { recursive: true })
  if (isRoot()) for (const folder of [cache, join(cache, 'nodes')]) chmodSync(folder, 0o755)
  return cache
}

/** Whether the account can enter `folder`: every folder on the way must let others through. */
export function canReach(account: Account | undefined, folder: string): boolean {
  if (!account) return !existsSync(folder) || isEnterable(folder)
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (!letsThrough(account, at)) return false
    if (at === dirname(at)) return true
  }
}

function letsThrough(account: Account, folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (!found) return true // still to be made, by us
  if (found.uid === account.uid) return (found.mode & 0o100) !== 0
  if (found.gid === account.gid) return (found.mode & 0o010) !== 0
  return (found.mode & 0o001) !== 0
}

function isEnterable(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK)
    return true
  } catch {
    return false // the question was whether it can be entered: it cannot
  }
}
