import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DemoPlan, generateDemo } from '../../../demo/generate.ts'
import type { SourceDefinition } from '../../../src/domain/definition.ts'
import { EVENT_TYPES } from '../../../src/domain/event.ts'
import type { Row } from '../../../src/domain/row.ts'
import { readDefinitions } from '../../../src/sources/definitions.ts'
import { openRows } from '../../../src/sources/rows.ts'
import { type Loaded, loadSnapshot, type State } from '../../support/scenario.ts'

const NOW = '2026-03-14T10:20:30.000Z'
/** Registers that keep a pharmacy while it is closed for a while. */
const WITH_STATE = ['demo-es-mc', 'demo-es-nc']

const folder = mkdtempSync(join(tmpdir(), 'demo-'))
let plan: DemoPlan
let definitions: SourceDefinition[]

beforeAll(async () => {
  plan = await generateDemo(folder, { now: NOW, seed: 1 })
  definitions = await readDefinitions(plan.sourcesDir)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What loading a register's snapshots one after the other gives, through the product's own pipeline. */
async function loadsOf(definition: SourceDefinition): Promise<Loaded[]> {
  const loads: Loaded[] = []
  let previous: State | undefined
  for (const { file, observed_at } of plan.snapshots.filter(
    ({ slug }) => slug === definition.slug,
  )) {
    const reader = await openRows(definition, file)
    const rows: Row[] = []
    for await (const batch of reader.batches) rows.push(...batch)
    const loaded = loadSnapshot(
      definition,
      { layout: reader.layout, rows, observedAt: observed_at },
      previous,
    )
    previous = loaded.state
    loads.push(loaded)
  }
  return loads
}

test('there are five registers, each of a territory and a format of its own', () => {
  const formats = definitions.map(({ territory, parse, decode }) => [
    territory,
    parse.format,
    decode.encoding,
  ])
  expect(formats).toEqual([
    ['ES-CT', 'csv', 'utf-8'],
    ['ES-MC', 'json', 'utf-8'],
    ['ES-MD', 'csv', 'iso-8859-1'],
    ['ES-NC', 'esri', 'utf-8'],
    ['ES-PV', 'geojson', 'utf-8'],
  ])
})

test('the snapshots cover a year up to yesterday, in the order in which they are to be loaded', () => {
  const instants = plan.snapshots.map(({ observed_at }) => observed_at)
  expect(instants).toEqual([...instants].sort())
  expect(instants.length).toBe(70)
  expect([instants[0], instants.at(-1)]).toEqual([
    '2025-03-13T05:15:00.000Z',
    '2026-03-13T05:50:00.000Z',
  ])
})

test('each definition reads the newest snapshot, so a loader finds nothing new', () => {
  for (const { slug, fetch, file } of definitions) {
    const newest = plan.snapshots.filter((snapshot) => snapshot.slug === slug).at(-1)?.file
    expect(join(file, '..', fetch.path ?? ''), slug).toBe(newest)
  }
})

test('the same seed gives the same bytes whenever it is run, another seed others', async () => {
  const hashesOf = async (now: string, seed: number) => {
    const { snapshots } = await generateDemo(join(folder, `${seed}-${now.slice(0, 10)}`), {
      now,
      seed,
    })
    return snapshots.map(({ file }) =>
      createHash('sha256').update(readFileSync(file)).digest('hex'),
    )
  }
  const first = plan.snapshots.map(({ file }) =>
    createHash('sha256').update(readFileSync(file)).digest('hex'),
  )
  expect(await hashesOf('2027-01-01T00:00:00.000Z', 1)).toEqual(first)
  expect(await hashesOf(NOW, 2)).not.toEqual(first)
})

describe.each(['demo-es-ct', 'demo-es-mc', 'demo-es-md', 'demo-es-nc', 'demo-es-pv'])(
  '%s',
  (slug) => {
    let loads: Loaded[]
    beforeAll(async () => {
      const definition = definitions.find((each) => each.slug === slug)
      if (!definition) throw new Error(`no definition ${slug}`)
      loads = await loadsOf(definition)
    })

    test('is read without a rejected row, a warning or a doubt, and is never the same twice', () => {
      expect(loads.flatMap(({ warnings, reasons }) => [...warnings, ...reasons])).toEqual([])
      expect(loads.map(({ counts }) => [counts.rejected, counts.duplicates])).toEqual(
        Array(14).fill([0, 0]),
      )
      for (const { state, changes } of loads) {
        expect(state.size).toBeGreaterThan(60)
        expect(state.size).toBeLessThan(330)
        expect(changes.length).toBeGreaterThan(0)
      }
    })

    test('has every kind of event that its format allows in every step', () => {
      const possible = EVENT_TYPES.filter(
        (type) => WITH_STATE.includes(slug) || !['closed_soft', 'reopened'].includes(type),
      )
      for (const { events } of loads.slice(1)) {
        expect(
          EVENT_TYPES.filter((type) => events.some(({ event_type }) => event_type === type)),
        ).toEqual(possible)
      }
    })

    test('has edits that are no events', () => {
      for (const { events, changes } of loads.slice(1)) {
        const withEvent = new Set(events.map(({ external_id }) => external_id))
        expect(changes.filter(({ external_id }) => !withEvent.has(external_id)).length).toBe(1)
      }
    })
  },
)
