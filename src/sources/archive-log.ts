import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One snapshot that was applied to a territory: enough to apply its archived bytes again, elsewhere or later. */
export interface AppliedSnapshot {
  /** the registry's index prefix: several may share an archive */
  registry: string
  source_slug: string
  territory_code: string
  run_id: string
  definition_version: number
  observed_at: string
  applied_at: string
  sha256: string
  bytes: number
  http_etag: string | null
  http_last_modified: string | null
  download_key: string | null
  dataset_modified_at: string | null
}

/** Which snapshot was applied when: a file of lines beside the archive, written at its end only. */
export interface ArchiveLog {
  append(snapshot: AppliedSnapshot): Promise<void>
  /** in the order in which they were applied */
  read(): Promise<AppliedSnapshot[]>
}

const FILE = 'applied.ndjson'

export function openArchiveLog(dir: string): ArchiveLog {
  const path = join(dir, FILE)
  return {
    async append(snapshot) {
      await mkdir(dir, { recursive: true })
      // The line break before it keeps a line apart from one that a crash has torn.
      await appendFile(path, `\n${JSON.stringify(snapshot)}\n`, { flush: true })
    },
    async read() {
      const text = await readFile(path, 'utf8').catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
        throw error
      })
      return text.split('\n').flatMap(parseLine)
    },
  }
}

function parseLine(line: string): AppliedSnapshot[] {
  if (line === '') return []
  try {
    return [JSON.parse(line) as AppliedSnapshot]
  } catch {
    // Torn by a crash: the next load settles that run and writes its line anew.
    return []
  }
}
