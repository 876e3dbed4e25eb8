import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import type { SourceDefinition } from '../../../src/domain/definition.ts'
import { LoadFailure } from '../../../src/domain/problem.ts'
import type { Row } from '../../../src/domain/row.ts'
import { type Download, type DownloadOptions, download } from '../../../src/sources/download.ts'
import { openRows } from '../../../src/sources/rows.ts'
import { type HttpScript, type Stub, startStub } from '../../support/stub-server.ts'

type Overrides = Partial<Pick<SourceDefinition, 'map' | 'parse' | 'fetch'>> & {
  decode?: Partial<SourceDefinition['decode']>
  file?: string
}

/** A sound definition of a register in ES-ZZ; tests name only what matters to them. */
export function aDefinition({ fetch, decode, parse, map, file }: Overrides = {}): SourceDefinition {
  return {
    slug: 'es-zz-inventado',
    territory: 'ES-ZZ',
    official: { name: 'Registro inventado', url: 'https://registro.example/' },
    schedule: '0 5 * * *',
    fetch: fetch ?? { kind: 'file', path: 'datos.csv' },
    decode: { encoding: 'utf-8', ...decode },
    parse: parse ?? { format: 'csv', delimiter: ';' },
    map: map ?? {
      external_id: { from: 'id' },
      name: { from: 'nombre' },
      is_active: { const: true },
    },
    coordinates: null,
    version: 1,
    file: file ?? '/nowhere/sources/es-zz.yaml',
  }
}

/** A folder that goes when the test does. */
export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pharmacy-registry-sources-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function aFile(content: string | Buffer, name = 'datos'): Promise<string> {
  const path = join(await aFolder(), name)
  await writeFile(path, content)
  return path
}

/** A stub that answers these routes, in one step unless `steps` are given. */
export async function aStub(
  script: HttpScript | HttpScript['steps'][number]['routes'],
  folder = '.',
): Promise<Stub> {
  const stub = await startStub(Array.isArray(script) ? { steps: [{ routes: script }] } : script, {
    folder,
  })
  onTestFinished(() => stub.close())
  return stub
}

/** Downloads without pauses between attempts. */
export async function fetched(
  definition: SourceDefinition,
  options: Partial<DownloadOptions> = {},
): Promise<Download> {
  return download(definition, { dir: await aFolder(), retryBaseMs: 1, ...options })
}

export interface Table {
  header: readonly string[] | null
  rows: readonly Row[]
}

/** All that a file holds, read twice, since a file may be read again. */
export async function readAll(definition: SourceDefinition, file: string): Promise<Table> {
  const reader = await openRows(definition, file)
  const read = async () => {
    const rows: Row[] = []
    for await (const batch of reader.batches) rows.push(...batch)
    return rows
  }
  const [first, second] = [await read(), await read()]
  if (JSON.stringify(first) !== JSON.stringify(second))
    throw new Error('the second reading differs')
  return { header: reader.layout.header, rows: first }
}

export async function readText(
  content: string | Buffer,
  overrides: Overrides = {},
): Promise<Table> {
  return readAll(aDefinition(overrides), await aFile(content))
}

/** The reason code with which a load fails; `none` when it does not. */
export async function failure(work: Promise<unknown>): Promise<string> {
  const outcome = await work.then(
    () => 'none',
    (error: unknown) => error,
  )
  if (outcome instanceof LoadFailure) return outcome.code
  if (outcome instanceof Error) throw outcome
  return String(outcome)
}

/** The text with which a load fails. */
export async function failureText(work: Promise<unknown>): Promise<string> {
  const outcome = await work.then(
    () => 'none',
    (error: unknown) => error,
  )
  return outcome instanceof LoadFailure ? `${outcome.code}: ${outcome.message}` : String(outcome)
}

export async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, content)
  }
}

/** A zip archive of these entries. */
export function aZip(entries: Record<string, string | Buffer>): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(entries)) {
    const plain = typeof content === 'string' ? Buffer.from(content) : content
    const packed = deflateRawSync(plain)
    // version, flags, method 8 (deflate), time, date, check sum, sizes, length of the name, no extra field
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x800, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(plain), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(plain.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(
      Buffer.from('PK\u0001\u0002'),
      Buffer.from([20, 0]),
      common,
      rest,
      Buffer.from(name),
    )
    locals.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  const count = Object.keys(entries).length
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, central, Buffer.from('PK\u0005\u0006'), end])
}
