import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isAlive } from './lock.ts'
import { type Account, canReach } from './places.ts'
import { readRecord, recordFile } from './record.ts'

/**
 * Where a lasting node keeps its data: inside DATA_DIR, or, when the user that runs Elasticsearch cannot get there
 * (a clone under root's home), beside the distributions under the identity DATA_DIR holds.
 */
export function lastingFolder(options: {
  cache: string
  dataDir: string
  id: string
  account: Account | undefined
}): string {
  const { cache, dataDir, id, account } = options
  if (canReach(account, dataDir)) return join(dataDir, 'elasticsearch')
  const folder = join(cache, 'nodes', id)
  mkdirSync(folder, { recursive: true })
  writeFileSync(ownerFile(cache, id), dataDir)
  return folder
}

/** A folder for one node of this process, removed with it. */
export function ephemeralFolder(parent: string): string {
  const nodes = join(parent, 'nodes')
  mkdirSync(nodes, { recursive: true })
  const folder = mkdtempSync(join(nodes, `process-${process.pid}-`))
  chmodSync(folder, 0o755)
  return folder
}

/** Removes folders whose process is gone, or whose DATA_DIR is gone or has become another's. */
export function clearLeftovers(cache: string): void {
  const nodes = join(cache, 'nodes')
  if (!existsSync(nodes)) return
  for (const name of readdirSync(nodes)) {
    if (!name.endsWith('.owner') && isLeftover(cache, name)) {
      rmSync(join(nodes, name), { recursive: true, force: true })
      rmSync(ownerFile(cache, name), { force: true })
    }
  }
}

function isLeftover(cache: string, name: string): boolean {
  const pid = /^process-(\d+)-/.exec(name)?.[1]
  if (pid) return !isAlive(Number(pid))
  const owner = ownerFile(cache, name)
  if (!existsSync(owner)) return false
  const dataDir = readFileSync(owner, 'utf8')
  return !existsSync(recordFile(dataDir)) || readRecord(dataDir).id !== name
}

function ownerFile(cache: string, id: string): string {
  return join(cache, 'nodes', `${id}.owner`)
}
