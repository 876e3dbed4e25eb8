import { type FileHandle, open, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { createBufferPool } from '../domain/buffer-pool.ts'
import type { TellLength } from './endpoint.ts'

/** How a file is called while it is being made. */
export const UNFINISHED = '.part'
const pool = createBufferPool()
/** Pieces in memory that was lent: nothing else is ever given back, and none of them twice. */
const lent = new WeakSet<Uint8Array>()
/** What is shorter than this is not worth half a megabyte; and a compressor must not let it wait (compressed.ts). */
const MIN_LENT_BYTES = 1 << 15
/** What a process has not finished by then, it never will. */
const ABANDONED_AFTER_MS = 3_600_000

/** The disk refused something; anything else that goes wrong with an export comes from the data store. */
export class DiskFault extends Error {
  constructor(cause: unknown) {
    super(`The disk refuses: ${(cause as Error).message}`, { cause })
    this.name = 'DiskFault'
  }
}

export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw new DiskFault(cause)
  }
}

interface Kept {
  name: string
  bytes: number
  usedMs: number
}

/**
 * Removes what is not wanted any more: the same body of other states, what dead processes left unfinished, and, until
 * the rest has room, what was not used for longest. Whoever still reads such a file reads it to its end.
 */
export function removeOldFiles(folder: string, wanted: Wanted): Promise<void> {
  return onDisk(clearUp(folder, wanted))
}

interface Wanted {
  body: string
  state: string
  maxBytes: number
}

async function clearUp(folder: string, wanted: Wanted): Promise<void> {
  const kept: Kept[] = []
  for (const file of await filesIn(folder)) {
    if (isOutdated(file, wanted)) await remove(folder, file)
    else if (!file.name.endsWith(UNFINISHED)) kept.push(file)
  }
  await makeRoom(folder, kept, wanted.maxBytes)
}

function isOutdated({ name, usedMs }: Kept, { body, state }: Wanted): boolean {
  if (name.endsWith(UNFINISHED)) return usedMs < Date.now() - ABANDONED_AFTER_MS
  return name.startsWith(`${body}.`) && !name.startsWith(`${body}.${state}.`)
}

async function makeRoom(folder: string, kept: Kept[], maxBytes: number): Promise<void> {
  let bytes = kept.reduce((sum, file) => sum + file.bytes, 0)
  for (const file of kept.sort((a, b) => a.usedMs - b.usedMs)) {
    if (bytes <= maxBytes) return
    await remove(folder, file)
    bytes -= file.bytes
  }
}

function remove(folder: string, { name }: Kept): Promise<void> {
  return rm(join(folder, name), { force: true })
}

/** Files that another process removes meanwhile are left out. */
async function filesIn(folder: string): Promise<Kept[]> {
  const names = await readdir(folder)
  const files = await Promise.all(
    names.map((name) =>
      unlessMissing(
        stat(join(folder, name)).then(({ size, mtimeMs }) => ({
          name,
          bytes: size,
          usedMs: mtimeMs,
        })),
      ),
    ),
  )
  return files.filter((file) => file !== null)
}

export function openIfThere(path: string): Promise<FileHandle | null> {
  return onDisk(unlessMissing(open(path, 'r')))
}

/**
 * A finished file from its beginning to its end; the handle is closed then, or when the caller stops. `tell` gets its
 * length before the first piece.
 */
export async function* wholeFile(
  file: FileHandle,
  path: string,
  tell: TellLength,
): AsyncGenerator<Uint8Array> {
  try {
    const { size } = await file.stat()
    tell(size)
    // The last use decides what goes first when room is needed.
    const now = new Date()
    await unlessMissing(utimes(path, now, now))
    for (let at = 0; at < size; ) {
      const chunk = await readAt(file, at, size - at)
      at += chunk.length
      yield chunk
    }
  } finally {
    await file.close()
  }
}

/** Some of the `length` bytes that a file has from a place on. Whoever is done with them may give them back. */
export async function readAt(file: FileHandle, at: number, length: number): Promise<Uint8Array> {
  if (length < MIN_LENT_BYTES) return readInto(Buffer.allocUnsafe(length), file, at)
  const memory = pool.lend()
  const piece = await readInto(memory.subarray(0, Math.min(length, memory.length)), file, at)
  if (piece.length >= MIN_LENT_BYTES) lent.add(piece)
  return piece
}

async function readInto(memory: Buffer, file: FileHandle, at: number): Promise<Uint8Array> {
  const { bytesRead } = await file.read(memory, 0, memory.length, at)
  if (bytesRead === 0) throw new Error(`A finished part of an export ends at byte ${at}.`)
  return memory.subarray(0, bytesRead)
}

/** A piece that nobody reads any more: the next one may be read into its memory. Nothing happens with what is no piece. */
export function giveBack(piece: Uint8Array): void {
  if (lent.delete(piece)) pool.giveBack(Buffer.from(piece.buffer))
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (cause) {
    if ((cause as { code?: unknown } | null)?.code === 'ENOENT') return null
    throw cause
  }
}
