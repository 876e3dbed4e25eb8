import { Client } from '@elastic/elasticsearch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OperatorError, Problem } from '../../../src/domain/problem.ts'
import { createKeyring } from '../../../src/http/keyring.ts'
import { type Db, openDb } from '../../../src/store/db.ts'
import { openKeys } from '../../../src/store/keys.ts'
import { elasticsearchUrl, testPrefix } from '../../support/registry.ts'
import { openWire, type Wire } from '../../support/wire.ts'
import { eventually, openTestRegistry } from './serving.ts'

const START = '2026-01-31T00:00:00.000Z'
const clock = { ms: Date.parse(START) }
const now = () => clock.ms

let db: Db
let keys: ReturnType<typeof openKeys>
beforeAll(async () => {
  db = await openTestRegistry()
  keys = openKeys(db, { now })
})

const forAll = (name: string) => keys.issue({ name, territories: null, expires_at: null })
const rest = (key: string) => key.slice(17)

describe('keys', () => {
  test('a key is shown once, carries its id and 256 bits, and only its hash is stored', async () => {
    const issued = await keys.issue({
      name: ' Panel ',
      territories: ['ES-MD', 'ES-CT', 'ES-MD'],
      expires_at: '2027-01-31T00:00Z',
    })
    expect(issued).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{12}$/),
      key: expect.stringMatching(/^frk_[0-9a-f]{12}_[A-Za-z0-9_-]{43}$/),
      name: 'Panel',
      territories: ['ES-CT', 'ES-MD'],
      expires_at: '2027-01-31T00:00:00.000Z',
    })
    expect(issued.key.slice(4, 16)).toBe(issued.id)
    const stored = await db.client.get({ index: db.alias('keys'), id: issued.id })
    expect(stored._source).toEqual({
      id: issued.id,
      name: 'Panel',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      territories: ['ES-CT', 'ES-MD'],
      created_at: START,
      expires_at: '2027-01-31T00:00:00.000Z',
      revoked_at: null,
      valid_until: null,
      successor_id: null,
      last_used_at: null,
    })
    expect(JSON.stringify(stored)).not.toContain(rest(issued.key))
    const listed = await keys.list()
    expect(listed.find((key) => key.id === issued.id)).toMatchObject({ name: 'Panel' })
    expect(JSON.stringify(listed)).not.toContain('hash')
  })

  test.each([
    [{ name: ' ', territories: null, expires_at: null }, 'name of a key'],
    [{ name: 'x'.repeat(101), territories: null, expires_at: null }, 'name of a key'],
    [{ name: 'x', territories: [], expires_at: null }, 'at least one territory'],
    [{ name: 'x', territories: ['es-md'], expires_at: null }, '"es-md" is not a territory code'],
    [{ name: 'x', territories: null, expires_at: '2027-01-31' }, 'not an instant'],
    [{ name: 'x', territories: null, expires_at: START }, 'would never work'],
  ])('%j is refused in words for the operator', async (request, text) => {
    await expect(keys.issue(request)).rejects.toThrow(OperatorError)
    await expect(keys.issue(request)).rejects.toThrow(text)
  })

  test('authentication: the right key, and nothing near it', async () => {
    const ring = createKeyring(keys, { now })
    const { id, key } = await keys.issue({
      name: 'Lector',
      territories: ['ES-MD'],
      expires_at: null,
    })
    expect(await ring.authenticate(key)).toEqual({
      keyId: id,
      name: 'Lector',
      scope: ['ES-MD'],
      expiresAt: null,
    })
    const flipped = key.endsWith('A') ? `${key.slice(0, -1)}B` : `${key.slice(0, -1)}A`
    const wrong = [
      flipped,
      `${key} `,
      key.slice(0, -1),
      key.toUpperCase(),
      '',
      'frk_',
      `frk_${'0'.repeat(12)}_${rest(key)}`,
    ]
    for (const other of wrong) {
      expect(await ring.authenticate(other)).toBeNull()
      expect(ring.remembers(other)).toBe(false)
    }
    expect(ring.remembers(key)).toBe(true)
  })

  test('a revocation takes effect within 5 seconds on every process', async () => {
    const rings = [createKeyring(keys, { now }), createKeyring(keys, { now })]
    const { id, key } = await forAll('Revocada')
    for (const ring of rings) expect(await ring.authenticate(key)).not.toBeNull()
    expect(await keys.revoke(id)).toMatchObject({
      id,
      revoked_at: new Date(clock.ms).toISOString(),
    })
    clock.ms += 3000
    for (const ring of rings) expect(await ring.authenticate(key)).toBeNull()
    const again = await keys.revoke(id)
    expect(again.revoked_at).not.toBe(new Date(clock.ms).toISOString())
  })

  test('an expired key ends at its instant, cached or not', async () => {
    const ring = createKeyring(keys, { now })
    const expires_at = new Date(clock.ms + 1000).toISOString()
    const { key } = await keys.issue({ name: 'Breve', territories: null, expires_at })
    expect(await ring.authenticate(key)).toMatchObject({ expiresAt: expires_at })
    clock.ms += 999
    expect(await ring.authenticate(key)).not.toBeNull()
    clock.ms += 1
    expect(await ring.authenticate(key)).toBeNull()
  })

  test('rotation: both keys work until the grace ends, then only the successor', async () => {
    const ring = createKeyring(keys, { now })
    const old = await keys.issue({ name: 'Rotada', territories: ['ES-MD'], expires_at: null })
    const successor = await keys.rotate(old.id, 60)
    const valid_until = new Date(clock.ms + 60_000).toISOString()
    expect(successor).toEqual({
      id: expect.not.stringMatching(old.id),
      key: expect.stringMatching(/^frk_/),
      name: 'Rotada',
      territories: ['ES-MD'],
      expires_at: null,
      previous: { id: old.id, valid_until },
    })
    expect(await ring.authenticate(old.key)).toMatchObject({ expiresAt: valid_until })
    expect(await ring.authenticate(successor.key)).toMatchObject({ scope: ['ES-MD'] })
    clock.ms += 60_000
    expect(await ring.authenticate(old.key)).toBeNull()
    expect(await ring.authenticate(successor.key)).not.toBeNull()
    await expect(keys.rotate(old.id, 60)).rejects.toThrow(`its successor is ${successor.id}`)
    expect((await keys.list()).find((key) => key.id === old.id)).toMatchObject({
      valid_until,
      successor_id: successor.id,
    })
  })

  test('two rotations at once leave one successor that works', async () => {
    const old = await forAll('Doble')
    const results = await Promise.allSettled([keys.rotate(old.id, 60), keys.rotate(old.id, 60)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const alive = (await keys.list()).filter(
      (key) => key.name === 'Doble' && key.revoked_at === null && key.id !== old.id,
    )
    expect(alive).toHaveLength(1)
  })

  test('what cannot be rotated or revoked is said in words', async () => {
    await expect(keys.revoke('ffffffffffff')).rejects.toThrow('There is no key')
    await expect(keys.rotate('ffffffffffff', 1)).rejects.toThrow('There is no key')
    const { id } = await forAll('Fin')
    await expect(keys.rotate(id, -1)).rejects.toThrow('grace period')
    await keys.revoke(id)
    await expect(keys.rotate(id, 1)).rejects.toThrow('was revoked')
  })

  test('the last use is remembered, about once a minute', async () => {
    const ring = createKeyring(keys, { now })
    const { id, key } = await forAll('Usada')
    const first = new Date(clock.ms).toISOString()
    await ring.authenticate(key)
    const lastUse = async () => (await keys.read(id))?.last_used_at
    let seen: string | null | undefined = null
    while (seen === null) seen = await lastUse()
    expect(seen).toBe(first)
    clock.ms += 30_000
    await ring.authenticate(key)
    clock.ms += 30_000
    await ring.authenticate(key)
    while (seen === first) seen = await lastUse()
    expect(seen).toBe(new Date(clock.ms).toISOString())
  })
})

describe('looking keys up', () => {
  let wire: Wire
  beforeAll(async () => {
    wire = await openWire(elasticsearchUrl())
  })
  afterAll(() => wire.close())
  const wiredDb = () => openDb(new Client({ node: wire.url, maxRetries: 0 }), db.prefix)
  const gets = () =>
    wire.passed.filter(({ method, path }) => method === 'GET' && path.includes('-keys/')).length

  test('many requests at once ask once, and again only after three seconds', async () => {
    const { key } = await forAll('Mucha')
    const ring = createKeyring(openKeys(wiredDb(), { now }), {
      now,
    })
    const before = gets()
    const all = await Promise.all(Array.from({ length: 50 }, () => ring.authenticate(key)))
    expect(all.every((principal) => principal !== null)).toBe(true)
    clock.ms += 2999
    await ring.authenticate(key)
    expect(gets()).toBe(before + 1)
    clock.ms += 1
    await ring.authenticate(key)
    expect(gets()).toBe(before + 2)
  })

  test('malformed keys ask nothing, unknown ones once', async () => {
    const ring = createKeyring(openKeys(wiredDb(), { now }), {
      now,
    })
    const before = gets()
    for (const key of ['', 'x', `frk_zzzzzzzzzzzz_${'a'.repeat(43)}`]) await ring.authenticate(key)
    expect(gets()).toBe(before)
    for (let i = 0; i < 10; i++) await ring.authenticate(`frk_111111111111_${'a'.repeat(43)}`)
    expect(gets()).toBe(before + 1)
  })

  test('a store that is away is 503, not 401, and is asked again', async () => {
    const { key } = await forAll('Paciente')
    const ring = createKeyring(openKeys(wiredDb(), { now }), {
      now,
    })
    wire.decide(() => 'drop')
    const failure = await ring.authenticate(key).catch((thrown: unknown) => thrown)
    expect(failure).toBeInstanceOf(Problem)
    expect(failure).toMatchObject({ code: 'store_unavailable' })
    wire.decide(() => 'pass')
    expect(await ring.authenticate(key)).not.toBeNull()
  })

  test('a registry that is not set up is 503 too', async () => {
    const missing = openDb(db.client, testPrefix())
    const nowhere = openKeys(missing, { now })
    await expect(nowhere.read('0123456789ab')).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(
      nowhere.issue({ name: 'x', territories: null, expires_at: null }),
    ).rejects.toThrow()
  })

  test('a use that cannot be recorded does not refuse the caller', async () => {
    const { key } = await forAll('Igual')
    const failures: unknown[] = []
    const ring = createKeyring(openKeys(wiredDb(), { now }), {
      now,
      onTouchFailed: (cause) => failures.push(cause),
    })
    wire.decide(({ path }) => (path.includes('_update') ? 'drop' : 'pass'))
    expect(await ring.authenticate(key)).not.toBeNull()
    await eventually(() => failures.length === 1, 'the report of the failure')
    wire.decide(() => 'pass')
  })
})
