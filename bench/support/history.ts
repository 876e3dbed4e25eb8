import { type BusinessEvent, EVENT_TYPES, type Location } from '../../src/domain/event.ts'
import { instantOf } from '../../src/domain/time.ts'
import { beginEntry } from '../../src/load/journal.ts'
import { writeBulk } from '../../src/store/bulk.ts'
import { createBulkBody } from '../../src/store/bulk-body.ts'
import type { Db } from '../../src/store/db.ts'
import { eventDocument } from '../../src/store/documents.ts'
import { type RunDocument, writeRun } from '../../src/store/runs.ts'
import { compareAndSet, readState } from '../../src/store/state-document.ts'
import { type Random, seededRandom } from '../../test/support/random.ts'

const DAY_MS = 86_400_000
/** When the made-up events happened: up to today, so that the incremental windows have their share. */
export const HISTORY = { days: 1_500, from: Date.now() - 1_500 * DAY_MS }
const PER_BULK = 4_000
const IN_FLIGHT = 2
const TERRITORIES = ['ES-MD', 'ES-CT', 'ES-AN', 'ES-VC', 'ES-GA', 'ES-PV', 'ES-CL', 'ES-AR']
const PROVINCES = [
  'Madrid',
  'Barcelona',
  'Sevilla',
  'Valencia',
  'Soria',
  'Cuenca',
  'Lugo',
  'Huesca',
]

/**
 * Events straight into the index, as committed by one more run: for reads, whose cost depends on how many there are
 * and not on how they came about.
 */
export async function writeEvents(db: Db, events: number): Promise<void> {
  const read = await readState(db)
  const run = read.state.next_run
  const runId = `es-md-${run}`
  const random = seededRandom(run)
  const first = read.state.last_seq
  const inFlight = new Set<Promise<unknown>>()
  for (let at = 0; at < events; at += PER_BULK) {
    const body = createBulkBody(4 << 20)
    for (let n = at; n < Math.min(events, at + PER_BULK); n += 1) {
      const seq = first + n + 1
      // Numbered as they happened, as in a registry that was loaded day by day.
      const day = Math.floor((n / events) * HISTORY.days)
      const occurred_at = instantOf(HISTORY.from + day * DAY_MS)
      const document = eventDocument(someEvent(random, n), { seq, run, run_id: runId, occurred_at })
      const action = { index: { _index: db.alias('events'), _id: `${run}|${seq}` } }
      body.add(JSON.stringify(action), [JSON.stringify(document)])
    }
    while (inFlight.size >= IN_FLIGHT) await Promise.race(inFlight)
    const sending = writeBulk(db, body).finally(() => inFlight.delete(sending))
    inFlight.add(sending)
  }
  await Promise.all(inFlight)
  await db.client.indices.refresh({ index: db.alias('events') })
  await commit(db, run, first + events)
}

async function commit(db: Db, run: number, lastSeq: number): Promise<void> {
  const read = await readState(db)
  const committedAt = instantOf(Date.now())
  const entry: RunDocument = {
    ...beginEntry({
      run,
      territory: 'ES-MD',
      slug: 'tabla',
      observedAt: committedAt,
      now: Date.parse(committedAt),
    }),
    status: 'committed',
    finished_at: committedAt,
    committed_at: committedAt,
    last_change_id: read.state.last_change_id,
    last_seq: lastSeq,
  }
  await writeRun(db, entry, run)
  const next = {
    ...read.state,
    next_run: run + 1,
    committed_run: run,
    committed_at: committedAt,
    last_seq: lastSeq,
  }
  if (!(await compareAndSet(db, read, next))) throw new Error('somebody else is at work here')
}

function someEvent(random: Random, n: number): BusinessEvent {
  const eventType = random.pick(EVENT_TYPES)
  const before = somePlace(random)
  const after = somePlace(random)
  const isOpening = eventType === 'opened'
  const isClosing = eventType === 'closed_hard'
  return {
    event_type: eventType,
    territory_code: random.pick(TERRITORIES),
    external_id: `F${String(n).padStart(9, '0')}`,
    name: `Farmacia Inventada ${n}`,
    old: isOpening ? {} : before,
    new: isClosing ? {} : after,
    old_location: isOpening ? null : before,
    new_location: isClosing ? null : after,
  }
}

function somePlace(random: Random): Location {
  return {
    address_line: `Calle Inventada ${random.integer(300)}`,
    postal_code: String(28_001 + random.integer(50)),
    city: `Villaejemplo ${random.integer(900)}`,
    province: random.pick(PROVINCES),
    latitude: 36 + random.integer(70_000) / 10_000,
    longitude: -9 + random.integer(120_000) / 10_000,
  }
}
