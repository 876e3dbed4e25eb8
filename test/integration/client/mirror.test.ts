import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openClient } from '../../../client/client.ts'
import type { Copy } from '../../../client/copy.ts'
import { RegistryReplaced } from '../../../client/feed.ts'
import { openMirror } from '../../../client/mirror.ts'
import { openNdjsonCopy } from '../../../client/ndjson-copy.ts'
import { openSqliteCopy } from '../../../client/sqlite-copy.ts'
import { openTestRegistry, type TestRegistry } from '../../support/loading.ts'
import { EDITS, edited, newRegister, type Register } from '../../support/published.ts'
import { type Random, seededRandom } from '../../support/random.ts'
import { registerDefinition, writeRegister } from '../../support/register.ts'
import { type Service, serveRegistry } from '../../support/service.ts'

const ROOT = join(import.meta.dirname, '../../..')
const TERRITORIES = ['ES-MD', 'ES-CT']

let folder: string
let registry: TestRegistry
let service: Service
let key: string
let loads = 0
const random: Random = seededRandom(42)
const registers = new Map<string, Register>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pharmacy-registry-mirror-'))
  registry = await openTestRegistry()
  for (const territory of TERRITORIES) {
    registers.set(territory, newRegister(random, 300))
    await load(territory)
  }
  service = await serveRegistry(registry.db, { isFresh: true })
  key = await service.key()
})
afterAll(async () => {
  await service.close()
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
})

/** One more load of a territory, with some edits since the last. */
async function load(territory: string, edits = 12): Promise<void> {
  loads += 1
  let register = registers.get(territory) as Register
  for (let n = 0; n < edits; n++) register = edited(random, register, random.pick(EDITS))
  registers.set(territory, register)
  const file = writeRegister(folder, `${territory}-${loads}`, register.rows.values())
  const observedAt = new Date(Date.parse('2026-01-01T06:00:00Z') + loads * 60_000).toISOString()
  const definition = registerDefinition(folder, { territory })
  const [run] = await registry.load({ definition, file, observedAt, force: true })
  expect(run?.status).toMatch(/committed|unchanged/)
}

const exported = async (territory: string) =>
  (await service.get(`/v1/farmacias/export/${territory}/json`)).body.items

const byId = (records: Iterable<{ external_id: string }>) =>
  [...records].sort((a, b) =>
    Buffer.compare(Buffer.from(a.external_id), Buffer.from(b.external_id)),
  )

async function expectEqual(copy: Copy): Promise<void> {
  for (const territory of TERRITORIES) {
    expect(byId(copy.records(territory))).toEqual(await exported(territory))
  }
}

function mirrorProcess(out: string): ChildProcess {
  return spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(ROOT, 'src/cli.ts'),
      ...['mirror', '--url', service.url, '--key', key, '--out', out, '--follow', '--json'],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH ?? '' } },
  )
}

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => child.once('exit', () => resolve()))

/** Starts a mirror over and over, and kills each: before it has begun, while it copies, or after it has caught up. */
async function killedRepeatedly(out: string, times: number): Promise<void> {
  for (let kills = 0; kills < times; kills++) {
    const child = mirrorProcess(out)
    const gone = ended(child)
    // Starting takes about a second.
    await new Promise((resolve) => setTimeout(resolve, 300 + random.integer(2500)))
    child.kill('SIGKILL')
    await gone
  }
}

describe.each([
  ['sqlite', openSqliteCopy],
  ['ndjson', openNdjsonCopy],
])('a copy in a %s file', (extension, open) => {
  it('begins with the exports, follows the changes, and is equal by digest', async () => {
    const file = join(folder, `plain.${extension}`)
    const copy = open(file)
    const mirror = openMirror(openClient({ url: service.url, key }), copy)
    await mirror.catchUp()
    await expectEqual(copy)
    await load('ES-MD')
    await load('ES-CT')
    await mirror.catchUp()
    await expectEqual(copy)
    const verified = await mirror.verify()
    expect(verified.map(({ territory_code, isEqual }) => [territory_code, isEqual])).toEqual(
      [...TERRITORIES].sort().map((territory) => [territory, true]),
    )
    copy.close()
    const again = open(file)
    await expectEqual(again)
    again.close()
  })

  it('waits for changes, and applies what comes', async () => {
    const copy = open(join(folder, `plain.${extension}`))
    const mirror = openMirror(openClient({ url: service.url, key }), copy)
    await mirror.catchUp()
    const following = mirror.follow(30)
    await load('ES-MD', 20)
    expect(await following).toBeGreaterThan(0)
    await mirror.catchUp()
    await expectEqual(copy)
    copy.close()
  })

  it('what came apart is found by its digest and taken over anew', async () => {
    const copy = open(join(folder, `apart.${extension}`))
    const mirror = openMirror(openClient({ url: service.url, key }), copy)
    await mirror.catchUp()
    const [record] = copy.records('ES-CT')
    if (!record) throw new Error('nothing was taken over')
    const { cursor } = copy.position()
    copy.apply(
      [
        {
          id: Number.MAX_SAFE_INTEGER,
          run_id: 'x',
          territory_code: 'ES-CT',
          operation: 'upsert',
          external_id: record.external_id,
          payload: { ...record, city: 'Otra' },
          changed_at: record.observed_at,
        },
      ],
      cursor ?? 0,
    )
    const verified = await mirror.verify()
    expect(verified.map(({ isEqual }) => isEqual)).toEqual([false, true])
    await expectEqual(copy)
    expect((await mirror.verify()).every(({ isEqual }) => isEqual)).toBe(true)
    copy.close()
  })
})

it('a registry with fewer changes than the copy is another one', async () => {
  const copy = openSqliteCopy(join(folder, 'other.sqlite'))
  copy.apply([], 1_000_000)
  const mirror = openMirror(openClient({ url: service.url, key }), copy, { territories: [] })
  await expect(mirror.catchUp()).rejects.toThrow(RegistryReplaced)
  copy.close()
})

describe('mirror, the command', () => {
  it('killed 20 times each while 50 loads run, copies of both kinds end equal to the export', async () => {
    const files = ['sqlite', 'ndjson'].map((extension) => join(folder, `killed.${extension}`))
    const killing = Promise.all(files.map((out) => killedRepeatedly(out, 20)))
    for (let n = 0; n < 50; n++) await load(random.pick(TERRITORIES))
    await killing
    for (const out of files) {
      const copy = out.endsWith('sqlite') ? openSqliteCopy(out) : openNdjsonCopy(out)
      const mirror = openMirror(openClient({ url: service.url, key }), copy)
      await mirror.catchUp()
      await expectEqual(copy)
      expect((await mirror.verify()).map(({ isEqual }) => isEqual)).toEqual([true, true])
      copy.close()
    }
  }, 400_000)

  it('ends by itself without --follow, and tells count and digest of each territory', async () => {
    const out = join(folder, 'once.sqlite')
    const child = spawn(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      join(ROOT, 'src/cli.ts'),
      ...['mirror', '--url', service.url, '--key', key, '--out', out, '--territories', 'ES-MD'],
    ])
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    const { body } = await service.get('/v1/farmacias/territories/ES-MD/digest')
    expect([code, text]).toEqual([0, `ES-MD  ${body.count} records  ${body.digest}  equal\n`])
    const db = new DatabaseSync(out, { readOnly: true })
    expect(db.prepare('SELECT count(*) AS n FROM pharmacies').get()).toEqual({ n: body.count })
    db.close()
  })

  it.each([
    [['--key', 'x', '--out', 'x'], '--url is needed'],
    [['--url', 'http://127.0.0.1:1', '--out', 'x'], '--key or --key-file is needed'],
    [['--url', 'http://127.0.0.1:1', '--key', 'x'], '--out is needed'],
  ])('%j is refused in one line', async (args, message) => {
    const child = spawn(process.execPath, [join(ROOT, 'src/cli.ts'), 'mirror', ...args])
    let text = ''
    child.stderr.on('data', (chunk) => {
      text += chunk
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect([code, text.includes(message)]).toEqual([1, true])
  })

  it('a wrong key is told in one line', async () => {
    const child = spawn(process.execPath, [
      join(ROOT, 'src/cli.ts'),
      ...['mirror', '--url', service.url, '--key', 'wrong', '--out', join(folder, 'wrong.sqlite')],
    ])
    let text = ''
    child.stderr.on('data', (chunk) => {
      text += chunk
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect([code, /mirror: unauthorized: /.test(text)]).toEqual([1, true])
  })

  it('an NDJSON copy is one record a line with its position beside it', () => {
    const lines = readFileSync(join(folder, 'plain.ndjson'), 'utf8').trimEnd().split('\n')
    expect(Object.keys(JSON.parse(lines[0] as string)).length).toBe(18)
    const position = JSON.parse(
      readFileSync(join(folder, 'plain.ndjson.position.json'), 'utf8'),
    ) as { cursor: number; territories: Record<string, number> }
    expect(Object.keys(position.territories).sort()).toEqual(['ES-CT', 'ES-MD'])
  })
})
