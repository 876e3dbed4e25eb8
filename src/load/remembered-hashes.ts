import { createHash, type Hash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
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
   * Hands the entries over, chunk by chunk, to `take`, which says how many bytes of a chunk it took. Null when that is
   * done; else why there is no good file, and then nothing was handed over.
   */
  recall(leaving: Leaving, take: (entries: Uint8Array) => number): Promise<string | null>
  remember(leaving: Leaving, entries: Iterable<Uint8Array>): Promise<void>
}

/** What a content hash is made of; another one makes all files worthless. */
const FORM = 1
const ALGORITHM = 'sha256'
const SUM_BYTES = 32
const CHUNK_BYTES = 1 << 18
const LINE_END = '\n'

export function openRememberedHashes(folder: string): RememberedHashes {
  const pathOf = ({ territory }: Leaving) => join(folder, `${territory}.hashes`)
  return {
    async recall(leaving, take) {
      const path = pathOf(leaving)
      const found = await openGood(path, headOf(leaving))
      if (typeof found === 'string') return found
      try {
        await handOver(found, take)
        return null
      } finally {
        await found.file.close()
      }
    },

    async remember(leaving, entries) {
      await mkdir(folder, { recursive: true })
      const part = join(folder, `${randomUUID()}.part`)
      try {
        await write(part, headOf(leaving), entries)
        await rename(part, pathOf(leaving))
      } finally {
        await rm(part, { force: true })
      }
    },
  }
}

/** What the file begins with. Instants of commits differ, also between registries and after a restore. */
function headOf({ territory, state }: Leaving): Buffer {
  const { last_run, last_changed_at, active, inactive } = state
  return Buffer.from(
    `${JSON.stringify({ form: FORM, territory, last_run, last_changed_at, active, inactive })}${LINE_END}`,
  )
}

async function write(path: string, head: Buffer, entries: Iterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx')
  const sum = createHash(ALGORITHM)
  try {
    await append(file, head, sum)
    for (const chunk of entries) await append(file, chunk, sum)
    await file.appendFile(sum.digest())
  } finally {
    await file.close()
  }
}

async function append(file: FileHandle, bytes: Uint8Array, sum: Hash): Promise<void> {
  sum.update(bytes)
  await file.appendFile(bytes)
}

/** A file that was found good, and where its entries lie. It stays the same file, whatever takes its name. */
interface Good {
  file: FileHandle
  start: number
  end: number
}

/** Read twice: nothing is handed over before the whole is known to be good. */
async function openGood(path: string, head: Buffer): Promise<Good | string> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'r')
    const end = (await file.stat()).size - SUM_BYTES
    const fault = await faultOf(file, { head, end })
    if (fault === null) return { file, start: head.length, end }
    await file.close()
    return fault
  } catch (cause) {
    await file?.close()
    return (cause as Error).message
  }
}

async function faultOf(
  file: FileHandle,
  { head, end }: { head: Buffer; end: number },
): Promise<string | null> {
  const begins = Buffer.alloc(head.length)
  await file.read(begins, 0, begins.length, 0)
  if (!begins.equals(head)) return 'the file is of another run'
  const expected = Buffer.alloc(SUM_BYTES)
  await file.read(expected, 0, SUM_BYTES, Math.max(0, end))
  const sum = createHash(ALGORITHM)
  for await (const chunk of chunksOf(file, 0, end)) sum.update(chunk)
  return sum.digest().equals(expected) ? null : 'the file is damaged'
}

async function handOver(
  { file, start, end }: Good,
  take: (entries: Uint8Array) => number,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunksOf(file, start, end)) {
    const joined = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    rest = joined.subarray(take(joined))
  }
  if (rest.length > 0) throw new Error('remembered hashes end within an entry')
}

async function* chunksOf(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - at))
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
    if (bytesRead === 0) throw new Error('remembered hashes became shorter')
    at += bytesRead
    yield chunk.subarray(0, bytesRead)
  }
}
