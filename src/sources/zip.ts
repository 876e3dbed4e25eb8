import { crc32 } from 'node:zlib'
import yauzl from 'yauzl'
import { nearest } from '../domain/nearest.ts'
import { LoadFailure } from '../domain/problem.ts'

/** A zip archive, opened through its directory, so that a cut one is noticed before anything is read. */
export interface Zip {
  readonly names: readonly string[]
  has(name: string): boolean
  /** The bytes of one entry, checked against its length and check sum. */
  read(name: string): AsyncGenerator<Buffer>
  close(): void
}

export async function openZip(file: string): Promise<Zip> {
  const archive = await open(file)
  const entries = await directory(archive)
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    read: (name) => readEntry(archive, entries, name),
    close: () => archive.close(),
  }
}

function open(file: string): Promise<yauzl.ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.open(file, { lazyEntries: true, autoClose: false }, (error, archive) => {
      if (error || !archive) reject(cut(error))
      else resolve(archive)
    })
  })
}

function directory(archive: yauzl.ZipFile): Promise<Map<string, yauzl.Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, yauzl.Entry>()
    archive.on('entry', (entry: yauzl.Entry) => {
      if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
      archive.readEntry()
    })
    archive.on('end', () => resolve(entries))
    archive.on('error', (error) => {
      archive.close()
      reject(cut(error))
    })
    archive.readEntry()
  })
}

async function* readEntry(
  archive: yauzl.ZipFile,
  entries: ReadonlyMap<string, yauzl.Entry>,
  name: string,
): AsyncGenerator<Buffer> {
  const entry = entries.get(name)
  if (!entry) throw new LoadFailure('unexpected_content', missingEntry(name, [...entries.keys()]))
  if (entry.isEncrypted()) {
    throw new LoadFailure(
      'unexpected_content',
      `The entry ${name} of the zip archive is encrypted.`,
    )
  }
  let sum = 0
  try {
    const stream = await openEntry(archive, entry)
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum)
      yield chunk
    }
  } catch (error) {
    throw cut(error)
  }
  if (sum !== entry.crc32) {
    throw new LoadFailure('truncated_body', `The entry ${name} of the zip archive is damaged.`)
  }
}

function openEntry(archive: yauzl.ZipFile, entry: yauzl.Entry): Promise<NodeJS.ReadableStream> {
  return new Promise((resolve, reject) => {
    archive.openReadStream(entry, (error, stream) => {
      if (error || !stream) reject(error)
      else resolve(stream)
    })
  })
}

/** Only archives that begin like one get here, so what cannot be read is a cut or damaged one. */
function cut(error: unknown): LoadFailure {
  const text = error instanceof Error ? error.message : String(error)
  return new LoadFailure('truncated_body', `The zip archive is cut or damaged: ${text}`, error)
}

function missingEntry(name: string, names: readonly string[]): string {
  const meant = nearest(name, names)
  const has = meant ? `did you mean ${meant}?` : `it has ${names.slice(0, 5).join(', ') || 'none'}.`
  return `The zip archive has no entry ${name}; ${has}`
}
