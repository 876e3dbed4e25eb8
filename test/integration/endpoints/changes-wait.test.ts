import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changes } from '../../../src/http/endpoints/changes.ts'
import { openTestRegistry, type TestRegistry } from '../../support/loading.ts'
import { aListed, type Listed, registerDefinition, writeRegister } from '../../support/register.ts'
import { type Serving, serve } from '../http/serving.ts'

const SINCE = 'since=2000-01-01T00:00:00Z'

let folder: string
let registry: TestRegistry
let serving: Serving
let loads = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pharmacy-registry-wait-'))
  registry = await openTestRegistry()
  serving = await serve(registry.db, [changes], { watchLimits: { all: 8, perKey: 6 } })
  await load('ES-MD', [aListed('1')])
  await load('ES-CT', [aListed('1')])
})
afterAll(async () => {
  await serving.close()
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
})

async function load(territory: string, register: Listed[]): Promise<void> {
  loads += 1
  const file = writeRegister(folder, `${territory}-${loads}`, register)
  const observedAt = new Date(Date.parse('2026-01-01T06:00:00Z') + loads * 60_000).toISOString()
  const definition = registerDefinition(folder, { territory })
  await registry.load({ definition, file, observedAt, force: true })
}

async function poll(query: string, more: { key?: string; signal?: AbortSignal } = {}) {
  const began = performance.now()
  const response = await fetch(`${serving.url}/v1/farmacias/changes?${SINCE}&${query}`, {
    headers: { 'X-API-Key': more.key ?? serving.key },
    ...(more.signal ? { signal: more.signal } : {}),
  })
  const body = (await response.json()) as {
    items: { external_id: string; territory_code: string }[]
    next_cursor: number | null
    resume_cursor: number
    code?: string
  }
  return { status: response.status, headers: response.headers, body, ms: performance.now() - began }
}

const lastId = async () => (await registry.state()).last_change_id
const ids = ({ body }: Awaited<ReturnType<typeof poll>>) =>
  body.items.map((item) => `${item.territory_code} ${item.external_id}`)
const scoped = async (territory: string) =>
  (await serving.keys.issue({ name: 'x', territories: [territory], expires_at: null })).key
const settled = () => new Promise((resolve) => setTimeout(resolve, 1100))

describe('200', () => {
  it('what is there already is answered at once', async () => {
    const answer = await poll('cursor=0&wait=50')
    expect(ids(answer)).toEqual(['ES-MD 1', 'ES-CT 1'])
    expect(answer.ms).toBeLessThan(5000)
  })

  it('api.md row 40: a commit answers all who wait for it, within two seconds', async () => {
    await settled()
    const cursor = await lastId()
    const waiting = [1, 2, 3].map(() => poll(`cursor=${cursor}&wait=50`))
    await new Promise((resolve) => setTimeout(resolve, 500))
    await load('ES-MD', [aListed('1'), aListed('2')])
    const committed = performance.now()
    const answers = await Promise.all(waiting)
    expect(performance.now() - committed).toBeLessThan(3000)
    for (const answer of answers) {
      expect(ids(answer)).toEqual(['ES-MD 2'])
      expect(answer.body).toMatchObject({ next_cursor: null, resume_cursor: cursor + 1 })
    }
  })

  it('a commit elsewhere wakes nobody, and moves the resume_cursor', async () => {
    await settled()
    const cursor = await lastId()
    const key = await scoped('ES-CT')
    const waiting = [
      poll(`cursor=${cursor}&wait=3`, { key }),
      poll(`cursor=${cursor}&wait=3&territories=ES-CT`),
    ]
    await load('ES-MD', [aListed('1')])
    for (const answer of await Promise.all(waiting)) {
      expect(answer.ms).toBeGreaterThan(2900)
      expect(answer.body).toEqual({ items: [], next_cursor: null, resume_cursor: cursor + 1 })
    }
  })

  it('nothing new: an empty page when the time is over, not before', async () => {
    const cursor = await lastId()
    const answer = await poll(`cursor=${cursor}&wait=1`)
    expect(answer.ms).toBeGreaterThan(950)
    expect(answer.ms).toBeLessThan(4000)
    expect(answer.body).toEqual({ items: [], next_cursor: null, resume_cursor: cursor })
  })
})

describe('401', () => {
  it('a key that was revoked while it waited is told nothing', async () => {
    await settled()
    const { key, id } = await serving.keys.issue({
      name: 'gone',
      territories: null,
      expires_at: null,
    })
    const cursor = await lastId()
    const waiting = poll(`cursor=${cursor}&wait=50`, { key })
    const untilOver = poll(`cursor=${cursor}&wait=7&territories=ES-CT`, { key })
    await new Promise((resolve) => setTimeout(resolve, 500))
    await serving.keys.revoke(id)
    // What a process knows of a key may be this old.
    await new Promise((resolve) => setTimeout(resolve, 5000))
    await load('ES-MD', [aListed('1'), aListed('revoked')])
    for (const { status, body } of await Promise.all([waiting, untilOver])) {
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'unauthorized' })
    }
  })
})

describe('limits', () => {
  it('429 beyond so many of a key, 503 beyond so many of all; who hangs up makes room', async () => {
    await settled()
    const cursor = await lastId()
    const gone = new AbortController()
    const other = await scoped('ES-MD')
    const waitOn = (key: string) =>
      poll(`cursor=${cursor}&wait=40`, { key, signal: gone.signal }).catch(() => 'gone')
    const waiting = Array.from({ length: 6 }, () => waitOn(serving.key))
    await new Promise((resolve) => setTimeout(resolve, 500))
    const seventh = await poll(`cursor=${cursor}&wait=40`)
    expect(seventh).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(seventh.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    waiting.push(waitOn(other), waitOn(other))
    await new Promise((resolve) => setTimeout(resolve, 500))
    const ninth = await poll(`cursor=${cursor}&wait=40`, { key: other })
    expect(ninth).toMatchObject({ status: 503, body: { code: 'overloaded' } })
    expect((await poll(`cursor=${cursor}`)).status).toBe(200)
    gone.abort()
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'gone'))
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect((await poll(`cursor=${cursor}&wait=1`)).status).toBe(200)
  })

  it.each(['51', '-1', '1.5', 'true'])('400: wait=%s', async (wait) => {
    const answer = await poll(`wait=${wait}`)
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ parameter: 'wait' }] } })
  })

  it('a server that closes lets nobody wait on', async () => {
    const closing = await serve(registry.db, [changes])
    const cursor = await lastId()
    const waiting = fetch(`${closing.url}/v1/farmacias/changes?${SINCE}&cursor=${cursor}&wait=50`, {
      headers: { 'X-API-Key': closing.key },
    })
    await new Promise((resolve) => setTimeout(resolve, 500))
    const began = performance.now()
    await closing.close()
    expect(performance.now() - began).toBeLessThan(3000)
    expect(await (await waiting).json()).toEqual({
      items: [],
      next_cursor: null,
      resume_cursor: cursor,
    })
  })
})
