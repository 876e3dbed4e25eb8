import { join } from 'node:path'
import type { Logger } from 'pino'
import { compressed, SUFFIXES } from './compressed.ts'
import type { ContentCoding } from './encoding.ts'
import type { TellLength } from './endpoint.ts'
import { DiskFault, giveBack, openIfThere, removeOldFiles, wholeFile } from './export-folder.ts'
import {
  begin,
  type ChunksOf,
  type ExportFile,
  follow,
  giveUp,
  type Making,
  openPart,
} from './export-making.ts'
import { describeFault } from './request-log.ts'

/** A body that follows from a committed state and from nothing else. */
export interface ExportSource {
  /** what is exported: territory, form and options */
  body: string
  /** the state it shows; bodies of other states are no longer wanted once this one is there */
  state: string
  /**
   * Makes the body; the signal comes when nobody reads it any more. A chunk must have been passed on when the next is asked
   * for: its memory is used again.
   */
  produce: (signal: AbortSignal) => AsyncIterable<Uint8Array>
}

type Bytes = AsyncGenerator<Uint8Array>

/** Finished exports on disk: each is made once and compressed once, however many ask and however slowly they read. */
export interface ExportFiles {
  /**
   * The bytes of an export in a coding, read at the caller's pace, from the first on while the rest is still being
   * made. Fails as the making fails. How many there are is told of a finished file.
   */
  read(source: ExportSource, coding: ContentCoding | null, tell?: TellLength): Bytes
  /** to be called with chunks that are not read any more, by who wants their memory used again */
  giveBack(chunk: Uint8Array): void
  /** stops what is being made */
  close(): Promise<void>
}

export interface ExportFilesOptions {
  /** may be shared by any number of processes; none: every export is made anew for every caller */
  folder: string | undefined
  maxBytes: number
  log: Logger
}

/** After the disk refused something, exports are made without it for a while. */
const WITHOUT_DISK_MS = 60_000

export function openExportFiles({ folder, maxBytes, log }: ExportFilesOptions): ExportFiles {
  if (folder === undefined) return { read: unfiled, giveBack, close: async () => undefined }
  let usableFrom = 0
  const goWithout = (cause: unknown) => {
    usableFrom = performance.now() + WITHOUT_DISK_MS
    log.warn({ fault: describeFault(cause), folder }, 'exports are not kept for a minute')
  }
  const makings = openMakings({ folder, maxBytes, goWithout })

  async function* read(
    source: ExportSource,
    coding: ContentCoding | null,
    tell: TellLength = () => undefined,
  ): Bytes {
    if (performance.now() < usableFrom) {
      yield* unfiled(source, coding)
      return
    }
    const name = `${source.body}.${source.state}${SUFFIXES[coding ?? 'identity']}`
    const file = { name, path: join(folder as string, name), source }
    const chunksOf: ChunksOf = (signal) =>
      coding ? compressed(givenBack(read(source, null)), coding) : source.produce(signal)
    yield* (await filed(file, chunksOf, tell)) ?? unfiled(source, coding)
  }

  /** Null when the disk refuses. */
  async function filed(
    file: ExportFile,
    chunksOf: ChunksOf,
    tell: TellLength,
  ): Promise<Bytes | null> {
    try {
      // Once more when the file got its last name between the look for that and the look for the unfinished one.
      let chunks: Bytes | null = null
      while (!chunks) chunks = (await finished(file, tell)) ?? (await makings.join(file, chunksOf))
      return chunks
    } catch (cause) {
      if (!(cause instanceof DiskFault)) throw cause
      goWithout(cause)
      return null
    }
  }

  return { read, giveBack, close: makings.close }
}

async function finished({ path }: ExportFile, tell: TellLength): Promise<Bytes | null> {
  const file = await openIfThere(path)
  return file && wholeFile(file, path, tell)
}

/** What is being made in this process, by name. */
function openMakings({
  folder,
  maxBytes,
  goWithout,
}: {
  folder: string
  maxBytes: number
  goWithout: (cause: unknown) => void
}) {
  const making = new Map<string, Making>()
  const working = new Set<Promise<void>>()

  const forget = (name: string, one: Making) => {
    if (making.get(name) === one) making.delete(name)
  }

  const start = (file: ExportFile, chunksOf: ChunksOf): Making => {
    const { one, made } = begin(file, chunksOf)
    making.set(file.name, one)
    const work = made
      .then(() => removeOldFiles(folder, { ...file.source, maxBytes }))
      // What is no fault of the disk is told to the readers, who wait for it.
      .catch((cause: unknown) => (cause instanceof DiskFault ? goWithout(cause) : undefined))
      .finally(() => {
        forget(file.name, one)
        working.delete(work)
      })
    working.add(work)
    return one
  }

  return {
    /** As one more reader of it, begun where it is not yet; null when it is finished and named already. */
    async join(file: ExportFile, chunksOf: ChunksOf): Promise<Bytes | null> {
      const one = making.get(file.name) ?? start(file, chunksOf)
      one.readers += 1
      const leave = () => {
        one.readers -= 1
        if (one.readers > 0 || one.outcome !== null) return
        forget(file.name, one)
        giveUp(one)
      }
      try {
        const part = await openPart(one)
        if (part) return follow(one, part, leave)
      } catch (cause) {
        leave()
        throw cause
      }
      leave()
      return null
    },

    async close() {
      for (const one of making.values()) giveUp(one)
      await Promise.all(working)
    },
  }
}

async function* unfiled(source: ExportSource, coding: ContentCoding | null): Bytes {
  const stop = new AbortController()
  try {
    const chunks = copiesOf(source.produce(stop.signal))
    yield* coding ? compressed(chunks, coding) : chunks
  } finally {
    stop.abort()
  }
}

/** Pieces of a file for one who has read each when the next is asked for. */
async function* givenBack(pieces: Bytes): Bytes {
  for await (const piece of pieces) {
    yield piece
    giveBack(piece)
  }
}

/** A caller sends a chunk while it asks for the next. */
async function* copiesOf(chunks: AsyncIterable<Uint8Array>): Bytes {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}
