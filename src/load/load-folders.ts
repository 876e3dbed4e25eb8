import { join } from 'node:path'
import { openArchive } from '../sources/archive.ts'
import type { LoadContext } from './context.ts'
import { openRememberedHashes } from './remembered-hashes.ts'

/** What loads keep in a data folder, each in a folder of its own; hashes belong to one registry, by its prefix. */
export function loadFolders(
  dataDir: string,
  prefix: string,
): Pick<LoadContext, 'archive' | 'hashes' | 'workDir'> {
  const workDir = join(dataDir, 'work')
  return {
    archive: openArchive(join(dataDir, 'archive')),
    hashes: openRememberedHashes(join(dataDir, 'hashes', prefix), workDir),
    workDir,
  }
}
