import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../../src/store/db.ts'
import { endpointOf, openTestRegistry, type Serving, serve } from './serving.ts'

const endpoints = [
  endpointOf('/v1/rate', (call) => ({
    kind: 'json',
    body: { rate: call.rate },
    tag: { value: 'r', weak: false },
  })),
]
const WRONG = `frk_000000000000_${'x'.repeat(43)}`

let db: Db
beforeAll(async () => {
  db = await openTestRegistry()
})
const open: Serving[] = []
afterAll(() => Promise.all(open.map((serving) => serving.close())))

async function served(
  rateLimitPerMinute: number,
): Promise<{ serving: Serving; clock: { ms: number } }> {
  const clock = { ms: Date.parse('2026-01-31T00:00:00.000Z') }
  const serving = await serve(db, endpoints, { rateLimitPerMinute, now: () => clock.ms })
  open.push(serving)
  return { serving, clock }
}

async function ask(serving: Serving, more: { key?: string; query?: string; tag?: string } = {}) {
  const response = await fetch(`${serving.url}/v1/rate${more.query ?? ''}`, {
    headers: {
      'X-API-Key': more.key ?? serving.key,
      ...(more.tag ? { 'If-None-Match': more.tag } : {}),
    },
  })
  const header = (name: string) => response.headers.get(name)
  return {
    status: response.status,
    text: await response.text(),
    rate: [header('ratelimit-limit'), header('ratelimit-remaining'), header('ratelimit-reset')],
    retryAfter: header('retry-after'),
  }
}

describe('api.md row 33: rates', () => {
  test('every answer to a recognised key tells its bucket: 200, 400, 304, 429', async () => {
    const { serving, clock } = await served(3)
    expect(await ask(serving)).toMatchObject({
      status: 200,
      rate: ['3', '2', '20'],
      retryAfter: null,
    })
    expect(await ask(serving, { query: '?x=1' })).toMatchObject({
      status: 400,
      rate: ['3', '1', '40'],
    })
    expect(await ask(serving, { tag: '"r"' })).toMatchObject({
      status: 304,
      rate: ['3', '0', '60'],
    })
    const refused = await ask(serving, { query: '?x=1' })
    expect(refused).toMatchObject({ status: 429, rate: ['3', '0', '60'], retryAfter: '20' })
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'rate_limited', status: 429 })
    clock.ms += 20_000
    expect(await ask(serving)).toMatchObject({ status: 200, rate: ['3', '0', '60'] })
  })

  test('a handler sees the state of the bucket', async () => {
    const { serving } = await served(600)
    expect(JSON.parse((await ask(serving)).text)).toEqual({
      rate: { limit: 600, remaining: 599, resetSeconds: 1 },
    })
  })

  test('keys have buckets of their own', async () => {
    const { serving } = await served(1)
    const other = await serving.keys.issue({ name: 'otra', territories: null, expires_at: null })
    expect((await ask(serving)).status).toBe(200)
    expect((await ask(serving)).status).toBe(429)
    expect((await ask(serving, { key: other.key })).status).toBe(200)
  })

  test('off: no limit and no headers', async () => {
    const { serving } = await served(0)
    for (let i = 0; i < 50; i++) {
      expect(await ask(serving)).toMatchObject({ status: 200, rate: [null, null, null] })
    }
    for (let i = 0; i < 50; i++) expect((await ask(serving, { key: WRONG })).status).toBe(401)
  })

  test('wrong keys are limited per address; good ones known here still pass', async () => {
    const { serving, clock } = await served(5)
    expect((await ask(serving)).status).toBe(200)
    for (let i = 0; i < 5; i++) {
      expect(await ask(serving, { key: WRONG })).toMatchObject({
        status: 401,
        rate: [null, null, null],
      })
    }
    const refused = await ask(serving, { key: WRONG })
    expect(refused).toMatchObject({ status: 429, retryAfter: '12', rate: [null, null, null] })
    expect((await ask(serving, { key: `${WRONG.slice(0, 20)}${'y'.repeat(40)}` })).status).toBe(429)
    expect((await ask(serving)).status).toBe(200)
    clock.ms += 12_000
    expect((await ask(serving, { key: WRONG })).status).toBe(401)
  })
})
