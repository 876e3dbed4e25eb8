import type { estypes } from '@elastic/elasticsearch'
import { OperatorError } from '../domain/problem.ts'
import { type BulkItem, writeItems } from './bulk.ts'
import { type Db, INDICES, type IndexName, refresh } from './db.ts'
import { searchFields, type VersionDocument } from './documents.ts'
import { checkIndices, type IndexSettings, installTemplates, readTemplate } from './indices.ts'
import { type RunLease, takeLease } from './lease.ts'
import { recordOf } from './previous.ts'
import { closePointInTime, openPointInTime, searchPointInTime } from './scan.ts'

/** One index that was made anew. */
export interface Migration {
  index: IndexName
  from: { index: string; version: number }
  to: { index: string; version: number }
  documents: number
}

const BATCH = 2_000
const KEEP_ALIVE = '5m'

/**
 * Brings indices of older templates to the present ones: copies each into a new index and swaps the aliases, all at
 * once. Reads go on, on the old indices up to the swap. Writers are kept out twice: by the lease, and, because a
 * writer that sleeps through it must do no harm, by a write block on what has been copied.
 */
export async function migrate(
  db: Db,
  settings: IndexSettings,
  options: { owner: string; waitMs: number; removeOld: boolean },
): Promise<Migration[]> {
  const stale = await staleIndices(db)
  if (stale.length === 0) {
    await installTemplates(db, settings)
    await checkIndices(db)
    return []
  }
  // An attempt that died may have left its blocks; without an alias nothing that it copied counts.
  await blockWrites(db, stale, false)
  const lease = await takeLease(db, options)
  try {
    await installTemplates(db, settings)
    const done = await copyAll(db, lease, stale)
    await swap(db, done)
    await checkIndices(db)
    if (options.removeOld) {
      for (const { from } of done) await db.client.indices.delete({ index: from.index })
    }
    return done
  } catch (cause) {
    await blockWrites(db, stale, false)
    throw cause
  } finally {
    await lease.release({ dirty: false })
  }
}

interface Stale {
  name: IndexName
  index: string
  version: number
  wanted: number
}

/** The indices whose template has a newer version; one that is newer than this program is not for it to touch. */
async function staleIndices(db: Db): Promise<Stale[]> {
  const found = await Promise.all(
    INDICES.map(async (name): Promise<Stale> => {
      const mappings = await db.client.indices.getMapping({ index: db.alias(name) })
      const [[index, { mappings: mapping }]] = Object.entries(mappings) as [
        [string, { mappings: estypes.MappingTypeMapping }],
      ]
      const version = Number((mapping._meta as { version?: number } | undefined)?.version ?? 0)
      return { name, index, version, wanted: (await readTemplate(name))._meta.version }
    }),
  )
  const newer = found.find(({ version, wanted }) => version > wanted)
  if (newer) {
    throw new OperatorError(
      `${newer.index} has version ${newer.version}, this program knows ${newer.wanted}: use the newer program.`,
    )
  }
  return found.filter(({ version, wanted }) => version < wanted)
}

async function blockWrites(db: Db, stale: readonly Stale[], isOn: boolean): Promise<void> {
  for (const { index } of stale) {
    await db.client.indices.putSettings({
      index,
      settings: { 'index.blocks.write': isOn ? true : null },
    })
  }
}

/** The state document goes last: until the swap nothing may change in what was copied of it. */
async function copyAll(db: Db, lease: RunLease, stale: readonly Stale[]): Promise<Migration[]> {
  const done: Migration[] = []
  const inOrder = [...stale].sort((a, b) => Number(a.name === 'state') - Number(b.name === 'state'))
  for (const one of inOrder) {
    await lease.check()
    await refresh(db, [one.name])
    await blockWrites(db, [one], true)
    done.push(await copy(db, lease, one))
  }
  return done
}

async function copy(
  db: Db,
  lease: RunLease,
  { name, index, version, wanted }: Stale,
): Promise<Migration> {
  const target = nextIndex(db, name, index)
  // Without an alias it can only be what an attempt that died has left.
  await db.client.indices.delete({ index: target }, { ignore: [404] })
  await db.client.indices.create({ index: target })
  await outrank(db, { index, target })
  let documents = 0
  for await (const hits of batches(db, name)) {
    if (name !== 'state') await lease.check()
    await writeItems(
      db,
      hits.map((hit) => itemOf(name, target, hit)),
    )
    documents += hits.length
  }
  await db.client.indices.refresh({ index: target })
  const { count } = await db.client.count({ index: target })
  if (count !== documents) {
    throw new OperatorError(
      `${target} holds ${count} of ${documents} documents; nothing was swapped.`,
    )
  }
  return {
    index: name,
    from: { index, version },
    to: { index: target, version: wanted },
    documents,
  }
}

function nextIndex(db: Db, name: IndexName, index: string): string {
  const number = Number(/-(\d{6})$/.exec(index)?.[1] ?? 0) + 1
  return `${db.alias(name)}-${String(number).padStart(6, '0')}`
}

/**
 * A compare-and-set that is still on its way names a sequence number and a primary term of the old index. Opening an
 * index raises its term: once it is above the old one no such write can ever match a document of the new index.
 */
async function outrank(
  db: Db,
  { index, target }: { index: string; target: string },
): Promise<void> {
  const limit = await highestTerm(db, index)
  while ((await highestTerm(db, target)) <= limit) {
    await db.client.indices.close({ index: target })
    await db.client.indices.open({ index: target })
    await db.client.cluster.health({ index: target, wait_for_status: 'yellow', timeout: '30s' })
  }
}

async function highestTerm(db: Db, index: string): Promise<number> {
  const { metadata } = (await db.client.cluster.state({ metric: 'metadata', index })) as {
    metadata: { indices: Record<string, { primary_terms: Record<string, number> }> }
  }
  return Math.max(...Object.values(metadata.indices[index]?.primary_terms ?? {}))
}

async function* batches(db: Db, name: IndexName): AsyncGenerator<estypes.SearchHit[]> {
  const pit = await openPointInTime(db, name, KEEP_ALIVE)
  try {
    let after: estypes.SortResults | undefined
    for (;;) {
      const answer = await searchPointInTime(db, {
        pit: { id: pit, keep_alive: KEEP_ALIVE },
        size: BATCH,
        version: true,
        sort: ['_shard_doc'],
        ...(after ? { search_after: after } : {}),
      })
      const { hits } = answer.hits
      if (hits.length > 0) yield hits
      if (hits.length < BATCH) return
      after = hits.at(-1)?.sort
    }
  } finally {
    await closePointInTime(db, pit)
  }
}

function itemOf(name: IndexName, target: string, hit: estypes.SearchHit): BulkItem {
  // The journal's versions are run numbers, and must stay them.
  const version = name === 'runs' ? { version: hit._version, version_type: 'external_gte' } : {}
  return {
    action: JSON.stringify({ index: { _index: target, _id: hit._id, ...version } }),
    document: JSON.stringify(rebuilt(name, hit._source)),
  }
}

/** Search fields follow from the record, so that a template with other ones finds them filled. */
function rebuilt(name: IndexName, source: unknown): unknown {
  if (name !== 'pharmacies') return source
  const version = source as VersionDocument
  const record = recordOf(version)
  const { from_run, to_run, content_hash } = version
  return { ...record, from_run, to_run, content_hash, ...searchFields(record) }
}

/** One action for all: readers find either the old indices or the new ones. Fails as a whole if somebody was faster. */
async function swap(db: Db, done: readonly Migration[]): Promise<void> {
  await db.client.indices.updateAliases({
    actions: done.flatMap(({ index, from, to }) => [
      { remove: { index: from.index, alias: db.alias(index), must_exist: true } },
      { add: { index: to.index, alias: db.alias(index), is_write_index: true } },
    ]),
  })
}
