import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import type { SourceDefinition } from '../../../src/domain/definition.ts'
import type { PharmacyField } from '../../../src/domain/pharmacy.ts'
import {
  HAS_REAL_REGISTERS,
  REAL_FOLDER,
  REAL_REGISTERS,
  type RealRegister,
  realFile,
  statedOf,
} from '../../support/real-registers.ts'
import { type Loaded, loadSnapshot, type Snapshot, tableOf } from '../../support/scenario.ts'

/** The published registers through the pure pipeline alone; test/integration/real-data.test.ts loads and stores them. */
type Rows = Pick<Snapshot, 'layout' | 'rows'>

const READERS: Readonly<Record<string, (path: string) => Rows>> = {
  'es-md': (path) => tableOf(readFileSync(path, 'latin1'), { delimiter: ';' }),
  'es-ct': (path) => tableOf(readFileSync(path, 'utf8'), { delimiter: ',' }),
  'es-pv': (path) => featuresOf(readFileSync(path, 'utf8')),
}

function featuresOf(text: string): Rows {
  const { features } = JSON.parse(text) as {
    features: { properties: Record<string, unknown>; geometry: unknown }[]
  }
  return {
    layout: { header: null },
    rows: features.map(({ properties, geometry }) => ({ fields: properties, geometry })),
  }
}

function load(register: RealRegister, snapshot: 1 | 2, previous?: Loaded['state']): Loaded {
  const definition = parseYaml(
    readFileSync(join(REAL_FOLDER, 'sources', `${register.name}.yaml`), 'utf8'),
  ) as SourceDefinition
  const read = READERS[register.name]
  if (!read) throw new Error(`no reader for ${register.name}`)
  const observedAt = statedOf(register, snapshot).observed_at
  return loadSnapshot(definition, { ...read(realFile(register, snapshot)), observedAt }, previous)
}

describe.runIf(HAS_REAL_REGISTERS).each(REAL_REGISTERS)('$name', (register) => {
  it('gives the stated records in the first snapshot', () => {
    const { state, counts, warnings, reasons } = load(register, 1)
    expect({ counts, warnings, reasons }).toEqual({
      counts: statedOf(register, 1).counts,
      warnings: [],
      reasons: [],
    })
    const found: Record<string, number> = {}
    for (const { record } of state.values()) {
      for (const [field, value] of Object.entries(record) as [PharmacyField, unknown][]) {
        if (value === null && field !== 'official_last_modified_at')
          found[field] = (found[field] ?? 0) + 1
      }
    }
    expect(found).toEqual(register.nulls)
    for (const [id, fields] of Object.entries(register.records))
      expect(state.get(id)?.record).toMatchObject(fields)
  })

  it('gives exactly the stated counts, events and changes in the second', () => {
    const second = load(register, 2, load(register, 1).state)
    const stated = statedOf(register, 2)
    expect(second.counts).toEqual(stated.counts)
    expect(second.reasons).toEqual([])
    expect(
      second.events.map(({ event_type, external_id, old, new: after }) => ({
        event_type,
        external_id,
        old,
        new: after,
      })),
    ).toEqual(stated.events)
    expect(
      second.changes.map(({ operation, external_id }) => ({ operation, external_id })),
    ).toEqual(stated.changes)
  })
})
