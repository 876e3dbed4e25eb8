import { createHash, type Hash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
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
   * Hands the entries over, chunk by chunk, to `take`, which says how many bytes of a chunk it took. False, and nothing
   * handed over, when there is no good file.
   */
  recall(leaving: Leaving, take: (entries: Uint8Array) => number): Promise<boolean>
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
      const head = headOf(leaving)
      const end = await endOfEntries(path, head)
      if (end === null) return false
      // Read twice: nothing is handed over before the whole is known to be good.
      let rest: Buffer = Buffer.alloc(0)
      for await (const chunk of chunksOf(path, head.length, end)) {
        const joined = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
        rest = joined.subarray(take(joined))
      }
      if (rest.length > 0) throw new Error(`${path} ends within an entry`)
      return true
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

async function append(
  file: Awaited<ReturnType<typeof open>>,
  bytes: Uint8Array,
  sum: Hash,
): Promise<void> {
  sum.update(bytes)
  await file.appendFile(bytes)
}

/** Where the entries end and their checksum begins; null when this is no file, or not the one that is meant. */
async function endOfEntries(path: string, head: Buffer): Promise<number | null> {
  const file = await openIfThere(path)
  if (!file) return null
  try {
    const { size } = await file.stat()
    const end = size - SUM_BYTES
    if (end < head.length) return null
    const begins = Buffer.alloc(head.length)
    await file.read(begins, 0, begins.length, 0)
    if (!begins.equals(head)) return null
    const expected = Buffer.alloc(SUM_BYTES)
    await file.read(expected, 0, SUM_BYTES, end)
    const sum = createHash(ALGORITHM)
    await pipeline(chunksOf(path, 0, end), sum)
    return sum.digest().equals(expected) ? end : null
  } finally {
    await file.close()
  }
}

function chunksOf(path: string, start: number, end: number): AsyncIterable<Buffer> {
  // The stream's own end is the last byte that it reads.
  return createReadStream(path, { start, end: end - 1, highWaterMark: CHUNK_BYTES })
}

async function openIfThere(path: string) {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
