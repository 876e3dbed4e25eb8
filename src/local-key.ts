import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { idOfKey } from './store/api-key.ts'
import type { Db } from './store/db.ts'
import { openKeys } from './store/keys.ts'

/**
 * The key that `npm start` prints: issued once for this machine and kept beside its data, readable by its owner
 * only, so that a second start prints the same one. A key that is gone or revoked is replaced.
 */
export async function localKey(db: Db, dataDir: string): Promise<string> {
  const file = join(dataDir, 'local-key')
  const keys = openKeys(db)
  const kept = await readKept(file)
  const id = kept === null ? null : idOfKey(kept)
  const known = id === null ? null : await keys.read(id)
  if (kept !== null && known && known.revoked_at === null) return kept
  const { key } = await keys.issue({ name: 'local start', territories: null, expires_at: null })
  await mkdir(dataDir, { recursive: true })
  await writeFile(file, `${key}\n`, { mode: 0o600 })
  return key
}

async function readKept(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw cause
  }
}
