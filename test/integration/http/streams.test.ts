import { connect } from 'node:net'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Problem } from '../../../src/domain/problem.ts'
import { compressed } from '../../../src/http/compressed.ts'
import type { TellLength } from '../../../src/http/endpoint.ts'
import { choiceParam } from '../../../src/http/params.ts'
import type { Db } from '../../../src/store/db.ts'
import {
  endpointOf,
  eventually,
  openStalled,
  openTestRegistry,
  type Serving,
  sendRaw,
  serve,
} from './serving.ts'

const CHUNK = 'x'.repeat(65_536)
const seen = { pulled: 0, ended: 0, opened: 0, aborted: 0, done: 0 }

const Query = Type.Object({
  end: choiceParam(['never', 'fails', 'fails-first', 'not-loaded', 'whole', 'told', 'hangs'], {
    default: 'whole',
    description: 'How it ends.',
  }),
})

const streaming = endpointOf(
  '/v1/stream',
  ({ query, signal }) => {
    signal.addEventListener('abort', () => {
      seen.aborted += 1
    })
    const plain = (tell: TellLength) => chunks(String(query.end), signal, tell)
    return {
      kind: 'stream',
      contentType: 'text/csv; charset=utf-8',
      headers: { 'Content-Disposition': 'attachment; filename="x.csv"' },
      tag: { value: 's', weak: false },
      done: (chunk) => {
        seen.done += 1
        // As if something else were read into its memory.
        chunk.fill(0)
      },
      read: (coding, tell) =>
        coding
          ? compressed(
              plain(() => undefined),
              coding,
            )
          : plain(tell),
    }
  },
  { querySchema: Query, contentType: 'text/csv' },
)

async function* chunks(
  end: string,
  signal: AbortSignal,
  tell: TellLength,
): AsyncGenerator<Uint8Array> {
  seen.opened += 1
  try {
    if (end === 'told') tell(40 * CHUNK.length)
    if (end === 'fails-first') throw new Error('engine')
    if (end === 'not-loaded') throw new Problem('store_unavailable', 'Away.')
    for (let i = 0; end === 'never' || i < 40; i++) {
      if (end === 'fails' && i === 20) throw new Error('engine')
      if (end === 'hangs' && i === 20) await untilAborted(signal)
      seen.pulled += 1
      yield Buffer.from(CHUNK)
    }
  } finally {
    seen.ended += 1
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

let db: Db
let serving: Serving
beforeAll(async () => {
  db = await openTestRegistry()
  serving = await serve(db, [streaming], { deadlineMs: 1000 })
})
afterAll(() => serving.close())

const ask = (end: string, init: RequestInit = {}) =>
  fetch(`${serving.url}/v1/stream?end=${end}`, {
    ...init,
    headers: { 'X-API-Key': serving.key, ...init.headers },
  })
const requestFor = (end: string, version = '1.1') =>
  `GET /v1/stream?end=${end} HTTP/${version}\r\nHost: x\r\nX-API-Key: ${serving.key}\r\nConnection: close\r\n\r\n`

describe('streams', () => {
  test('arrive whole, plain and compressed', async () => {
    for (const encoding of ['identity', 'gzip']) {
      const response = await ask('whole', { headers: { 'Accept-Encoding': encoding } })
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(response.headers.get('content-disposition')).toBe('attachment; filename="x.csv"')
      expect(await response.text()).toBe(CHUNK.repeat(40))
    }
  })

  test('say how long they are where it is known, and nothing where it is not', async () => {
    const lengthOf = async (end: string, encoding: string) => {
      const response = await ask(end, { headers: { 'Accept-Encoding': encoding } })
      expect(await response.text()).toBe(CHUNK.repeat(40))
      return response.headers.get('content-length')
    }
    expect(await lengthOf('told', 'identity')).toBe(String(40 * CHUNK.length))
    expect(await lengthOf('told', 'gzip')).toBeNull()
    expect(await lengthOf('whole', 'identity')).toBeNull()
  })

  test('tell of each chunk when it has been sent, and not before', async () => {
    const before = seen.done
    const response = await ask('whole', { headers: { 'Accept-Encoding': 'identity' } })
    expect(await response.text()).toBe(CHUNK.repeat(40))
    expect(seen.done).toBe(before + 40)
  })

  test('neither HEAD nor 304 opens one', async () => {
    const before = { ...seen }
    const head = await ask('whole', { method: 'HEAD', headers: { 'Accept-Encoding': 'identity' } })
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, '"s"', ''])
    const fresh = await ask('whole', { headers: { 'If-None-Match': '"s"' } })
    expect([fresh.status, await fresh.text()]).toEqual([304, ''])
    expect(seen.opened).toBe(before.opened)
  })

  test('a client that stops reading stops the pulling; it goes on when the client does', async () => {
    const before = seen.pulled
    const socket = await openStalled(serving.port, requestFor('never'))
    await eventually(() => seen.pulled > before, 'the first chunk')
    await new Promise((resolve) => setTimeout(resolve, 500))
    const atRest = seen.pulled
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(seen.pulled).toBe(atRest)
    socket.resume()
    await eventually(() => seen.pulled > atRest + 200, 'many more chunks')
    const { ended } = seen
    socket.destroy()
    await eventually(() => seen.ended === ended + 1, 'the end of the stream')
  })

  test('a client that goes away aborts the signal and ends the stream, also while it waits', async () => {
    const before = { ...seen }
    const socket = await openStalled(serving.port, requestFor('hangs'))
    socket.resume()
    await eventually(() => seen.pulled >= before.pulled + 20, 'twenty chunks')
    socket.destroy()
    await eventually(() => seen.ended === before.ended + 1, 'the end of the stream')
    expect(seen.aborted).toBe(before.aborted + 1)
  })

  test('a client that goes away while it is sent something is no fault of ours', async () => {
    const { ended } = seen
    const lines = serving.log.length
    const socket = await openStalled(serving.port, requestFor('never'))
    socket.resume()
    await new Promise((resolve) => setTimeout(resolve, 100))
    socket.resetAndDestroy()
    await eventually(() => seen.ended === ended + 1, 'the end of the stream')
    await eventually(() => serving.log.length > lines, 'the line of the request')
    expect(serving.log.at(-1)).toMatchObject({ cut: true, level: 30 })
    expect(serving.log.at(-1)).not.toHaveProperty('fault')
  })

  test('a failure half-way is never a well-formed answer', async () => {
    for (const encoding of ['identity', 'gzip']) {
      const response = await ask('fails', { headers: { 'Accept-Encoding': encoding } })
      expect(response.status).toBe(200)
      await expect(response.text()).rejects.toThrow('terminated')
    }
    // HTTP/1.0 knows no chunks: only a reset tells its end from a failure.
    await expect(sendRaw(serving.port, requestFor('fails', '1.0'))).rejects.toThrow('ECONNRESET')
    expect(serving.log.findLast((line) => line.cut === true)).toMatchObject({
      level: 50,
      fault: { message: 'engine' },
    })
  })

  test('a failure before the first byte is a clean problem', async () => {
    const first = await ask('fails-first')
    expect([first.status, first.headers.get('content-type')]).toEqual([
      500,
      'application/problem+json',
    ])
    expect(first.headers.get('content-disposition')).toBeNull()
    const away = await ask('not-loaded')
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5'])
  })

  test('the deadline is for the first byte only', async () => {
    const response = await ask('never')
    const reader = response.body?.getReader()
    const until = Date.now() + 1500
    while (Date.now() < until) await reader?.read()
    expect((await reader?.read())?.done).toBe(false)
    await reader?.cancel()
  })
})

describe('closing', () => {
  test('lets a running answer end, takes no new one and hangs up idle connections', async () => {
    let finish: () => void = () => undefined
    const slow = endpointOf('/v1/slow', async () => {
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      return { kind: 'json', body: { done: true } }
    })
    const closing = await serve(db, [slow])
    const answer = fetch(`${closing.url}/v1/slow`, { headers: { 'X-API-Key': closing.key } })
    const idle = connect(closing.port, '127.0.0.1')
    const idleEnded = new Promise((resolve) => idle.on('close', resolve))
    idle.resume()
    await new Promise((resolve) => setTimeout(resolve, 200))
    const began = performance.now()
    const closed = closing.close()
    await expect(fetch(closing.url)).rejects.toThrow('fetch failed')
    finish()
    expect(await (await answer).json()).toEqual({ done: true })
    await Promise.all([closed, idleEnded])
    // Long before the time at which everybody is hung up on.
    expect(performance.now() - began).toBeLessThan(5000)
  })

  test('does not wait for ever', async () => {
    const stuck = endpointOf('/v1/stuck', () => new Promise(() => undefined))
    const closing = await serve(db, [stuck], { closeWithinMs: 200 })
    const answer = fetch(`${closing.url}/v1/stuck`, { headers: { 'X-API-Key': closing.key } })
    const failed = expect(answer).rejects.toThrow('fetch failed')
    await new Promise((resolve) => setTimeout(resolve, 200))
    await closing.close()
    await failed
  })

  test('an address in use is an error of listen', async () => {
    const { buildServer } = await import('../../../src/http/server.ts')
    const { pino } = await import('pino')
    const second = buildServer({
      store: {} as never,
      endpoints: [],
      keys: serving.keys,
      log: pino({ level: 'silent' }),
      rateLimitPerMinute: 0,
    })
    await expect(second.listen(serving.port, '127.0.0.1')).rejects.toThrow('EADDRINUSE')
  })
})
