import { type FileHandle, open, rm } from 'node:fs/promises'
import { createByteWriter } from '../domain/byte-writer.ts'
import type { Pharmacy } from '../domain/pharmacy.ts'
import { searchFieldsJson } from '../store/documents.ts'

/** A record that may be new content, as it waits on disk until all rows are known. */
export interface Spooled {
  external_id: string
  hash: string
  /** the record as JSON in UTF-8; it is written to the store as it stands, and read only where it is compared */
  record: Uint8Array
  /** the inside of the JSON object of its search fields */
  searchFields: Uint8Array
  active: boolean
}

export interface Spool {
  /** a promise only when the spool wants to be waited for */
  add(record: Pharmacy, hash: string): Promise<void> | undefined
  /** ends writing; then the spool may be read any number of times */
  end(): Promise<void>
  read(): AsyncGenerator<Spooled[]>
  remove(): Promise<void>
}

/** What a load holds in memory of its spool, when it writes and for each batch it reads. */
const BUFFER_BYTES = 1 << 18
const TAB = 0x09
const LINE_END = 0x0a

/**
 * A file of records between the pass over the rows and the diff, so that a load of any size needs little
 * memory. One line per record, fields separated by tabs: JSON escapes tabs, ids cannot hold them.
 */
export function openSpool(path: string): Spool {
  let file: FileHandle | null = null
  const lines = createByteWriter(BUFFER_BYTES)

  const flush = async () => {
    file ??= await open(path, 'w')
    await file.writeFile(lines.bytes())
    lines.clear()
  }

  return {
    add(record, hash) {
      lines.write(lineOf(record, hash))
      return lines.length >= BUFFER_BYTES / 2 ? flush() : undefined
    },
    async end() {
      await flush()
      await file?.close()
      file = null
    },
    read: () => readSpool(path),
    async remove() {
      await file?.close()
      await rm(path, { force: true })
    },
  }
}

function lineOf(record: Pharmacy, hash: string): string {
  const active = record.is_active ? '1' : '0'
  return `${hash}\t${active}\t${record.external_id}\t${JSON.stringify(record)}\t${searchFieldsJson(record)}\n`
}

/** The record of a spooled line. */
export function recordIn({ record }: Pick<Spooled, 'record'>): Pharmacy {
  return JSON.parse(Buffer.from(record.buffer, record.byteOffset, record.length).toString())
}

/** Batches of lines; each stands in a piece of memory of its own, which lives as long as one of its lines does. */
async function* readSpool(path: string): AsyncGenerator<Spooled[]> {
  const file = await open(path, 'r')
  try {
    let rest: Buffer = Buffer.alloc(0)
    for (;;) {
      const buffer = Buffer.allocUnsafe(rest.length + BUFFER_BYTES)
      rest.copy(buffer)
      const { bytesRead } = await file.read(buffer, rest.length, BUFFER_BYTES)
      if (bytesRead === 0) return
      const filled = buffer.subarray(0, rest.length + bytesRead)
      const end = filled.lastIndexOf(LINE_END) + 1
      rest = filled.subarray(end)
      if (end > 0) yield linesOf(filled.subarray(0, end))
    }
  } finally {
    await file.close()
  }
}

function linesOf(bytes: Buffer): Spooled[] {
  const lines: Spooled[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, at)
    lines.push(parseLine(bytes.subarray(at, end)))
    at = end + 1
  }
  return lines
}

function parseLine(line: Buffer): Spooled {
  const afterHash = line.indexOf(TAB)
  const afterActive = line.indexOf(TAB, afterHash + 1)
  const afterId = line.indexOf(TAB, afterActive + 1)
  const afterRecord = line.indexOf(TAB, afterId + 1)
  return {
    hash: line.toString('latin1', 0, afterHash),
    active: line[afterHash + 1] === 0x31,
    external_id: line.toString('utf8', afterActive + 1, afterId),
    record: line.subarray(afterId + 1, afterRecord),
    searchFields: line.subarray(afterRecord + 1),
  }
}
