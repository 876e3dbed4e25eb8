import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { LoadContext } from '../../src/load/context.ts'
import { approveRun, rejectRun } from '../../src/load/quarantine.ts'
import { takeLease } from '../../src/store/lease.ts'
import { getRun, type RunDocument } from '../../src/store/runs.ts'
import { registryForTest, type TestRegistry } from '../support/loading.ts'
import { aListed, type Listed, registerDefinition, writeRegister } from '../support/register.ts'

const DAY_1 = '2026-01-01T00:00:00.000Z'
const DAY_2 = '2026-01-02T00:00:00.000Z'
const DAY_3 = '2026-01-03T00:00:00.000Z'

/** Long enough for what does not wait for the lease to have read all that it reads before it. */
const HEAD_START_MS = 400

/** Begins each while somebody else holds the lease, gives that back, and says how they ended. */
async function beginTogether<T>(
  { context }: TestRegistry,
  tasks: readonly (() => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  const lease = await takeLease(context.db, { owner: 'holder', waitMs: 0 })
  const begun = Promise.allSettled(tasks.map((task) => task()))
  await sleep(HEAD_START_MS)
  await lease.release({ dirty: false })
  return begun
}

const endsOf = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled.map((end) =>
    end.status === 'fulfilled' ? (end.value as RunDocument).status : (end.reason as Error).message,
  )

describe('decided by two while a third holds the lease', () => {
  const LISTED = Array.from({ length: 60 }, (_, at) => aListed(`P${100 + at}`))

  async function quarantined() {
    const registry = await registryForTest()
    const guards = { max_removed_ratio: 0.05, floor: 10 }
    const definition = registerDefinition(registry.context.workDir, { guards })
    const folder = dirname(definition.file)
    const load = async (name: string, rows: Listed[], observedAt: string) => {
      const file = writeRegister(folder, name, rows)
      const [run] = await registry.load({ definition, file, observedAt })
      return run as RunDocument
    }
    await load('whole', LISTED, DAY_1)
    const run = await load('half', LISTED.slice(0, 30), DAY_2)
    expect(run.status).toBe('quarantined')
    return { registry, run, load }
  }

  type Word = (context: LoadContext, run: RunDocument) => Promise<RunDocument>

  test.each([
    ['approved twice', [approveRun, approveRun]],
    ['approved and rejected', [approveRun, rejectRun]],
    ['rejected and approved', [rejectRun, approveRun]],
    ['rejected twice', [rejectRun, rejectRun]],
  ] as [string, Word[]][])('%s: one word counts, the other is told so', async (_, words) => {
    const { registry, run, load } = await quarantined()
    const settled = await beginTogether(
      registry,
      words.map((word) => () => word(registry.context, run)),
    )
    const now = (await getRun(registry.db, run.run_id)) as RunDocument
    const told = expect.stringMatching(`^${run.run_id} is ${now.status}: only a quarantined run`)
    const ends = endsOf(settled)
    expect(ends).toHaveLength(2)
    expect(ends).toEqual(expect.arrayContaining([now.status, told]))
    expect(['committed', 'rejected']).toContain(now.status)
    const events = now.status === 'committed' ? await registry.eventsOfRun(now.run) : []
    expect(events.length).toBe(now.status === 'committed' ? 30 : 0)
    expect(await registry.broken()).toEqual([])

    // And the lease is free.
    const rows = [...LISTED.slice(0, 30), aListed('NEW')]
    await load('next', now.status === 'committed' ? rows : [...LISTED, aListed('NEW')], DAY_3)
    expect(await registry.broken()).toEqual([])
    expect((await registry.current(run.territory_code)).has('NEW')).toBe(true)
  })

  test('approved while a newer snapshot is loaded: applied before it, or superseded', async () => {
    const { registry, run, load } = await quarantined()
    const rows = [...LISTED.slice(0, 58), aListed('NEW')]
    const [approved, loaded] = await beginTogether(registry, [
      () => approveRun(registry.context, run),
      () => load('newer', rows, DAY_3),
    ])
    const now = (await getRun(registry.db, run.run_id)) as RunDocument
    const isLoaded = loaded?.status === 'fulfilled' && loaded.value.status === 'committed'
    expect(isLoaded ? now.status : 'committed').toBe(
      approved?.status === 'fulfilled' ? 'committed' : 'quarantined',
    )
    expect(await registry.broken()).toEqual([])
  })
})

test('a raised version with two loads that wait: read anew once, and nothing is told twice', async () => {
  const registry = await registryForTest()
  const definition = registerDefinition(registry.context.workDir)
  const folder = dirname(definition.file)
  const before = Array.from({ length: 30 }, (_, at) => aListed(`P${100 + at}`))
  const second = before.slice(2).map((listed, at) => ({
    ...listed,
    ...(at < 5 ? { address: `Plaza Nueva ${at}` } : {}),
  }))
  const third = [...second, aListed('NEW')]
  const load = async (rows: Listed[], observedAt: string, version: number) => {
    const file = writeRegister(folder, observedAt.slice(0, 10), rows)
    return registry.load({ definition: { ...definition, version }, file, observedAt })
  }
  await load(before, DAY_1, 1)

  const settled = await beginTogether(registry, [
    () => load(second, DAY_2, 2),
    () => load(third, DAY_3, 2),
  ])
  const runs = settled.flatMap((end) => (end.status === 'fulfilled' ? end.value : []))

  expect(runs.filter(({ renormalised }) => renormalised).length).toBe(1)
  const told = (await Promise.all(runs.map(({ run }) => registry.eventsOfRun(run)))).flat()
  const kinds = told.map(({ event_type, external_id }) => `${event_type} ${external_id}`)
  expect(kinds.sort()).toEqual([
    'closed_hard P100',
    'closed_hard P101',
    'opened NEW',
    ...['P102', 'P103', 'P104', 'P105', 'P106'].map((id) => `relocated ${id}`),
  ])
  const served = await registry.current(definition.territory as string)
  expect([...served.keys()].sort()).toEqual(third.map(({ id }) => id).sort())
  expect(await registry.broken()).toEqual([])
})
