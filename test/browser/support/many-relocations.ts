import type { Location } from '../../../src/domain/event.ts'
import { connect } from '../../../src/store/client.ts'
import { openDb } from '../../../src/store/db.ts'
import { type EventDocument, eventDocument } from '../../../src/store/documents.ts'
import { ensureIndices } from '../../../src/store/indices.ts'
import { openKeys } from '../../../src/store/keys.ts'
import { makeRegistry } from '../../support/made-registry.ts'
import { seededRandom } from '../../support/random.ts'
import { elasticsearchUrl, testPrefix } from '../../support/registry.ts'

const DAY_MS = 86_400_000

/** A registry of one territory in which so many pharmacies moved; returns its index prefix and a key. */
export async function storeRelocations(count: number): Promise<{ prefix: string; key: string }> {
  const client = connect({ url: elasticsearchUrl() })
  const db = openDb(client, testPrefix())
  await ensureIndices(db, { shards: 1, replicas: 0 })
  const start = new Date(Date.now() - 20 * DAY_MS).toISOString()
  const { state } = makeRegistry({
    seed: 1,
    territories: ['ES-MD'],
    records: 10,
    runs: 1,
    changesPerRun: 1,
    towns: 5,
    start,
  })
  const occurredAt = new Date(Date.now() - 10 * DAY_MS).toISOString()
  const result = await client.helpers.bulk({
    datasource: relocations(count, occurredAt, state.committed_run),
    onDocument: () => ({ index: { _index: db.alias('events') } }),
    refreshOnCompletion: true,
  })
  if (result.failed > 0) throw new Error(`${result.failed} relocations not stored`)
  state.last_seq = count
  await client.index({
    index: db.alias('state'),
    id: 'registry',
    document: { body: state },
    refresh: true,
  })
  const { key } = await openKeys(db).issue({ name: 'many', territories: null, expires_at: null })
  await client.close()
  return { prefix: db.prefix, key }
}

/** Moves of up to a hundred kilometres all over the mainland. */
function relocations(count: number, occurredAt: string, run: number): EventDocument[] {
  const random = seededRandom(7)
  const between = (low: number, high: number) =>
    low + (random.integer(10_000) / 10_000) * (high - low)
  return Array.from({ length: count }, (_, i) => {
    const old = placeAt(between(37.5, 43), between(-6.5, 0))
    const now = placeAt((old.latitude ?? 0) + between(-1, 1), (old.longitude ?? 0) + between(-1, 1))
    const event = {
      event_type: 'relocated' as const,
      territory_code: 'ES-MD',
      external_id: `M${i}`,
      name: `Farmacia ${i}`,
      old,
      new: now,
      old_location: old,
      new_location: now,
    }
    return eventDocument(event, { seq: i + 1, run, run_id: `run-${run}`, occurred_at: occurredAt })
  })
}

function placeAt(latitude: number, longitude: number): Location {
  return {
    address_line: 'CALLE INVENTADA 1',
    postal_code: '28001',
    city: 'Villa Inventada',
    province: 'Madrid',
    latitude,
    longitude,
  }
}
