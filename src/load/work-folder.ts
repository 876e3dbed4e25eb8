import { statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** What nobody has touched for so long belongs to a load that was killed. */
const LEFT_BEHIND_MS = 7 * 86_400_000

/** A folder of its own for one piece of work; what dead ones left beside it is removed. */
export interface WorkFolder {
  path: string
  remove(): Promise<void>
}

export async function openWorkFolder(workDir: string, name: string): Promise<WorkFolder> {
  await mkdir(workDir, { recursive: true })
  await removeLeftBehind(workDir)
  const path = await mkdtemp(join(workDir, `${name}-`))
  return { path, remove: () => remove(path) }
}

async function removeLeftBehind(workDir: string): Promise<void> {
  const before = Date.now() - LEFT_BEHIND_MS
  for (const name of await readdir(workDir)) {
    const path = join(workDir, name)
    // Others may be removing the same.
    const found = statSync(path, { throwIfNoEntry: false })
    if (found && found.mtimeMs < before) await remove(path)
  }
}

function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true })
}
