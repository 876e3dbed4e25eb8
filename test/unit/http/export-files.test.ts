import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ExportSource, openExportFiles } from '../../../src/http/export-files.ts'
import { buildLog } from '../../../src/log.ts'

const log = buildLog({ level: 'silent' })
const TEXT = Array.from({ length: 40 }, (_, at) => `${at}`.padStart(20_000, 'ñ'))
const WHOLE = TEXT.join('')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'export-files-'))
})
afterEach(() => rm(folder, { recursive: true }))

const open = (more: { folder?: string; maxBytes?: number } = {}) =>
  openExportFiles({ folder, maxBytes: 1e9, log, ...more })

/** A source that counts how often it is made, and goes on only when it is let. */
function sourceOf({ body = 'ES-MD.csv', state = 'one', chunks = TEXT, fails = false } = {}) {
  const made = { times: 0, stopped: 0, produced: 0 }
  const gate = Promise.withResolvers<void>()
  const source: ExportSource = {
    body,
    state,
    async *produce(signal) {
      made.times += 1
      signal.addEventListener('abort', () => {
        made.stopped += 1
      })
      for (const [at, chunk] of chunks.entries()) {
        if (at === 1) await gate.promise
        signal.throwIfAborted()
        made.produced += 1
        const bytes = Buffer.from(chunk)
        yield bytes
        // As its memory is used again.
        bytes.fill(0)
        if (fails && at === 2) throw new Error('the store went away')
      }
    },
  }
  return { source, made, go: () => gate.resolve() }
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  return (await bytesOf(chunks)).toString()
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}

async function untilFiles(count: number): Promise<string[]> {
  for (;;) {
    const names = await readdir(folder)
    if (names.length === count && names.every((name) => !name.endsWith('.part'))) {
      return names.sort()
    }
    await sleep(5)
  }
}

test('however many ask, and in whatever coding, it is made once and each reads all of it', async () => {
  const files = open()
  const { source, made, go } = sourceOf()
  const readers = [null, null, 'gzip', 'gzip', 'br', null] as const
  const bodies = readers.map((coding) => bytesOf(files.read(source, coding)))
  go()
  const [plain, again, gzip, gzipAgain, br, last] = await Promise.all(bodies)
  expect(made).toEqual({ times: 1, stopped: 0, produced: TEXT.length })
  for (const body of [plain, again, last]) expect(body?.toString()).toBe(WHOLE)
  expect(gunzipSync(gzip as Buffer).toString()).toBe(WHOLE)
  expect(gzipAgain?.equals(gzip as Buffer)).toBe(true)
  expect(brotliDecompressSync(br as Buffer).toString()).toBe(WHOLE)
  expect(await untilFiles(3)).toEqual(['ES-MD.csv.one.br', 'ES-MD.csv.one.gz', 'ES-MD.csv.one.raw'])
  await files.close()
})

test('a finished one is read from the disk, by another process too', async () => {
  const first = open()
  const { source, go } = sourceOf()
  go()
  await textOf(first.read(source, null))
  await untilFiles(1)
  await first.close()
  const other = sourceOf()
  const second = open()
  let told = 0
  const tell = (bytes: number) => {
    told = bytes
  }
  expect(await textOf(second.read(other.source, null, tell))).toBe(WHOLE)
  expect(told).toBe(Buffer.byteLength(WHOLE))
  expect(gunzipSync(await bytesOf(second.read(other.source, 'gzip'))).toString()).toBe(WHOLE)
  await untilFiles(2)
  const packed = await bytesOf(second.read(other.source, 'gzip', tell))
  expect(told).toBe(packed.length)
  expect(other.made.times).toBe(0)
  await second.close()
})

test('memory of chunks is used again once they are given back, and not before', async () => {
  const files = open()
  const { source, go } = sourceOf()
  go()
  await textOf(files.read(source, null))
  await untilFiles(1)
  const kept: Uint8Array[] = []
  for await (const chunk of files.read(source, null)) kept.push(chunk)
  expect(kept.length).toBeGreaterThan(2)

  const memories = new Set<ArrayBufferLike>()
  const copies: Buffer[] = []
  for (let time = 0; time < 3; time += 1) {
    for await (const chunk of files.read(source, null)) {
      copies.push(Buffer.from(chunk))
      // The end of the file is short, and gets memory of its own.
      if (chunk.length > 200_000) memories.add(chunk.buffer)
      files.giveBack(chunk)
      // Once is enough, and what was never lent is left alone.
      files.giveBack(chunk)
      files.giveBack(Buffer.from('nothing of the kind'))
    }
  }
  expect(Buffer.concat(copies).toString()).toBe(WHOLE.repeat(3))
  expect(memories.size).toBeLessThanOrEqual(2)
  expect(kept.some(({ buffer }) => memories.has(buffer))).toBe(false)
  expect(Buffer.concat(kept).toString()).toBe(WHOLE)
  await files.close()
})

test('the first bytes come while the rest is still being made', async () => {
  const files = open()
  const { source, made, go } = sourceOf()
  const reading = files.read(source, null)
  const first = await reading.next()
  expect(Buffer.from(first.value as Uint8Array).toString()).toBe(TEXT[0])
  expect(made.produced).toBe(1)
  go()
  expect(await textOf(reading)).toBe(TEXT.slice(1).join(''))
  await files.close()
})

test('a failure is told to all who read, leaves no file, and the next one makes it anew', async () => {
  const files = open()
  const broken = sourceOf({ fails: true })
  const bodies = [null, 'gzip', null].map((coding) =>
    bytesOf(files.read(broken.source, coding as 'gzip' | null)),
  )
  broken.go()
  for (const outcome of await Promise.allSettled(bodies)) {
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { message: 'the store went away' },
    })
  }
  await untilFiles(0)
  const sound = sourceOf()
  sound.go()
  expect(await textOf(files.read(sound.source, null))).toBe(WHOLE)
  await files.close()
})

test('when the last reader leaves the making stops, and not before', async () => {
  const files = open()
  const { source, made, go } = sourceOf()
  const stays = files.read(source, null)
  const leaves = files.read(source, null)
  await stays.next()
  await leaves.next()
  await leaves.return(undefined)
  expect(made.stopped).toBe(0)
  await stays.return(undefined)
  expect(made.stopped).toBe(1)
  go()
  await untilFiles(0)
  const later = sourceOf()
  later.go()
  expect(await textOf(files.read(later.source, null))).toBe(WHOLE)
  await files.close()
})

test('the same body of an earlier state leaves, other bodies and later readers of it do not', async () => {
  const files = open()
  const old = sourceOf({ state: 'one' })
  const other = sourceOf({ body: 'ES-MD.csv-active', state: 'one' })
  for (const { source, go } of [old, other]) {
    go()
    await textOf(files.read(source, null))
  }
  await untilFiles(2)
  const reader = files.read(old.source, null)
  const first = (await reader.next()).value as Uint8Array
  const fresh = sourceOf({ state: 'two' })
  fresh.go()
  await textOf(files.read(fresh.source, null))
  while ((await readdir(folder)).includes('ES-MD.csv.one.raw')) await sleep(5)
  expect(await untilFiles(2)).toEqual(['ES-MD.csv-active.one.raw', 'ES-MD.csv.two.raw'])
  expect(Buffer.concat([first, await bytesOf(reader)]).toString()).toBe(WHOLE)
  await files.close()
})

test('the folder stays within its bound: what was not used for longest leaves first', async () => {
  const bytes = Buffer.byteLength(WHOLE)
  const files = open({ maxBytes: 2.5 * bytes })
  const [a, b, c] = ['a', 'b', 'c'].map((body) => sourceOf({ body }))
  for (const one of [a, b, c]) one?.go()
  await textOf(files.read((a as Made).source, null))
  await textOf(files.read((b as Made).source, null))
  await untilFiles(2)
  await utimes(join(folder, 'a.one.raw'), 1, 1)
  await utimes(join(folder, 'b.one.raw'), 2, 2)
  await textOf(files.read((a as Made).source, null))
  await textOf(files.read((c as Made).source, null))
  while ((await readdir(folder)).includes('b.one.raw')) await sleep(5)
  expect(await untilFiles(2)).toEqual(['a.one.raw', 'c.one.raw'])
  await files.close()
})
type Made = ReturnType<typeof sourceOf>

test('what dead processes left unfinished goes, what others are making stays', async () => {
  const files = open()
  await writeFile(join(folder, 'x.one.raw.dead.part'), 'half')
  await utimes(join(folder, 'x.one.raw.dead.part'), 1, 1)
  await writeFile(join(folder, 'x.one.raw.alive.part'), 'half')
  const { source, go } = sourceOf()
  go()
  await textOf(files.read(source, null))
  while ((await readdir(folder)).length !== 2) await sleep(5)
  expect((await readdir(folder)).sort()).toEqual(['ES-MD.csv.one.raw', 'x.one.raw.alive.part'])
  await files.close()
})

test.for([
  ['no folder', () => undefined],
  ['a folder that cannot be', () => '/dev/null/exports'],
])('with %s exports are made for each reader', async ([, folderOf]) => {
  const files = openExportFiles({
    folder: (folderOf as () => string | undefined)(),
    maxBytes: 1e9,
    log,
  })
  const { source, made, go } = sourceOf()
  go()
  expect(await textOf(files.read(source, null))).toBe(WHOLE)
  expect(gunzipSync(await bytesOf(files.read(source, 'gzip'))).toString()).toBe(WHOLE)
  expect(made.times).toBe(2)
  await files.close()
})

test('closing stops what is being made', async () => {
  const files = open()
  const { source, go } = sourceOf()
  const reading = files.read(source, null)
  await reading.next()
  const closing = files.close()
  go()
  await closing
  await expect(textOf(reading)).rejects.toThrow('Nobody reads this export any more.')
  expect(await readdir(folder)).toEqual([])
})
