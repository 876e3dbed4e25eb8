import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runScenario } from '../support/scenario.ts'

/** One folder per row of spec section 3 and decisions section 4: what comes of a snapshot after a state. */
const FOLDER = join(import.meta.dirname, '../scenarios')
const NAMES = readdirSync(FOLDER).sort()

describe('the scenario', () => {
  it.each(NAMES)('%s', (name) => {
    const { counts, events, changes, reasons, warnings } = runScenario(join(FOLDER, name))
    const outcome = {
      counts,
      events: events.map(({ event_type, external_id, old, new: after }) => ({
        event_type,
        external_id,
        old,
        new: after,
      })),
      changes: changes.map(({ operation, external_id }) => ({ operation, external_id })),
      reasons: reasons.map(({ code }) => code),
      warnings: Object.fromEntries(warnings.map(({ code, count }) => [code, count])),
    }
    expect(outcome).toEqual(JSON.parse(readFileSync(join(FOLDER, name, 'expected.json'), 'utf8')))
  })
})
