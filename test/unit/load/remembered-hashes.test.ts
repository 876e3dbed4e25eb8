import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createComparison } from '../../../src/delta/snapshot.ts'
import { warningTally } from '../../../src/domain/run.ts'
import { type Leaving, openRememberedHashes } from '../../../src/load/remembered-hashes.ts'
import { aDefinition } from '../../support/pharmacy.ts'

let folder: string
let workDir: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pharmacy-registry-hashes-'))
  workDir = mkdtempSync(join(tmpdir(), 'pharmacy-registry-work-'))
})
afterEach(() => {
  for (const path of [folder, workDir]) rmSync(path, { recursive: true, force: true })
})

const remembered = () => openRememberedHashes(folder, workDir)

const leaving: Leaving = {
  territory: 'ES-MD',
  state: { last_run: 7, last_changed_at: '2024-01-01T06:00:00.000Z', active: 20_000, inactive: 0 },
}
const otherwise = (more: Partial<Leaving['state']>): Leaving => ({
  ...leaving,
  state: { ...leaving.state, ...more },
})
const path = () => join(folder, 'ES-MD.hashes')

const aComparison = () =>
  createComparison({ definition: aDefinition(), expected: 0, tally: warningTally() })
const hashOf = (n: number) => `${String(n).padStart(21, 'x')}A`

/** Enough ids for several chunks. */
function known() {
  const comparison = aComparison()
  for (let n = 0; n < 20_000; n++) comparison.previous(`Farmacia Ñ ${n}`, hashOf(n))
  for (let n = 0; n < 20_000; n++) comparison.row(aRow(`Farmacia Ñ ${n}`, hashOf(n)))
  return comparison
}

function aRow(external_id: string, hash: string) {
  return { kind: 'record', record: { external_id }, hash, prefer: null } as never
}

async function recalled(of: Leaving = leaving) {
  const comparison = aComparison()
  const why = await remembered().recall(of, (entries) => comparison.previousPacked(entries))
  if (why !== null) return null
  for (let n = 0; n < 20_000; n++) comparison.row(aRow(`Farmacia Ñ ${n}`, hashOf(n)))
  return comparison.finish().counts
}

describe('remembered hashes', () => {
  it('are the same state again, in whatever chunks they come', async () => {
    await remembered().prepare(known().packed()).keep(leaving)
    expect(await recalled()).toMatchObject({ unchanged: 20_000, added: 0, updated: 0, removed: 0 })
    expect([readdirSync(folder), readdirSync(workDir)]).toEqual([['ES-MD.hashes'], []])
  })

  it('may have ids as long as their length can tell', async () => {
    const ids = Array.from(
      { length: 3_000 },
      (_, n) => `${n} ${'x'.repeat(n % 1_000 === 7 ? 65_525 : 30)}`,
    )
    const before = aComparison()
    for (const id of ids) before.row(aRow(id, hashOf(1)))
    await remembered().prepare(before.packed()).keep(leaving)
    const after = aComparison()
    expect(await remembered().recall(leaving, (bytes) => after.previousPacked(bytes))).toBeNull()
    for (const id of ids) after.row(aRow(id, hashOf(1)))
    expect(after.finish().counts).toMatchObject({ unchanged: 3_000, added: 0, removed: 0 })
  })

  it('are nowhere when their run does not commit', async () => {
    await remembered().prepare(known().packed()).drop()
    expect([readdirSync(folder), readdirSync(workDir)]).toEqual([[], []])
  })

  it('stay when they are dropped after they were kept', async () => {
    const prepared = remembered().prepare(known().packed())
    await prepared.keep(leaving)
    await prepared.drop()
    expect(await recalled()).not.toBeNull()
  })

  it('that could not be written are told of when they are to be kept', async () => {
    writeFileSync(join(workDir, 'file'), '')
    const prepared = openRememberedHashes(folder, join(workDir, 'file')).prepare(known().packed())
    await expect(prepared.keep(leaving)).rejects.toThrow('EEXIST')
    await prepared.drop()
    expect(await recalled()).toBeNull()
  })

  it('are none where nothing was remembered', async () => {
    expect(await recalled()).toBeNull()
  })

  it.each([
    ['of another run', { last_run: 8 }],
    [
      'of a run of the same number that committed at another instant',
      { last_changed_at: '2025-01-01T06:00:00.000Z' },
    ],
    ['of another total', { active: 19_999 }],
    ['of another share of inactive ones', { active: 19_999, inactive: 1 }],
  ])('are none for a territory %s', async (_what, more) => {
    await remembered().prepare(known().packed()).keep(leaving)
    expect(await recalled(otherwise(more))).toBeNull()
    expect(await recalled()).not.toBeNull()
  })

  it('are those of the last run that was remembered', async () => {
    const hashes = remembered()
    await hashes.prepare(known().packed()).keep(leaving)
    await hashes.prepare(known().packed()).keep(otherwise({ last_run: 9 }))
    expect([await recalled(), await recalled(otherwise({ last_run: 9 }))]).toEqual([
      null,
      expect.objectContaining({ unchanged: 20_000 }),
    ])
  })

  it('are none, with the reason, when the file cannot be read', async () => {
    mkdirSync(path())
    const why = await remembered().recall(leaving, () => 0)
    expect(why).toMatch('EISDIR')
  })

  it('are those of the file that was found good, also when another takes its place', async () => {
    const hashes = remembered()
    await hashes.prepare(known().packed()).keep(leaving)
    const comparison = aComparison()
    let chunks = 0
    const why = await hashes.recall(leaving, (entries) => {
      if (chunks++ === 0) {
        rmSync(path())
        writeFileSync(path(), 'another')
      }
      return comparison.previousPacked(entries)
    })
    expect(why).toBeNull()
    expect(chunks).toBeGreaterThan(1)
    expect([...comparison.removed()]).toHaveLength(20_000)
  })

  it('are none when the file was cut or altered anywhere', async () => {
    await remembered().prepare(known().packed()).keep(leaving)
    const whole = readFileSync(path())
    for (const length of [0, 10, whole.length - 1, whole.length - 40, whole.length >> 1]) {
      truncateSync(path(), length)
      expect([length, await recalled()]).toEqual([length, null])
      writeFileSync(path(), whole)
    }
    for (const at of [3, 200, whole.length >> 1, whole.length - 40, whole.length - 1]) {
      const altered = Buffer.from(whole)
      altered[at] = (altered[at] ?? 0) ^ 1
      writeFileSync(path(), altered)
      expect([at, await recalled()]).toEqual([at, null])
    }
  })
})
