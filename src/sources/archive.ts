import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { LoadFailure } from '../domain/problem.ts'
import { type ArchiveLog, openArchiveLog } from './archive-log.ts'

/** Raw snapshots by the hash of their bytes, compressed. */
export interface Archive {
  /** Keeps a file; does nothing when its bytes are there already. */
  store(file: string, { sha256 }: { sha256: string }): Promise<void>
  /** Puts the bytes back into a folder and gives the path of the file. */
  restore(sha256: string, intoDir: string): Promise<string>
  has(sha256: string): Promise<boolean>
  /**
   * Removes what is not to be kept and lies there since before an instant, in milliseconds: a snapshot that a load
   * has just brought is not named anywhere yet. Says how many snapshots that were.
   */
  prune(keep: ReadonlySet<string>, before?: number): Promise<number>
  /** which snapshot was applied when */
  readonly log: ArchiveLog
}

/** Fast rather than small: every load waits for it, and the text of a register shrinks well at any level. */
const GZIP_LEVEL = 1
const SUFFIX = '.gz'
const UNFINISHED = '.part'

export function openArchive(dir: string): Archive {
  const pathOf = (sha256: string) => join(dir, `${checkHash(sha256)}${SUFFIX}`)
  const has = async (sha256: string) => exists(pathOf(sha256))
  return {
    has,
    log: openArchiveLog(dir),
    async store(file, { sha256 }) {
      if (await has(sha256)) return
      await mkdir(dir, { recursive: true })
      const part = join(dir, `${randomUUID()}${UNFINISHED}`)
      const sum = createHash('sha256')
      try {
        await pipeline(
          createReadStream(file, { highWaterMark: 1 << 18 }),
          summed(sum),
          createGzip({ level: GZIP_LEVEL }),
          createWriteStream(part, { flush: true }),
        )
        if (sum.digest('hex') !== sha256) throw new Error(`${file} is not what was downloaded`)
        await rename(part, pathOf(sha256))
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async restore(sha256, intoDir) {
      if (!(await has(sha256))) {
        throw new LoadFailure('archive_missing', `The archive has no snapshot ${sha256}.`)
      }
      const path = join(intoDir, `${sha256}.raw`)
      const sum = createHash('sha256')
      try {
        await pipeline(
          createReadStream(pathOf(sha256)),
          createGunzip(),
          summed(sum),
          createWriteStream(path),
        )
      } catch (error) {
        throw damaged(sha256, error)
      }
      if (sum.digest('hex') !== sha256) throw damaged(sha256)
      return path
    },
    async prune(keep, before = Number.POSITIVE_INFINITY) {
      const files = (await exists(dir)) ? await readdir(dir) : []
      const unwanted = files.filter(
        (name) => name.endsWith(SUFFIX) && !keep.has(name.slice(0, -SUFFIX.length)),
      )
      const pruned = await Promise.all(unwanted.map((name) => removeOlder(join(dir, name), before)))
      return pruned.filter(Boolean).length
    },
  }
}

async function removeOlder(path: string, before: number): Promise<boolean> {
  if ((await stat(path)).mtimeMs >= before) return false
  await rm(path, { force: true })
  return true
}

function summed(sum: ReturnType<typeof createHash>) {
  return async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      sum.update(chunk)
      yield chunk
    }
  }
}

/** A hash becomes a file name: nothing else may. */
function checkHash(sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error(`${sha256} is no SHA-256`)
  return sha256
}

function damaged(sha256: string, cause?: unknown): LoadFailure {
  return new LoadFailure('archive_missing', `The archived snapshot ${sha256} is damaged.`, cause)
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
