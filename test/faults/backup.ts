import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { connect } from '../../src/store/client.ts'
import { openDb } from '../../src/store/db.ts'
import { type Service, serveRegistry } from '../support/service.ts'
import { checkRecovered } from './support/checks.ts'
import { type Histories, openHistories } from './support/histories.ts'
import type { BreakableNode } from './support/node.ts'
import { openRegistry, type Registry } from './support/registry.ts'
import type { Figure, Scenario, Scene } from './support/scenario.ts'

const TERRITORIES = ['ES-MD', 'ES-CT']
const LOADS = 8
const LEASE_MS = 1_000
const run = promisify(execFile)

/** Backup while loads go on, wipe, restore: to the same prefix and to another one, through the operator's commands. */
export const backupAndRestore: Scenario = {
  name: 'backup',
  async run(scene) {
    const node = await scene.node()
    return backUpAndRestore(scene, node)
  },
}

async function backUpAndRestore(scene: Scene, node: BreakableNode): Promise<Figure[]> {
  const { violations } = scene
  const registry = await openRegistry({ url: node.url, leaseTtlMs: LEASE_MS })
  const { prefix } = registry.db
  const histories = openHistories({
    folder: registry.folder,
    seed: Date.now() % 1_000_000,
    territories: TERRITORIES,
    sizes: [200, 400],
  })
  for (let count = 0; count < LOADS; count += 1) await loadNext(registry, histories, count)
  const service = await serveRegistry(registry.db)
  const key = await service.key()
  const before = await taken(service, key, null)

  // Loads go on while the backup is made: what it holds is a committed state all the same.
  const created = cli(node, prefix, ['backup', 'create', '--json'])
  const loading = loadNext(registry, histories, LOADS)
  const backup = JSON.parse(await created) as { name: string; committed_run: number }
  await loading
  const second = JSON.parse(
    await cli(node, prefix, ['backup', 'create', '--json']),
  ) as typeof backup
  const listed = JSON.parse(
    await cli(node, prefix, ['backup', 'list', '--json']),
  ) as (typeof backup)[]
  violations.check(
    JSON.stringify(listed.map(({ name }) => name)) === JSON.stringify([second.name, backup.name]),
    `backup list shows ${JSON.stringify(listed)}`,
  )
  const now = await taken(service, key, before.cursors)
  await service.close()

  const onto = await refusal(cli(node, prefix, ['backup', 'restore', '--json']))
  violations.check(onto.includes('is restored into a prefix that is empty'), `onto itself: ${onto}`)

  await wipe(registry)
  await cli(node, prefix, ['backup', 'restore', '--json'])
  await compare(scene, {
    node,
    prefix,
    key,
    cursors: before.cursors,
    expected: now,
    label: 'wiped',
  })
  const other = `${prefix}-copy`
  await cli(node, other, ['backup', 'restore', second.name, '--json'])
  await compare(scene, {
    node,
    prefix: other,
    key,
    cursors: before.cursors,
    expected: now,
    label: 'copy',
  })

  // Life goes on: the next load of the restored registry is an ordinary one.
  await loadNext(registry, histories, LOADS + 1)
  await checkRecovered(registry, { histories, violations, label: 'after the restore' })
  await registry.close()
  return [
    {
      fault: 'backup under load, wipe, restore',
      times: 1,
      outcome: 'exports, changes, cursors identical; verify holds',
    },
    {
      fault: 'restore into another prefix',
      times: 1,
      outcome: 'exports, changes, cursors identical; verify holds',
    },
  ]
}

async function loadNext(registry: Registry, histories: Histories, count: number): Promise<void> {
  const territory = TERRITORIES[count % TERRITORIES.length] as string
  const run = await registry.load(histories.request(histories.next(territory)))
  if (run.status !== 'committed') throw new Error(`load ended ${run.status}: ${run.error}`)
}

interface Taken {
  exports: string[]
  changes: string
  walk: string
  cursors: { events: string; changes: number }
}

const EVENTS = '/v1/farmacias/business-events?from=2019-01-01T00:00:00Z&to=2100-01-01T00:00:00Z'
const CHANGES = '/v1/farmacias/changes?since=2000-01-01T00:00:00Z'

/** What a client sees, going on from cursors that were taken earlier. */
async function taken(
  service: Service,
  key: string,
  cursors: Taken['cursors'] | null,
): Promise<Taken> {
  const get = async (path: string) => {
    const got = await service.get(path, { key })
    if (got.status !== 200) throw new Error(`${path}: ${got.status} ${got.text}`)
    return got
  }
  const exports: string[] = []
  for (const territory of TERRITORIES) {
    exports.push((await get(`/v1/farmacias/export/${territory}/json`)).text)
    exports.push((await get(`/v1/farmacias/export/${territory}/csv`)).text)
  }
  const firstPage = await get(`${EVENTS}&limit=3`)
  const events = cursors?.events ?? (firstPage.body.next_cursor as string)
  const firstChanges = await get(`${CHANGES}&cursor=0&limit=10`)
  const changes = cursors?.changes ?? (firstChanges.body.resume_cursor as number)
  return {
    exports,
    changes: JSON.stringify((await get(`${CHANGES}&limit=2000&cursor=${changes}`)).body),
    walk: JSON.stringify(
      (await get(`${EVENTS}&limit=5000&cursor=${encodeURIComponent(events)}`)).body,
    ),
    cursors: { events, changes },
  }
}

async function compare(
  { violations, say }: Scene,
  at: {
    node: BreakableNode
    prefix: string
    key: string
    cursors: Taken['cursors']
    expected: Taken
    label: string
  },
): Promise<void> {
  const verdict = await cli(at.node, at.prefix, ['verify', '--json'])
  violations.check(JSON.parse(verdict).ok === true, `${at.label}: verify says ${verdict}`)
  const client = connect({ url: at.node.url })
  const service = await serveRegistry(openDb(client, at.prefix))
  const found = await taken(service, at.key, at.cursors)
  for (const [at2, text] of at.expected.exports.entries()) {
    violations.check(found.exports[at2] === text, `${at.label}: export ${at2} differs`)
  }
  violations.check(found.changes === at.expected.changes, `${at.label}: the changes differ`)
  violations.check(found.walk === at.expected.walk, `${at.label}: the walk differs`)
  await service.close()
  await client.close()
  say(`${at.label}: identical`)
}

async function wipe({ db }: Registry): Promise<void> {
  const indices = await db.client.indices.get({ index: `${db.prefix}-*` })
  for (const index of Object.keys(indices)) await db.client.indices.delete({ index })
  await db.client.indices.deleteIndexTemplate({ name: `${db.prefix}-*` })
}

const CLI = new URL('../../src/cli.ts', import.meta.url).pathname

async function cli(node: BreakableNode, prefix: string, args: string[]): Promise<string> {
  const { stdout } = await run(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', CLI, ...args],
    {
      env: {
        PATH: process.env.PATH,
        ELASTICSEARCH_URL: node.url,
        INDEX_PREFIX: prefix,
        INDEX_REPLICAS: '0',
        LOG_LEVEL: 'silent',
      },
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  return stdout
}

async function refusal(command: Promise<string>): Promise<string> {
  try {
    return `not refused: ${await command}`
  } catch (error) {
    return (error as Error & { stderr?: string }).stderr ?? String(error)
  }
}
