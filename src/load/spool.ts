import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Pharmacy } from '../domain/pharmacy.ts'
import { searchFields } from '../store/documents.ts'

/** A record that is new or has other content than before, as it waits on disk for the diff. */
export interface Spooled {
  external_id: string
  hash: string
  /** the record as JSON text; it is written to the store as it stands, and parsed only where it is compared */
  record: string
  /** the inside of the JSON object of its search fields */
  searchFields: string
  active: boolean
}

export interface Spool {
  add(record: Pharmacy, hash: string): Promise<void> | undefined
  /** ends writing; then the spool may be read any number of times */
  end(): Promise<void>
  read(): AsyncGenerator<Spooled[]>
  remove(): Promise<void>
}

const FLUSH_CHARS = 1 << 18
const READ_BYTES = 1 << 18

/**
 * A file of records between the pass over the rows and the diff, so that a load of any size needs little
 * memory. One line per record, fields separated by tabs: JSON escapes tabs, ids cannot hold them.
 */
export function openSpool(path: string): Spool {
  const out = createWriteStream(path)
  let failure: Error | null = null
  out.on('error', (error) => {
    failure = error
  })
  let lines: string[] = []
  let chars = 0

  const flush = async () => {
    const text = lines.join('')
    lines = []
    chars = 0
    if (failure) throw failure
    if (text && !out.write(text)) await once(out, 'drain')
  }

  return {
    add(record, hash) {
      const fields = JSON.stringify(searchFields(record)).slice(1, -1)
      const line = `${hash}\t${record.external_id}\t${JSON.stringify(record)}\t${fields}\t${record.is_active ? '1' : '0'}\n`
      lines.push(line)
      chars += line.length
      return chars >= FLUSH_CHARS ? flush() : undefined
    },
    async end() {
      await flush()
      out.end()
      await once(out, 'close')
      if (failure) throw failure
    },
    read: () => readSpool(path),
    async remove() {
      out.destroy()
      await rm(path, { force: true })
    },
  }
}

async function* readSpool(path: string): AsyncGenerator<Spooled[]> {
  let rest = ''
  for await (const chunk of createReadStream(path, {
    encoding: 'utf8',
    highWaterMark: READ_BYTES,
  })) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines.map(parseLine)
  }
}

function parseLine(line: string): Spooled {
  const [hash, external_id, record, fields, active] = line.split('\t') as [
    string,
    string,
    string,
    string,
    string,
  ]
  return { hash, external_id, record, searchFields: fields, active: active === '1' }
}
