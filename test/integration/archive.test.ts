import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SourceDefinition } from '../../src/domain/definition.ts'
import { approveRun } from '../../src/load/quarantine.ts'
import { planReplay, replayArchive } from '../../src/load/replay.ts'
import { openArchive } from '../../src/sources/archive.ts'
import type { RunDocument } from '../../src/store/runs.ts'
import { openTestRegistry, registryForTest, type TestRegistry } from '../support/loading.ts'
import { aListed, type Listed, registerDefinition, writeRegister } from '../support/register.ts'

const DAY_MS = 86_400_000
const days = (count: number) => new Date(Date.now() - count * DAY_MS).toISOString()

/** Loads one dated snapshot of an invented register. */
async function loadAt(
  registry: TestRegistry,
  observedAt: string,
  { rows, definition }: { rows: Listed[]; definition: SourceDefinition },
): Promise<RunDocument> {
  const folder = dirname(definition.file)
  const file = writeRegister(folder, observedAt.replaceAll(':', '-'), rows)
  const [run] = await registry.load({ definition, file, observedAt })
  return run as RunDocument
}

const archiveDir = (registry: TestRegistry) => join(registry.context.workDir, '../archive')

/** Makes every archived snapshot look as old as it is dated, as if the loads had been made at their dates. */
async function age(registry: TestRegistry, ageDays: number): Promise<void> {
  const at = new Date(Date.now() - ageDays * DAY_MS)
  for (const name of await snapshots(registry))
    await utimes(join(archiveDir(registry), name), at, at)
}

async function snapshots(registry: TestRegistry): Promise<string[]> {
  return (await readdir(archiveDir(registry))).filter((name) => name.endsWith('.gz')).sort()
}

const hashes = (...runs: RunDocument[]) => runs.map(({ raw }) => `${raw?.sha256}.gz`).sort()

async function collect(runs: AsyncGenerator<RunDocument>): Promise<RunDocument[]> {
  const all: RunDocument[] = []
  for await (const run of runs) all.push(run)
  return all
}

describe('load --from-archive', () => {
  test('rebuilds a registry from the archive: the same records, events and instants', async () => {
    const first = await openTestRegistry()
    onTestFinished(() => first.close())
    const definition = registerDefinition(first.context.workDir)
    const a = aListed('A')
    const b = aListed('B')
    await loadAt(first, days(3), { definition, rows: [a, b] })
    await loadAt(first, days(2), { definition, rows: [a] })
    await loadAt(first, days(1), { definition, rows: [{ ...a, address: 'Plaza Nueva 9' }, b] })

    const second = await registryForTest({ archive: openArchive(archiveDir(first)) })
    const plan = await planReplay(second.context, definition)
    expect({ ...plan, requests: plan.requests.length }).toEqual({
      requests: 3,
      pruned: 0,
      isKnown: true,
    })
    const runs = await collect(replayArchive(second.context, plan))
    expect(runs.map(({ status, events }) => [status, events.opened, events.closed_hard])).toEqual([
      ['committed', 0, 0],
      ['committed', 0, 1],
      ['committed', 1, 0],
    ])
    expect(await second.current('ES-MD')).toEqual(await first.current('ES-MD'))
    const timeless = ({ occurred_at, event_type, external_id }: Record<string, unknown>) => ({
      occurred_at,
      event_type,
      external_id,
    })
    const last = async (registry: TestRegistry) =>
      (await registry.eventsOfRun((await registry.state()).committed_run)).map((event) =>
        timeless({ ...event }),
      )
    expect(await last(second)).toEqual(await last(first))
    expect(await second.broken()).toEqual([])

    const again = await planReplay(second.context, definition)
    expect(again.requests).toEqual([])
  })

  test('one that waits is not replayed; once approved it is, without asking again', async () => {
    const first = await openTestRegistry()
    onTestFinished(() => first.close())
    const definition = registerDefinition(first.context.workDir, { guards: {} })
    const rows = Array.from({ length: 40 }, (_, at) => aListed(`P${at}`))
    await loadAt(first, days(4), { definition, rows })
    const quarantined = await loadAt(first, days(3), { definition, rows: rows.slice(20) })
    expect(quarantined.status).toBe('quarantined')
    const waiting = await registryForTest({ archive: first.context.archive })
    expect((await planReplay(waiting.context, definition)).requests).toHaveLength(1)
    expect((await approveRun(first.context, quarantined)).status).toBe('committed')

    const second = await registryForTest({ archive: first.context.archive })
    const runs = await collect(
      replayArchive(second.context, await planReplay(second.context, definition)),
    )
    expect(runs.map(({ status, counts }) => [status, counts.removed])).toEqual([
      ['committed', 0],
      ['committed', 20],
    ])
    expect(await second.current('ES-MD')).toEqual(await first.current('ES-MD'))
  })

  test('a snapshot of many territories goes to those that had taken it', async () => {
    const first = await openTestRegistry()
    onTestFinished(() => first.close())
    const { territory: _one, ...rest } = registerDefinition(first.context.workDir, { guards: {} })
    const definition: SourceDefinition = {
      ...rest,
      slug: 'registro-nacional',
      territory_from: { column: 'municipio', map: { Madrid: 'ES-MD', Toledo: 'ES-CM' } },
    }
    const many = (city: string, count: number) =>
      Array.from({ length: count }, (_, at) => aListed(`${city}${at}`, { city }))
    await loadAt(first, days(3), {
      definition,
      rows: [...many('Madrid', 40), ...many('Toledo', 3)],
    })
    const file = writeRegister(first.context.workDir, 'second', [
      ...many('Madrid', 10),
      ...many('Toledo', 4),
    ])
    const runs = await first.load({ definition, file, observedAt: days(2) })
    expect(runs.map(({ territory_code, status }) => [territory_code, status])).toEqual([
      ['ES-CM', 'committed'],
      ['ES-MD', 'quarantined'],
    ])

    const second = await registryForTest({ archive: first.context.archive })
    const replayed = await collect(
      replayArchive(second.context, await planReplay(second.context, definition)),
    )
    expect(replayed.map(({ territory_code, status }) => [territory_code, status])).toEqual([
      ['ES-CM', 'committed'],
      ['ES-MD', 'committed'],
      ['ES-CM', 'committed'],
    ])
    expect(await second.current('ES-CM')).toEqual(await first.current('ES-CM'))
    expect(await second.current('ES-MD')).toEqual(await first.current('ES-MD'))
  })
})

describe('the archive is pruned after a load', () => {
  test('of old snapshots, but not of the last applied one nor of one that waits', async () => {
    const registry = await registryForTest({ now: () => Date.now() - 100 * DAY_MS })
    const definition = registerDefinition(registry.context.workDir, { guards: {} })
    const other = registerDefinition(registry.context.workDir, { territory: 'ES-PV', guards: {} })
    const rows = Array.from({ length: 40 }, (_, at) => aListed(`P${at}`))
    const old = await loadAt(registry, days(130), { definition, rows })
    const last = await loadAt(registry, days(120), { definition, rows: rows.slice(1) })
    const waiting = await loadAt(registry, days(110), { definition, rows: rows.slice(20) })
    expect([old.status, last.status, waiting.status]).toEqual([
      'committed',
      'committed',
      'quarantined',
    ])
    await age(registry, 100)
    expect(await snapshots(registry)).toEqual(hashes(old, last, waiting))

    registry.context.now = Date.now
    const forEver = await loadAt(registry, days(2), { definition: other, rows: [aListed('X')] })
    expect(await snapshots(registry)).toEqual(hashes(old, last, waiting, forEver))

    registry.context.archiveKeepDays = 30
    const fresh = await loadAt(registry, days(1), { definition: other, rows: [aListed('Y')] })
    expect(await snapshots(registry)).toEqual(hashes(last, waiting, forEver, fresh))

    const elsewhere = await registryForTest({ archive: registry.context.archive })
    expect(await planReplay(elsewhere.context, definition)).toMatchObject({
      pruned: 1,
      requests: [{ observedAt: last.observed_at }],
    })
  })
})

test('a publisher renames a column: a raised version says what to do, without one nothing is told', async () => {
  const registry = await registryForTest()
  const definition = registerDefinition(registry.context.workDir)
  const rows = [aListed('A'), aListed('B')]
  await loadAt(registry, days(3), { definition, rows })
  const file = writeRegister(dirname(definition.file), 'renamed', rows)
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace(';direccion;', ';domicilio;'))
  const following = {
    ...definition,
    map: { ...definition.map, address_line: { from: 'domicilio' } },
  }

  const raised = { ...following, version: 2 }
  const [failed, ...rest] = await registry.load({
    definition: raised,
    file,
    observedAt: days(2),
  })
  expect(rest).toEqual([])
  expect(failed).toMatchObject({ status: 'failed', renormalised: true })
  expect(failed?.reasons.map(({ code }) => code)).toEqual(['missing_column'])
  expect(failed?.reasons[0]?.detail).toMatch(
    /^The last snapshot, of .*Z, cannot be read with version 2 of the definition; .* leave its version at 1\. /,
  )

  const [run] = await registry.load({ definition: following, file, observedAt: days(1) })
  expect(run).toMatchObject({ status: 'unchanged', counts: { unchanged: 2, updated: 0 } })
  expect(await registry.broken()).toEqual([])
})
