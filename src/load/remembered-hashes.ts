import { createHash, type Hash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MAX_ENTRY_BYTES } from '../delta/packed-hashes.ts'
import type { TerritoryState } from '../store/state.ts'

/** A territory as a committed run left it: its content never changes again. */
export interface Leaving {
  territory: string
  state: Pick<TerritoryState, 'last_run' | 'last_changed_at' | 'active' | 'inactive'>
}

/**
 * Ids and hashes of each territory as its last committed run left them, in one file per territory: a copy of what is
 * in Elasticsearch, where reading a million of them takes longer than reading the new snapshot. A file is only good
 * for the very run that wrote it, and whole; with any doubt Elasticsearch is asked.
 */
export interface RememberedHashes {
  /**
   * Hands the entries over, chunk by chunk, to `take`, which says how many bytes of a chunk it took and keeps none of
   * them. Null when that is done; else why there is no good file, and then nothing was handed over.
   */
  recall(leaving: Leaving, take: (entries: Uint8Array) => number): Promise<string | null>
  /** Begins to write entries down while the run that they are of is still on its way. */
  prepare(entries: Iterable<Uint8Array>): Prepared
}

/** Entries of a run that may yet commit. One of the two is to be called, once. */
export interface Prepared {
  /** makes them those of their territory; rejects when they could not be written */
  keep(leaving: Leaving): Promise<void>
  /** forgets them */
  drop(): Promise<void>
}

/** What a content hash is made of; another one makes all files worthless. */
const FORM = 2
const ALGORITHM = 'sha256'
const SUM_BYTES = 32
const CHUNK_BYTES = 1 << 16

/** Files come to lie in `folder`; until they are whole they are in `workDir`, of the same file system. */
export function openRememberedHashes(folder: string, workDir: string): RememberedHashes {
  const pathOf = ({ territory }: Leaving) => join(folder, `${territory}.hashes`)
  return {
    async recall(leaving, take) {
      const path = pathOf(leaving)
      const found = await openGood(path, whoseOf(leaving))
      if (typeof found === 'string') return found
      try {
        await handOver(found, take)
        return null
      } finally {
        await found.file.close()
      }
    },

    prepare(entries) {
      const path = join(workDir, `hashes-${randomUUID()}`)
      const written = write(path, entries)
      // Whether it succeeded is asked when the run has committed.
      written.catch(() => undefined)
      const remove = () => rm(path, { force: true })
      return {
        async keep(leaving) {
          const part = await written
          try {
            await seal(part, whoseOf(leaving))
            await mkdir(folder, { recursive: true })
            await rename(path, pathOf(leaving))
          } finally {
            await remove()
          }
        },
        async drop() {
          const [outcome] = await Promise.allSettled([written])
          if (outcome.status === 'rejected') return
          await outcome.value.file.close()
          await remove()
        },
      }
    },
  }
}

/** What follows the entries. Instants of commits differ, also between registries and after a restore. */
function whoseOf({ territory, state }: Leaving): Buffer {
  const { last_run, last_changed_at, active, inactive } = state
  return Buffer.from(
    JSON.stringify({ form: FORM, territory, last_run, last_changed_at, active, inactive }),
  )
}

interface Part {
  file: FileHandle
  sum: Hash
}

async function write(path: string, entries: Iterable<Uint8Array>): Promise<Part> {
  await mkdir(dirname(path), { recursive: true })
  const part = { file: await open(path, 'wx'), sum: createHash(ALGORITHM) }
  try {
    for (const chunk of entries) await append(part, chunk)
    return part
  } catch (cause) {
    await part.file.close()
    await rm(path, { force: true })
    throw cause
  }
}

async function seal(part: Part, whose: Buffer): Promise<void> {
  try {
    await append(part, whose)
    await part.file.appendFile(part.sum.digest())
  } finally {
    await part.file.close()
  }
}

async function append({ file, sum }: Part, bytes: Uint8Array): Promise<void> {
  sum.update(bytes)
  await file.appendFile(bytes)
}

/** A file that was found good, and where its entries end. It stays the same file, whatever takes its name. */
interface Good {
  file: FileHandle
  end: number
}

/** Read twice: nothing is handed over before the whole is known to be good. */
async function openGood(path: string, whose: Buffer): Promise<Good | string> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'r')
    const end = (await file.stat()).size - SUM_BYTES - whose.length
    const fault = await faultOf(file, { whose, end })
    if (fault === null) return { file, end }
    await file.close()
    return fault
  } catch (cause) {
    await file?.close()
    return (cause as Error).message
  }
}

async function faultOf(
  file: FileHandle,
  { whose, end }: { whose: Buffer; end: number },
): Promise<string | null> {
  const last = Buffer.alloc(whose.length + SUM_BYTES)
  await file.read(last, 0, last.length, Math.max(0, end))
  if (!last.subarray(0, whose.length).equals(whose)) return 'the file is of another run'
  const sum = createHash(ALGORITHM)
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  for (let at = 0; at < end + whose.length; ) {
    const read = await readInto(chunk, file, { at, end: end + whose.length })
    sum.update(chunk.subarray(0, read))
    at += read
  }
  return sum.digest().equals(last.subarray(whose.length)) ? null : 'the file is damaged'
}

async function handOver({ file, end }: Good, take: (entries: Uint8Array) => number): Promise<void> {
  const memory = Buffer.allocUnsafe(CHUNK_BYTES + MAX_ENTRY_BYTES)
  let rest = 0
  for (let at = 0; at < end; ) {
    const read = await readInto(memory.subarray(rest, rest + CHUNK_BYTES), file, { at, end })
    const entries = memory.subarray(0, rest + read)
    const taken = take(entries)
    memory.copyWithin(0, taken, entries.length)
    rest = entries.length - taken
    at += read
  }
  if (rest > 0) throw new Error('remembered hashes end within an entry')
}

/** Always into the same memory: a new one for each chunk had the engine look through its heap in the middle of a load. */
async function readInto(
  memory: Buffer,
  file: FileHandle,
  { at, end }: { at: number; end: number },
): Promise<number> {
  const { bytesRead } = await file.read(memory, 0, Math.min(memory.length, end - at), at)
  if (bytesRead === 0) throw new Error('remembered hashes became shorter')
  return bytesRead
}
