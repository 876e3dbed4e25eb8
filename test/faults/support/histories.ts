import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Pharmacy } from '../../../src/domain/pharmacy.ts'
import { instantOf } from '../../../src/domain/time.ts'
import type { LoadRequest } from '../../../src/load/context.ts'
import { type Random, seededRandom } from '../../support/random.ts'
import { aListed, type Listed, registerDefinition, writeRegister } from '../../support/register.ts'

/** One dated file of one territory, ready to load. */
export interface Snapshot {
  territory: string
  /** its place in the territory's history, from 0 */
  at: number
  file: string
  observedAt: string
}

/** Invented registers that change at random from one snapshot to the next, and the memory of what each one said. */
export interface Histories {
  territories: readonly string[]
  next(territory: string): Snapshot
  request(snapshot: Snapshot): LoadRequest
  /** which snapshot a dataset is, from 0; undefined when it is none: half of one, or a mixture */
  placeOf(territory: string, dataset: Iterable<Pharmacy>): number | undefined
  placeOfSnapshot(territory: string, observedAt: string): number | undefined
}

interface Register {
  rows: Map<string, Listed>
  made: Snapshot[]
  places: Map<string, number>
  nextId: number
  size: number
}

const DAY_MS = 86_400_000
const START = Date.parse('2020-01-01T06:00:00.000Z')

export function openHistories(options: {
  folder: string
  seed: number
  territories: readonly string[]
  /** pharmacies of the first snapshot, at least and at most */
  sizes: [number, number]
}): Histories {
  const { folder, territories, sizes } = options
  const random = seededRandom(options.seed)
  const registers = new Map(territories.map((code) => [code, newRegister(random, sizes)]))
  const registerOf = (territory: string) => {
    const register = registers.get(territory)
    if (register) return register
    throw new Error(`no register of ${territory}`)
  }

  return {
    territories,
    next(territory) {
      const register = registerOf(territory)
      const at = register.made.length
      if (at > 0) change(register, random)
      const file = writeRegister(folder, `${territory}-${at}`, register.rows.values())
      const observedAt = instantOf(START + at * DAY_MS)
      const snapshot = { territory, at, file, observedAt }
      register.made.push(snapshot)
      register.places.set(fingerprint([...register.rows.values()].map(lineOfListed)), at)
      return snapshot
    },
    request: ({ territory, file, observedAt }) => ({
      definition: registerDefinition(join(folder, 'definitions'), { territory }),
      file,
      observedAt,
    }),
    placeOf: (territory, dataset) =>
      registerOf(territory).places.get(fingerprint([...dataset].map(lineOfPharmacy))),
    placeOfSnapshot: (territory, observedAt) =>
      registerOf(territory).made.find((snapshot) => snapshot.observedAt === observedAt)?.at,
  }
}

function newRegister(random: Random, [least, most]: [number, number]): Register {
  const size = least + random.integer(most - least + 1)
  const register: Register = { rows: new Map(), made: [], places: new Map(), nextId: 0, size }
  for (let count = 0; count < size; count += 1) add(register)
  return register
}

function add(register: Register): void {
  const id = `P${String(register.nextId).padStart(6, '0')}`
  register.nextId += 1
  register.rows.set(id, aListed(id))
}

/** Everything that can happen to a pharmacy happens, to few or to many; at least one thing always does. */
function change(register: Register, random: Random): void {
  const stamp = register.made.length
  const share = random.pick([0.01, 0.05, 0.2, 0.6])
  for (const [id, row] of register.rows) {
    if (!random.chance(share)) continue
    const what = random.integer(6)
    if (what === 0) register.rows.delete(id)
    else if (what === 1) register.rows.set(id, { ...row, state: row.state === 'A' ? 'C' : 'A' })
    else if (what === 2)
      register.rows.set(id, { ...row, address: `Plaza Inventada ${stamp} ${id}` })
    else if (what === 3) register.rows.set(id, { ...row, owner: `Titular ${stamp} ${id}` })
    else if (what === 4) register.rows.set(id, { ...row, name: `Farmacia ${stamp} ${id}` })
    else register.rows.set(id, { ...row, city: `Villa ${stamp}` })
  }
  // About as many come as went, so that a long history stays as large as it began.
  const gone = Math.max(0, register.size - register.rows.size)
  const added = 1 + random.integer(2 * gone + 2)
  for (let count = 0; count < added; count += 1) add(register)
}

function fingerprint(lines: string[]): string {
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex')
}

function lineOfListed(row: Listed): string {
  return [row.id, row.name, row.address, row.city, row.owner, row.state === 'A'].join('|')
}

function lineOfPharmacy(record: Pharmacy): string {
  const { external_id, name, address_line, city, owner_name, is_active } = record
  return [external_id, name, address_line, city, owner_name, is_active].join('|')
}
