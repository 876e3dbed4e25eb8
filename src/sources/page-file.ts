import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { LoadFailure } from '../domain/problem.ts'

/**
 * How the pages of a paged source are kept as one raw file:
 *
 *     pharmacy-registry-pages 1\n
 *     <length in bytes>\n<the page as received>\n      once per page
 *     end <number of pages>\n
 *
 * The bytes of the pages are untouched, the end line tells a whole file from a cut one, and equal pages give equal
 * files, so that the hash of the file says whether anything changed.
 */
const MAGIC = 'pharmacy-registry-pages 1\n'

/** A span of bytes in a file, both ends inclusive. */
export interface Span {
  start: number
  end: number
}

export interface PageWriter {
  add(file: string, bytes: number): Promise<void>
  end(): Promise<{ sha256: string; bytes: number }>
  /** Closes the file without an end line, after a failure. */
  close(): Promise<void>
}

export async function createPageFile(path: string): Promise<PageWriter> {
  const handle = await open(path, 'w')
  const hash = createHash('sha256')
  let bytes = 0
  let pages = 0
  const write = async (data: Buffer) => {
    hash.update(data)
    bytes += data.length
    await handle.writeFile(data)
  }
  await write(Buffer.from(MAGIC))
  return {
    async add(file, length) {
      await write(Buffer.from(`${length}\n`))
      for await (const chunk of createReadStream(file)) await write(chunk)
      await write(Buffer.from('\n'))
      pages += 1
    },
    async end() {
      await write(Buffer.from(`end ${pages}\n`))
      await handle.close()
      return { sha256: hash.digest('hex'), bytes }
    },
    close: () => handle.close(),
  }
}

/** Where the pages of a raw file lie; null when the file is one document, as it is for sources without pages. */
export async function pagesOf(file: string): Promise<Span[] | null> {
  const handle = await open(file, 'r')
  try {
    const head = await readAt(handle, 0, MAGIC.length)
    if (head !== MAGIC) return null
    return await spans(handle)
  } finally {
    await handle.close()
  }
}

async function spans(handle: FileHandle): Promise<Span[]> {
  const pages: Span[] = []
  let position = MAGIC.length
  for (;;) {
    const [line] = (await readAt(handle, position, 32)).split('\n', 1) as [string]
    if (line === `end ${pages.length}`) return pages
    if (!/^\d+$/.test(line)) {
      throw new LoadFailure('truncated_body', 'The stored pages of this source are cut or damaged.')
    }
    const start = position + line.length + 1
    const length = Number(line)
    pages.push({ start, end: start + length - 1 })
    position = start + length + 1
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  return buffer.toString('latin1', 0, bytesRead)
}
