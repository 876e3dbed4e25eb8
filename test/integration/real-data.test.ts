import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Pharmacy } from '../../src/domain/pharmacy.ts'
import { noEvents } from '../../src/domain/run.ts'
import { readDefinitions } from '../../src/sources/definitions.ts'
import type { RunDocument } from '../../src/store/runs.ts'
import { openTestRegistry, type TestRegistry } from '../support/loading.ts'
import { byCodePoint } from '../support/made-registry.ts'
import { openMirror, type SeenChange } from '../support/mirror.ts'
import {
  HAS_REAL_REGISTERS,
  REAL_FOLDER,
  REAL_REGISTERS,
  type RealRegister,
  realFile,
  statedOf,
} from '../support/real-registers.ts'
import { type Service, serveRegistry } from '../support/service.ts'

/** Loads the registers as an operator would and looks at what the API then says, over everything that was stored. */
describe.runIf(HAS_REAL_REGISTERS)('published registers', () => {
  let registry: TestRegistry
  let service: Service
  const runs = new Map<string, RunDocument>()
  const runOf = ({ name }: RealRegister, snapshot: 1 | 2) =>
    runs.get(`${name}.${snapshot}`) as RunDocument

  beforeAll(async () => {
    registry = await openTestRegistry()
    service = await serveRegistry(registry.db, { isFresh: true })
    const definitions = await readDefinitions(join(REAL_FOLDER, 'sources'))
    for (const snapshot of [1, 2] as const) {
      for (const register of REAL_REGISTERS) {
        const definition = definitions.find(({ territory }) => territory === register.territory)
        if (!definition) throw new Error(`no definition for ${register.territory}`)
        const observedAt = instantOf(statedOf(register, snapshot).observed_at)
        const file = realFile(register, snapshot)
        const [run] = await registry.load({ definition, file, observedAt })
        runs.set(`${register.name}.${snapshot}`, run as RunDocument)
      }
    }
  })
  afterAll(async () => {
    await service.close()
    await registry.close()
  })

  const exported = async ({ territory }: RealRegister, asOf: string): Promise<Pharmacy[]> => {
    const { status, body } = await service.get(
      `/v1/farmacias/export/${territory}/json?as_of=${asOf}`,
    )
    expect(status).toBe(200)
    expect(body.count).toBe(body.items.length)
    return body.items
  }
  const changesOf = async (register: RealRegister, snapshot: 1 | 2): Promise<SeenChange[]> => {
    const mirror = openMirror(service, { limit: 2000, territories: [register.territory] })
    const { run_id } = runOf(register, snapshot)
    return (await mirror.poll()).filter((change) => change.run_id === run_id)
  }

  describe.each(REAL_REGISTERS)('$name', (register) => {
    const first = statedOf(register, 1)
    const second = statedOf(register, 2)

    test.each([
      [1, first],
      [2, second],
    ] as const)('snapshot %i: the run has the stated status and counts', (snapshot, stated) => {
      const { status, baseline, counts, events, reasons, warnings } = runOf(register, snapshot)
      expect({ status, baseline, counts, events, reasons, warnings }).toEqual({
        status: stated.status,
        baseline: stated.baseline,
        counts: stated.counts,
        events: { ...noEvents(), ...stated.event_counts },
        reasons: [],
        warnings: [],
      })
    })

    test('the first snapshot holds the stated records, in the order of their ids', async () => {
      const records = await exported(register, first.observed_at)
      const ids = records.map(({ external_id }) => external_id)
      expect(ids).toEqual([...new Set(ids)].sort(byCodePoint))
      expect(ids).toHaveLength(register.total)
      expect(nullsOf(records)).toEqual({
        ...register.nulls,
        official_last_modified_at: register.total,
      })
      expect(records.filter(({ latitude }) => latitude !== null)).toHaveLength(
        register.withCoordinates,
      )
      for (const [id, fields] of Object.entries(register.records)) {
        expect(records.find(({ external_id }) => external_id === id)).toMatchObject(fields)
      }
      expect(new Set(records.map(({ observed_at }) => observed_at))).toEqual(
        new Set([instantOf(first.observed_at)]),
      )
    })

    test('the first snapshot makes an upsert of every record and no event', async () => {
      const changes = await changesOf(register, 1)
      const count = (operation: string) =>
        changes.filter((change) => change.operation === operation).length
      expect({ upsert: count('upsert'), delete: count('delete') }).toEqual(first.changes)
      const records = await exported(register, first.observed_at)
      expect(changes.map(({ payload }) => payload).sort(byId)).toEqual(records)
      expect(await eventsOf(service, register, first.observed_at)).toEqual([])
    })

    test('the second snapshot makes exactly the stated events', async () => {
      const events = await eventsOf(service, register, second.observed_at)
      expect(events.sort(byIdAndType)).toEqual([...second.events].sort(byIdAndType))
      const moves = await eventsOf(service, register, second.observed_at, 'relocations')
      expect(moves.map(({ external_id }) => external_id).sort()).toEqual(
        second.events
          .filter(({ event_type }) => event_type === 'relocated')
          .map(({ external_id }) => external_id)
          .sort(),
      )
    })

    test('the second snapshot makes exactly the stated changes, some of them without an event', async () => {
      const changes = (await changesOf(register, 2)).map(({ operation, external_id }) => ({
        operation,
        external_id,
      }))
      const stated = second.changes as { operation: string; external_id: string }[]
      expect(changes.sort(byId)).toEqual([...stated].sort(byId))
      const withEvent = new Set(second.events.map(({ external_id }) => external_id))
      const silent = changes
        .map(({ external_id }) => external_id)
        .filter((id) => !withEvent.has(id))
      expect(silent.sort()).toEqual([...(second.upsert_without_event ?? [])].sort())
    })

    test('what the second snapshot touched and did not change is the record of the first', async () => {
      const before = await exported(register, first.observed_at)
      const after = await exported(register, second.observed_at)
      const changed = new Set(
        (second.changes as { external_id: string }[]).map(({ external_id }) => external_id),
      )
      const same = (records: readonly Pharmacy[]) =>
        records.filter(({ external_id }) => !changed.has(external_id))
      expect(same(after)).toEqual(same(before))
      expect(same(after)).toHaveLength(second.counts.unchanged)
      for (const id of second.touched_but_unchanged ?? []) {
        expect(
          same(after).some(({ external_id }) => external_id === id),
          id,
        ).toBe(true)
      }
    })
  })

  test('every invariant holds over what was stored', async () => {
    expect(await registry.broken()).toEqual([])
  })
})

const byId = (a: { external_id: string }, b: { external_id: string }) =>
  byCodePoint(a.external_id, b.external_id)
const byIdAndType = (a: ShownEvent, b: ShownEvent) =>
  byId(a, b) || a.event_type.localeCompare(b.event_type)

interface ShownEvent {
  event_type: string
  external_id: string
  old: object
  new: object
}

/** The events of one instant, as the API lists them. */
async function eventsOf(
  service: Service,
  { territory }: RealRegister,
  at: string,
  listing = 'business-events',
): Promise<ShownEvent[]> {
  const from = Date.parse(at)
  const window = `from=${instantOf(at)}&to=${new Date(from + 1).toISOString()}`
  const { body } = await service.get(
    `/v1/farmacias/${listing}?${window}&territories=${territory}&limit=5000`,
  )
  return body.items.map(({ event_type, external_id, old, new: now }: ShownEvent) => ({
    event_type,
    external_id,
    old,
    new: now,
  }))
}

function nullsOf(records: readonly Pharmacy[]): Record<string, number> {
  const nulls: Record<string, number> = {}
  for (const record of records) {
    for (const [field, value] of Object.entries(record))
      if (value === null) nulls[field] = (nulls[field] ?? 0) + 1
  }
  return nulls
}

function instantOf(text: string): string {
  return new Date(text).toISOString()
}
