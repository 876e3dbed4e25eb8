import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Db, INDICES, type IndexName } from '../../src/store/db.ts'
import { ensureIndices } from '../../src/store/indices.ts'
import { migrate } from '../../src/store/migrate.ts'
import { serveRegistry } from '../support/service.ts'
import { checkRecovered, checkSeen } from './support/checks.ts'
import { openHistories } from './support/histories.ts'
import { startReaders } from './support/readers.ts'
import { openRegistry, type Registry } from './support/registry.ts'
import type { Figure, Scenario, Scene } from './support/scenario.ts'

const TERRITORIES = ['ES-MD', 'ES-CT']
const LOADS = 6
const LEASE_MS = 2_000

/** A registry of an older program, migrated while clients read and a loader waits its turn. */
export const upgrade: Scenario = {
  name: 'upgrade',
  async run(scene) {
    const node = await scene.node()
    return upgradeOne(scene, node.url)
  },
}

async function upgradeOne(scene: Scene, url: string): Promise<Figure[]> {
  const { violations } = scene
  const registry = await openRegistry({ url, leaseTtlMs: LEASE_MS, leaseWaitMs: 120_000 })
  const histories = openHistories({
    folder: registry.folder,
    seed: Date.now() % 1_000_000,
    territories: TERRITORIES,
    sizes: [500, 900],
  })
  const next = (territory: string) => histories.request(histories.next(territory))
  for (let count = 0; count < LOADS; count += 1) {
    await registry.load(next(TERRITORIES[count % TERRITORIES.length] as string))
  }
  const before = await registry.state()
  await age(registry)

  const refusal = await ensureIndices(registry.db, { shards: 1, replicas: 0 }).then(
    () => 'none',
    (error: Error) => error.message,
  )
  violations.check(
    refusal.split('\n').length === INDICES.length &&
      refusal.includes('run "npm run -s cli -- migrate"'),
    `an older registry is not refused: ${refusal}`,
  )

  const service = await serveRegistry(registry.db)
  const readers = startReaders({
    urls: [service.url],
    key: await service.key(),
    histories,
    violations,
    mayRefuse: false,
    pauseMs: 50,
  })
  await readers.untilServed(60_000)
  const migrating = migrate(
    registry.db,
    { shards: 1, replicas: 0 },
    { owner: 'migrate', waitMs: 60_000, removeOld: false },
  )
  // A loader that comes meanwhile waits for the lease, and then loads into the new indices.
  const waiting = registry.load(next('ES-MD'))
  const done = await migrating
  const loaded = await waiting
  violations.check(loaded.status === 'committed', `the waiting load ended ${loaded.error}`)
  violations.check(await readers.untilServed(60_000), 'the API does not serve after the migration')
  await readers.stop()
  violations.check(
    done.length === INDICES.length &&
      done.every(({ from, to }) => from.version === 0 && to.version > 0),
    `migrated ${JSON.stringify(done)}`,
  )
  violations.check(await isSorted(registry.db), 'the new index of events is not sorted by time')
  await ensureIndices(registry.db, { shards: 1, replicas: 0 })
  violations.check(
    (
      await migrate(
        registry.db,
        { shards: 1, replicas: 0 },
        { owner: 'again', waitMs: 0, removeOld: false },
      )
    ).length === 0,
    'a second migration finds something to do',
  )
  const after = await registry.state()
  violations.check(after.next_run > before.next_run, 'run numbers went back')
  await checkSeen(registry, { seen: readers.seen, violations, label: 'upgrade' })
  await checkRecovered(registry, { histories, violations, label: 'upgrade' })
  const documents = done.reduce((all, one) => all + one.documents, 0)
  await service.close()
  await registry.close()
  return [
    {
      fault: 'migration from template version 0, reads and a load going on',
      times: 1,
      outcome: `${documents} documents, ${readers.figures.answers} answers meanwhile, 0 refused`,
    },
  ]
}

/** Settings of an index come from its template too, and no mapping shows them. */
async function isSorted({ client, alias }: Db): Promise<boolean> {
  const found = await client.indices.getSettings({ index: alias('events') })
  return Object.values(found).every(({ settings }) =>
    isDeepStrictEqual(settings?.index?.sort, {
      field: ['occurred_at', 'seq'],
      order: ['desc', 'desc'],
    }),
  )
}

interface OldTemplate {
  settings: Record<string, unknown>
  mappings: { properties: Record<string, unknown> }
}

/** Makes the registry what the older program left: its mappings, and documents without the newer fields. */
async function age({ db }: Registry): Promise<void> {
  for (const name of INDICES) {
    const template = JSON.parse(
      await readFile(new URL(`../fixtures/templates-0/${name}.json`, import.meta.url), 'utf8'),
    ) as OldTemplate
    const { hits } = await db.client
      .search({
        index: db.alias(name),
        size: 10_000,
        version: true,
      })
      .then((answer) => answer.hits)
    await db.client.indices.delete({ index: `${db.alias(name)}-000001` })
    await db.client.indices.create({
      index: `${db.alias(name)}-000001`,
      aliases: { [db.alias(name)]: { is_write_index: true } },
      settings: { ...template.settings, number_of_shards: 1, number_of_replicas: 0 },
      mappings: template.mappings as never,
    })
    await putBack(db, name, { hits, template })
  }
}

async function putBack(
  db: Db,
  name: IndexName,
  {
    hits,
    template,
  }: { hits: { _id?: string; _version?: number; _source?: unknown }[]; template: OldTemplate },
): Promise<void> {
  if (hits.length === 0) return
  const operations = hits.flatMap(({ _id, _version, _source }) => {
    const known = Object.entries(_source as object).filter(
      ([field]) => field in template.mappings.properties,
    )
    const version = name === 'runs' ? { version: _version, version_type: 'external' } : {}
    return [{ index: { _index: db.alias(name), _id, ...version } }, Object.fromEntries(known)]
  })
  const answer = await db.client.bulk({ operations, refresh: true })
  if (answer.errors) throw new Error(`ageing ${name}: ${JSON.stringify(answer.items.slice(0, 3))}`)
}
