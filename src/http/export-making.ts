import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { onDisk, openIfThere, readAt, UNFINISHED } from './export-folder.ts'

export interface ExportFile {
  name: string
  path: string
  source: { body: string; state: string }
}

/** Makes the bytes of a file: a chunk must be written when the next is asked for. The signal comes when nobody wants them. */
export type ChunksOf = (signal: AbortSignal) => AsyncIterable<Uint8Array>

/** One file while it is being made, and read by those who could not wait for its end. */
export interface Making {
  part: string
  /** settles once the file can be opened */
  opened: Promise<FileHandle>
  written: number
  /** null while it goes on; then how it ended */
  outcome: { failure: unknown } | 'done' | null
  readers: number
  stop: AbortController
  /** settles whenever more was written, or it ended */
  more: PromiseWithResolvers<void>
}

/** Begins to make a file; `made` settles when it has its name, or was given up. */
export function begin(
  { path }: ExportFile,
  chunksOf: ChunksOf,
): { one: Making; made: Promise<void> } {
  const part = `${path}.${randomUUID()}${UNFINISHED}`
  const folder = dirname(path)
  const one: Making = {
    part,
    opened: onDisk(mkdir(folder, { recursive: true }).then(() => open(part, 'wx'))),
    written: 0,
    outcome: null,
    readers: 0,
    stop: new AbortController(),
    more: Promise.withResolvers(),
  }
  const made = make(one, chunksOf, path).catch((failure: unknown) => {
    end(one, { failure })
    throw failure
  })
  return { one, made }
}

export function giveUp(one: Making): void {
  one.stop.abort(new DOMException('Nobody reads this export any more.', 'AbortError'))
}

/** Writes the file, and gives it its name once all of it is on the disk; of a failure nothing is left. */
async function make(one: Making, chunksOf: ChunksOf, path: string): Promise<void> {
  const file = await one.opened
  const { signal } = one.stop
  try {
    for await (const chunk of chunksOf(signal)) {
      signal.throwIfAborted()
      await onDisk(file.writeFile(chunk))
      one.written += chunk.length
      wake(one)
    }
    signal.throwIfAborted()
    end(one, 'done')
    // After a power cut a short file would pass for the export.
    await onDisk(file.sync().then(() => rename(one.part, path)))
  } catch (cause) {
    await rm(one.part, { force: true })
    throw cause
  } finally {
    await file.close()
  }
}

function end(one: Making, outcome: NonNullable<Making['outcome']>): void {
  // What was made to its end stays good for its readers, even when the file could not be kept.
  one.outcome ??= outcome
  wake(one)
}

function wake(one: Making): void {
  const { more } = one
  one.more = Promise.withResolvers()
  more.resolve()
}

/** A handle of its own for each reader; null when the file has its last name already. */
export async function openPart(one: Making): Promise<FileHandle | null> {
  await one.opened
  const part = await openIfThere(one.part)
  if (!part && one.outcome !== null && one.outcome !== 'done') throw one.outcome.failure
  return part
}

/** Reads behind the writer, and waits where it has not come yet. */
export async function* follow(
  one: Making,
  file: FileHandle,
  leave: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    for (let at = 0; ; ) {
      const { more, outcome, written } = one
      if (at < written) {
        const chunk = await readAt(file, at, written - at)
        at += chunk.length
        yield chunk
      } else if (outcome === null) await more.promise
      else if (outcome === 'done') return
      else throw outcome.failure
    }
  } finally {
    leave()
    await file.close()
  }
}
