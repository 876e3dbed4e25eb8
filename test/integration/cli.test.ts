import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { keysCommand } from '../../src/cli/keys.ts'
import { loadCommand } from '../../src/cli/load.ts'
import { runsCommand } from '../../src/cli/runs.ts'
import type { ReadyCommand } from '../../src/cli/runtime.ts'
import { loaderCommand, serveCommand } from '../../src/cli/serve.ts'
import { readConfig } from '../../src/config/read-config.ts'
import type { Config } from '../../src/config/settings.ts'
import { OperatorError } from '../../src/domain/problem.ts'
import { noCounts, noEvents, type Run } from '../../src/domain/run.ts'
import { connect } from '../../src/store/client.ts'
import { type Db, openDb } from '../../src/store/db.ts'
import { takeLease } from '../../src/store/lease.ts'
import { type Ended, runCli, startCli } from '../support/cli.ts'
import { aListed, type Listed, registerDefinition, writeRegister } from '../support/register.ts'
import { elasticsearchUrl, testPrefix } from '../support/registry.ts'
import { openWire, type Wire } from '../support/wire.ts'

/** The commands as an operator's scripts call them: processes of their own, exit codes, and what stands on stdout. */

let folder: string
let wire: Wire
let db: Db
let settings: Record<string, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pharmacy-registry-cli-'))
  wire = await openWire(elasticsearchUrl())
  db = openDb(connect({ url: elasticsearchUrl() }), testPrefix())
  settings = {
    ELASTICSEARCH_URL: wire.url,
    INDEX_PREFIX: db.prefix,
    INDEX_REPLICAS: '0',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'fatal',
  }
  for (const territory of ['ES-MD', 'ES-CT']) {
    writeSource(territory)
    register(territory, SOME)
  }
})
afterAll(async () => {
  await db.client.close()
  await wire.close()
  rmSync(folder, { recursive: true, force: true })
})

const SOURCES = 'sources'
const inFolder = (name: string) => join(folder, name)

/** A definition file of the folder of sources, strict about removals, for a register in the same folder. */
function writeSource(
  territory: string,
  more: { version?: number; name?: string; schedule?: string; folder?: string } = {},
): void {
  const to = more.folder ?? inFolder(SOURCES)
  const { file: _file, ...definition } = registerDefinition(to, {
    territory,
    fetch: { kind: 'file', path: `./${territory}.csv` },
    guards: { max_removed_ratio: 0.05, floor: 1 },
    ...(more.version ? { version: more.version } : {}),
    ...(more.schedule ? { schedule: more.schedule } : {}),
  })
  const map = { ...definition.map, ...(more.name ? { name: { template: more.name } } : {}) }
  mkdirSync(to, { recursive: true })
  writeFileSync(join(to, `${territory}.yaml`), stringify({ ...definition, map }))
}

function register(territory: string, rows: readonly Listed[]): string {
  return writeRegister(inFolder(SOURCES), territory, rows)
}

const SOME = Array.from({ length: 10 }, (_, at) => aListed(`P${at}`))
const FEWER = SOME.slice(3)
const MD = 'registro-es-md'

type Prepare = (args: readonly string[], config: Config) => Promise<ReadyCommand>

const cli = (...args: string[]) => runCli(args, settings)
const load = (...args: string[]) => cli('load', '--sources', inFolder(SOURCES), '--json', ...args)

/** Every line of standard output as JSON; fails when one is anything else. */
function jsonOf({ stdout }: Ended): Run[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

describe('--help', { timeout: 180_000 }, () => {
  test('of every command tells its flags, and so does the help of all', async () => {
    const all = await cli('--help')
    expect(all).toMatchObject({ code: 0, stderr: '' })
    const names = [...all.stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name as string)
    const commands = [...new Set(names)].filter((name) => !['settings', 'the'].includes(name))
    expect(commands).toEqual(
      expect.arrayContaining(['serve', 'loader', 'load', 'runs', 'keys', 'verify', 'sources']),
    )
    // Of each kind one: on a registry, offline, and one that goes on until it is stopped.
    const some = ['load', 'sources', 'serve']
    const ended = await inTurns(some, (name) => cli(name, '--help'))
    for (const [at, name] of some.entries()) {
      const { code, stdout, stderr } = ended[at] as Ended
      expect({ code, stderr }, name).toEqual({ code: 0, stderr: '' })
      expect(stdout, name).toMatch(new RegExp(`^${name} `))
      expect(all.stdout.replaceAll(/^ {2}/gm, ''), name).toContain(stdout.trim())
    }
    expect(wire.passed).toEqual([])
  })
})

describe('mistakes: one clear line, exit 1, and nothing is looked for or started', {
  timeout: 180_000,
}, () => {
  const sources = () => inFolder(SOURCES)

  test('of the command, a setting and a flag', async () => {
    const cases: [mistake: string, args: string[], line: RegExp, more?: Record<string, string>][] =
      [
        ['an unknown command', ['lod'], /^Unknown command lod: --help lists the commands\.$/],
        [
          'an unknown setting',
          ['verify'],
          /^ELASTICSEARCH_URI is not a setting; did you mean ELASTICSEARCH_URL\?$/,
          { ELASTICSEARCH_URI: 'x' },
        ],
        ['an unknown flag', ['load', '--sources', sources(), '--forse'], /'--forse'/],
      ]
    const ended = await inTurns(cases, ([, args, , more]) => runCli(args, { ...settings, ...more }))
    for (const [at, [mistake, , line]] of cases.entries()) {
      const { code, stdout, stderr } = ended[at] as Ended
      expect({ code, stdout }, `${mistake}: ${stderr}`).toEqual({ code: 1, stdout: '' })
      expect(stderr.trimEnd(), mistake).toMatch(line)
      expect(stderr.trimEnd().split('\n'), mistake).toHaveLength(1)
    }
    expect(wire.passed).toEqual([])
  })

  // What a command checks before it is given a registry; the words of a refusal are what the test above sees printed.
  test.each<[mistake: string, prepare: Prepare, args: () => string[], line: RegExp]>([
    ['no sources', loadCommand, () => [], /--sources DIR is needed/],
    [
      'an unknown source',
      loadCommand,
      () => ['--sources', sources(), '--source', 'nope'],
      /^--source nope: the folder has registro-es-ct, registro-es-md\.$/,
    ],
    [
      'a file for two sources',
      loadCommand,
      () => ['--sources', sources(), '--file', 'x.csv'],
      /^--file replaces the input of one source, and 2 are selected/,
    ],
    [
      'a date without a time',
      loadCommand,
      () => ['--sources', sources(), '--observed-at', '2026-01-31'],
      /^--observed-at 2026-01-31: expected an ISO 8601 UTC datetime/,
    ],
    [
      'a wait that is no number',
      loadCommand,
      () => ['--sources', sources(), '--wait', 'long'],
      /^--wait long: expected a whole number/,
    ],
    [
      'a loader without sources',
      loaderCommand,
      () => [],
      /^loader: set SOURCES_DIR, or give --sources DIR\.$/,
    ],
    ['a key without a name', keysCommand, () => ['issue'], /^keys issue: --name is needed/],
    [
      'a key for no territory',
      keysCommand,
      () => ['issue', '--name', 'x', '--territories', 'Madrid'],
      /^--territories Madrid: expected codes of the form ES-XX/,
    ],
    ['a run without its id', runsCommand, () => ['approve'], /^Usage: runs approve ID/],
    [
      'a port that is none',
      serveCommand,
      () => ['--port', '70000'],
      /^--port 70000: expected a whole number from 0 to 65535\.$/,
    ],
  ])('%s', async (_mistake, prepare, args, line) => {
    const refused = await prepare(args(), readConfig(settings)).catch((cause: unknown) => cause)
    expect(refused).toBeInstanceOf(OperatorError)
    const { message } = refused as OperatorError
    expect(message).toMatch(line)
    expect(message.split('\n')).toHaveLength(1)
  })

  test('of definitions: every one with file, path and reason, by each command that reads them', async () => {
    const bad = inFolder('bad')
    cpSync(inFolder(SOURCES), bad, { recursive: true })
    const daily = stringify({ slug: 'Not A Slug', territory: 'ES-PV', shedule: 'daily' })
    writeFileSync(join(bad, 'ES-PV.yaml'), daily)
    writeSource('ES-MD', { folder: bad, schedule: 'daily' })
    const commands = [
      ['sources', 'check', bad],
      ['load', '--sources', bad, '--json'],
      ['loader', '--sources', bad],
    ]
    const [checked, ...others] = await inTurns(commands, (args) => runCli(args, settings))
    const lines = checked?.stdout.split('\n').filter((line) => line.startsWith(bad)) ?? []
    expect(checked?.code, checked?.stderr).toBe(1)
    const places = lines.map((line) =>
      line
        .slice(bad.length + 1)
        .split(': ', 2)
        .join(' '),
    )
    expect(places.sort()).toEqual([
      'ES-MD.yaml schedule',
      ...['coordinates', 'decode', 'fetch', 'map', 'official', 'parse'].map(
        (path) => `ES-PV.yaml ${path}`,
      ),
      ...['schedule', 'shedule', 'slug', 'version'].map((path) => `ES-PV.yaml ${path}`),
    ])
    for (const { code, stdout, stderr } of others) {
      expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' })
      for (const line of lines) expect(stderr).toContain(line)
    }
    expect(wire.passed).toEqual([])
  })

  test('sources check of a sound folder lists it', async () => {
    expect(await cli('sources', 'check', inFolder(SOURCES))).toEqual({
      code: 0,
      stdout:
        'registro-es-ct: ES-CT, 0 5 * * *\nregistro-es-md: ES-MD, 0 5 * * *\n2 definitions, no mistakes.\n',
      stderr: '',
    })
  })
})

/** A few at a time: two processors are enough to wait for. */
async function inTurns<T>(
  items: readonly T[],
  work: (item: T) => Promise<Ended>,
): Promise<Ended[]> {
  const ended: Ended[] = []
  for (let at = 0; at < items.length; at += 3) {
    ended.push(...(await Promise.all(items.slice(at, at + 3).map(work))))
  }
  return ended
}

// Each test starts several processes; on a busy machine that takes its time.
describe('a registry from its first load on', { timeout: 180_000 }, () => {
  const day = (n: number) => `2024-01-0${n}T06:00:00.000Z`
  const counts = (more: Partial<Run['counts']>) => ({ ...noCounts(), ...more })
  const RUN_FIELDS =
    'run_id source_slug territory_code status observed_at started_at finished_at baseline renormalised counts events reasons warnings error'.split(
      ' ',
    )

  test('load prints one object per run and nothing else; 0 for committed, and for unchanged', async () => {
    const first = await load('--observed-at', day(1))
    expect(first).toMatchObject({ code: 0, stderr: '' })
    const runs = jsonOf(first)
    expect(runs.map((run) => Object.keys(run).sort())).toEqual([
      RUN_FIELDS.toSorted(),
      RUN_FIELDS.toSorted(),
    ])
    expect(runs).toMatchObject(
      ['ES-CT', 'ES-MD'].map((territory_code) => ({
        territory_code,
        status: 'committed',
        observed_at: day(1),
        baseline: true,
        renormalised: false,
        counts: counts({ read: 10, added: 10 }),
        events: noEvents(),
        reasons: [],
        warnings: [],
        error: null,
      })),
    )
    const again = await load('--source', MD, '--observed-at', day(2))
    expect(again.code).toBe(0)
    expect(jsonOf(again)).toMatchObject([
      { status: 'unchanged', counts: counts({ unchanged: 10 }) },
    ])
  })

  test('load exits 1 when a run failed, whatever became of the others, and 3 when one is quarantined', async () => {
    const broken = writeRegister(folder, 'broken', [])
    const failed = await load('--source', MD, '--file', broken, '--observed-at', day(3))
    expect(failed.code).toBe(1)
    expect(jsonOf(failed)).toMatchObject([
      { status: 'failed', reasons: [{ code: 'empty_dataset' }] },
    ])
    const missing = await load(
      '--source',
      MD,
      '--file',
      inFolder('missing.csv'),
      '--observed-at',
      day(3),
    )
    expect(missing.code).toBe(1)
    expect(jsonOf(missing)).toMatchObject([
      { status: 'failed', reasons: [{ code: 'source_unavailable' }] },
    ])

    register('ES-MD', FEWER)
    register('ES-CT', [])
    const both = await load('--observed-at', day(3))
    expect(both.code).toBe(1)
    expect(jsonOf(both).map(({ status }) => status)).toEqual(['failed', 'quarantined'])
    const quarantined = await load('--source', MD, '--observed-at', day(4))
    expect(quarantined.code).toBe(3)
    expect(jsonOf(quarantined)).toMatchObject([
      {
        status: 'quarantined',
        counts: counts({ read: 7, removed: 3, unchanged: 7 }),
        events: { ...noEvents(), closed_hard: 3 },
        reasons: [{ code: 'mass_removal' }],
      },
    ])
  })

  test('runs list, show, approve and reject', async () => {
    const listed = await cli('runs', 'list', '--json', '--limit', '2')
    expect(listed.code).toBe(0)
    const [newest, older] = JSON.parse(listed.stdout) as [Run, Run]
    expect([newest.status, older.status]).toEqual(['quarantined', 'quarantined'])

    const shown = await cli('runs', 'show', newest.run_id, '--json')
    expect(shown.code).toBe(0)
    expect(jsonOf(shown)).toEqual([newest])

    const rejected = await cli('runs', 'reject', older.run_id, '--json')
    expect(rejected.code).toBe(0)
    expect(jsonOf(rejected)).toMatchObject([{ run_id: older.run_id, status: 'rejected' }])

    const approved = await cli('runs', 'approve', newest.run_id, '--json')
    expect(approved).toMatchObject({ code: 0, stderr: '' })
    expect(jsonOf(approved)).toMatchObject([
      {
        run_id: newest.run_id,
        status: 'committed',
        observed_at: day(4),
        counts: counts({ read: 7, removed: 3, unchanged: 7 }),
        events: { ...noEvents(), closed_hard: 3 },
        reasons: [],
        error: null,
      },
    ])
    const refusals = [
      ['approve', older.run_id, 'is rejected'],
      ['reject', newest.run_id, 'is committed'],
      ['show', 'es-md-999', 'There is no run es-md-999'],
    ] as const
    const refused = await inTurns(refusals, ([action, id]) => cli('runs', action, id, '--json'))
    for (const [at, [, , reason]] of refusals.entries()) {
      expect(refused[at]).toMatchObject({ code: 1, stdout: '' })
      expect(refused[at]?.stderr).toContain(reason)
    }
  })

  test('load --force passes the guards, and a raised version makes a run of its own before', async () => {
    register('ES-MD', FEWER.slice(3))
    writeSource('ES-MD', { version: 2, name: '{nombre} (Madrid)' })
    const forced = await load('--source', MD, '--observed-at', day(5), '--force')
    expect(forced.code).toBe(0)
    expect(jsonOf(forced)).toMatchObject([
      {
        status: 'committed',
        renormalised: true,
        observed_at: day(4),
        counts: { updated: 7 },
        events: noEvents(),
      },
      {
        status: 'committed',
        renormalised: false,
        observed_at: day(5),
        counts: counts({ read: 4, removed: 3, unchanged: 4 }),
        events: { ...noEvents(), closed_hard: 3 },
      },
    ])
  })

  test('load waits for the lease as long as it is told, then names the holder and exits 1', async () => {
    const lease = await takeLease(db, { owner: 'the loader next door', waitMs: 0, ttlMs: 60_000 })
    const began = performance.now()
    const ended = await load('--source', MD, '--observed-at', day(6), '--wait', '1')
    await lease.release({ dirty: false })
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toContain('the loader next door')
    expect(performance.now() - began).toBeGreaterThanOrEqual(1000)
  })

  test('keys issue, list, rotate and revoke', async () => {
    const issue = [
      'keys',
      'issue',
      '--name',
      'tablero',
      '--territories',
      'ES-CT,ES-MD',
      '--expires',
      '2099-01-01T00:00:00Z',
      '--json',
    ]
    const issued = await cli(...issue)
    expect(issued).toMatchObject({ code: 0, stderr: '' })
    const first = JSON.parse(issued.stdout)
    const scope = {
      name: 'tablero',
      territories: ['ES-CT', 'ES-MD'],
      expires_at: '2099-01-01T00:00:00.000Z',
    }
    expect(first).toEqual({ id: expect.any(String), key: expect.any(String), ...scope })

    const rotated = await cli('keys', 'rotate', first.id, '--grace', '60', '--json')
    const second = JSON.parse(rotated.stdout)
    expect(second).toEqual({
      id: expect.any(String),
      key: expect.any(String),
      ...scope,
      previous: { id: first.id, valid_until: expect.any(String) },
    })
    const revoked = await cli('keys', 'revoke', second.id, '--json')
    expect([rotated.code, revoked.code]).toEqual([0, 0])
    expect(jsonOf(revoked)).toEqual([{ id: second.id, revoked: true }])

    const listed = await cli('keys', 'list', '--json')
    const keys = JSON.parse(listed.stdout) as { id: string; revoked_at: string | null }[]
    expect(keys.map(({ id, revoked_at }) => [id, revoked_at !== null])).toEqual(
      expect.arrayContaining([
        [first.id, false],
        [second.id, true],
      ]),
    )
    expect(listed.stdout).not.toContain(first.key)
    const unknown = await cli('keys', 'revoke', 'nobody', '--json')
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
  })

  test('serve answers until it is asked to stop, and loader loads what was never loaded', async () => {
    writeSource('ES-PV')
    register('ES-PV', SOME)
    const issued = JSON.parse((await cli('keys', 'issue', '--name', 'todo', '--json')).stdout)
    const api = startCli(['serve', '--port', '0'], settings)
    const loader = startCli(['loader', '--sources', inFolder(SOURCES)], settings)
    const [, url] = await api.said(/Serving on (http:\S+)/)
    await loader.said(/Loading on schedule/)
    const get = (path: string) => fetch(`${url}${path}`, { headers: { 'X-API-Key': issued.key } })
    const exported = await get('/v1/farmacias/export/ES-MD/json')
    expect(exported.status).toBe(200)
    expect(((await exported.json()) as { count: number }).count).toBe(4)
    await expect
      .poll(async () => (await get('/v1/farmacias/export/ES-PV/json')).status, { timeout: 20_000 })
      .toBe(200)
    api.child.kill('SIGTERM')
    loader.child.kill('SIGINT')
    const [served, loaded] = await Promise.all([api.ended, loader.ended])
    expect([served.code, served.stdout, loaded.code, loaded.stdout]).toEqual([0, '', 0, ''])
  })

  test('verify exits 0 while everything holds, and 1 with a list once something is broken', async () => {
    const sound = await cli('verify', '--json')
    expect(sound).toMatchObject({ code: 0, stderr: '' })
    const verdict = JSON.parse(sound.stdout)
    expect(verdict).toMatchObject({ ok: true, checked: { pharmacies: 30 } })
    expect(
      verdict.invariants.map(({ invariant, holds }: { invariant: string; holds: boolean }) => [
        invariant,
        holds,
      ]),
    ).toEqual([...'abcdefgh'].map((letter) => [letter, true]))
    const { hits } = await db.client.search({
      index: db.alias('changes'),
      size: 1,
      query: { term: { id: 3 } },
    })
    await db.client.delete({
      index: db.alias('changes'),
      id: hits.hits[0]?._id ?? '',
      refresh: true,
    })
    const broken = await cli('verify', '--json')
    expect(broken.code).toBe(1)
    const holds = JSON.parse(broken.stdout).invariants.filter(
      (entry: { holds: boolean }) => !entry.holds,
    )
    expect(holds.map(({ invariant }: { invariant: string }) => invariant)).toContain('a')
    const text = await cli('verify')
    expect(text.code).toBe(1)
    expect(text.stdout).toMatch(/^BROKEN {2}\(a\).*\n +change 4 follows 2$/m)
  })
})
