import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Problem } from '../../../src/domain/problem.ts'
import { booleanParam, limitParam, territoryPathParam } from '../../../src/http/params.ts'
import { ProblemBody } from '../../../src/http/problem.ts'
import {
  endpointOf,
  eventually,
  openTestRegistry,
  type Serving,
  sendRaw,
  serve,
} from './serving.ts'

const Path = Type.Object({ territory_code: territoryPathParam() })
const Query = Type.Object({
  limit: limitParam({ default: 5, max: 10 }),
  flag: booleanParam(false, 'F.'),
})

const LONG = {
  items: Array.from({ length: 500 }, (_, index) => ({ index, name: 'Farmacia Núñez' })),
}

const endpoints = [
  endpointOf(
    '/v1/echo/:territory_code/csv',
    (call) => ({
      kind: 'json',
      body: { path: call.path, query: call.query, now: call.now, principal: call.principal },
      tag: { value: 'abc', weak: false },
      headers: { 'X-Changes-Cursor': '7' },
    }),
    { pathSchema: Path, querySchema: Query },
  ),
  endpointOf('/v1/long', () => ({ kind: 'json', body: LONG, tag: { value: 'long', weak: false } })),
  endpointOf('/v1/rate', (call) => ({ kind: 'json', body: { rate: call.rate } })),
  endpointOf('/v1/forbidden', () => {
    throw new Problem('forbidden_territory', 'The API key does not permit ES-MD.')
  }),
  endpointOf('/v1/not-loaded', () => {
    throw new Problem('territory_not_loaded', 'ES-MD is not loaded yet.', { retryAfterSeconds: 30 })
  }),
  endpointOf('/v1/broken', () => {
    throw new Error('secret engine text', { cause: new Error('index_not_found') })
  }),
  endpointOf('/v1/stuck', () => new Promise(() => undefined)),
  endpointOf('/v1/ready', () => ({
    kind: 'stream',
    contentType: 'text/csv; charset=utf-8',
    async *read(coding) {
      if (coding === 'br') yield brotliCompressSync('in br')
      else yield coding ? gzipSync('in gzip') : Buffer.from('plain')
    },
    tag: { value: 'ready', weak: false },
  })),
  endpointOf('/health', (call) => ({ kind: 'json', body: call.principal }), { open: true }),
]

let serving: Serving
beforeAll(async () => {
  serving = await serve(await openTestRegistry(), endpoints, { deadlineMs: 300 })
})
afterAll(() => serving.close())

function ask(path: string, init: RequestInit & { key?: string | null } = {}): Promise<Response> {
  const { key = serving.key, headers, ...rest } = init
  return fetch(`${serving.url}${path}`, {
    ...rest,
    headers: { ...(key === null ? {} : { 'X-API-Key': key }), ...headers },
  })
}

async function problemOf(response: Response) {
  const body = (await response.json()) as Record<string, unknown>
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(Check(ProblemBody, body), JSON.stringify(body)).toBe(true)
  expect(body.status).toBe(response.status)
  expect(body.request_id).toBe(response.headers.get('x-request-id'))
  return body
}

describe('200', () => {
  test('a handler gets typed parameters, the caller and the instant', async () => {
    const response = await ask('/v1/echo/ES-MD/csv?limit=7&flag=true')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
    expect(response.headers.get('vary')).toBe('Accept-Encoding, X-API-Key')
    const body = (await response.json()) as Record<string, unknown>
    expect(body).toEqual({
      path: { territory_code: 'ES-MD' },
      query: { limit: 7, flag: true },
      now: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      principal: { keyId: serving.key.slice(4, 16), name: 'prueba', scope: 'all', expiresAt: null },
    })
  })

  test('an open endpoint needs no key and is called as nobody, even with one', async () => {
    for (const key of [null, serving.key]) {
      const response = await ask('/health', { key })
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ keyId: '', name: '', scope: [], expiresAt: null })
    }
  })

  test('HEAD is GET without the body', async () => {
    for (const path of ['/v1/echo/ES-MD/csv', '/v1/long', '/openapi.json']) {
      const get = await ask(path)
      await get.arrayBuffer()
      const head = await ask(path, { method: 'HEAD' })
      expect(head.status).toBe(200)
      expect(await head.text()).toBe('')
      const shown = (response: Response) =>
        Object.fromEntries(
          [...response.headers].filter(
            ([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name),
          ),
        )
      expect(shown(head)).toEqual(shown(get))
    }
  })

  test('absolute and doubled forms of an address', async () => {
    const raw = await sendRaw(
      serving.port,
      `GET http://other/health HTTP/1.1\r\nHost: a b c\r\nConnection: close\r\n\r\n`,
    )
    expect(raw).toMatch(/^HTTP\/1.1 200 /)
    expect((await ask('/v1/echo/x/../ES-MD/csv')).status).toBe(200)
  })
})

describe('conditional requests', () => {
  test('api.md row 32: If-None-Match gives 304 with the same headers and no body', async () => {
    const first = await ask('/v1/echo/ES-MD/csv')
    expect(first.headers.get('etag')).toBe('"abc"')
    for (const tag of ['"abc"', 'W/"abc"', '"x", "abc"', '*']) {
      const again = await ask('/v1/echo/ES-MD/csv', { headers: { 'If-None-Match': tag } })
      expect(again.status).toBe(304)
      expect(await again.text()).toBe('')
      expect(again.headers.get('cache-control')).toBe('private, no-cache')
      expect(again.headers.get('x-changes-cursor')).toBe('7')
    }
    const other = await ask('/v1/echo/ES-MD/csv', { headers: { 'If-None-Match': '"abd"' } })
    expect(other.status).toBe(200)
  })

  test('the tag of a compressed answer is weak, and good for either form', async () => {
    const compressed = await ask('/v1/long', { headers: { 'Accept-Encoding': 'gzip' } })
    expect(compressed.headers.get('etag')).toBe('W/"long"')
    const plain = await ask('/v1/long', {
      headers: { 'Accept-Encoding': 'identity', 'If-None-Match': 'W/"long"' },
    })
    expect(plain.status).toBe(304)
  })
})

describe('compression', () => {
  async function rawBody(path: string, accept: string): Promise<{ head: string; body: Buffer }> {
    const { request } = await import('node:http')
    return new Promise((resolve, reject) => {
      const outgoing = request(
        `${serving.url}${path}`,
        { headers: { 'X-API-Key': serving.key, 'Accept-Encoding': accept } },
        async (response) => {
          const chunks = await Array.fromAsync(response as AsyncIterable<Buffer>)
          resolve({
            head: String(response.headers['content-encoding']),
            body: Buffer.concat(chunks),
          })
        },
      )
      outgoing.on('error', reject)
      outgoing.end()
    })
  }

  test('gzip on request, for what is worth it', async () => {
    const { head, body } = await rawBody('/v1/long', 'gzip')
    expect(head).toBe('gzip')
    expect(JSON.parse(gunzipSync(body).toString())).toEqual(LONG)
    expect((await rawBody('/v1/long', 'identity')).head).toBe('undefined')
    expect((await rawBody('/v1/rate', 'gzip')).head).toBe('undefined')
  })

  test('br only where it lies ready', async () => {
    expect((await rawBody('/v1/long', 'br')).head).toBe('undefined')
    const { head, body } = await rawBody('/v1/ready', 'br, gzip')
    expect(head).toBe('br')
    expect(body).toEqual(brotliCompressSync('in br'))
    const zipped = await rawBody('/v1/ready', 'gzip')
    expect(gunzipSync(zipped.body).toString()).toBe('in gzip')
    expect((await rawBody('/v1/ready', 'identity')).body.toString()).toBe('plain')
  })
})

describe('refusals', () => {
  const CASES: [
    label: string,
    path: string,
    init: RequestInit & { key?: string | null },
    code: string,
  ][] = [
    ['unknown path', '/v1/nope', { key: null }, 'not_found'],
    ['trailing slash', '/v1/long/', {}, 'not_found'],
    ['other method', '/v1/long', { method: 'POST', body: 'x' }, 'method_not_allowed'],
    ['no key', '/v1/long', { key: null }, 'unauthorized'],
    ['malformed key', '/v1/long', { key: 'nonsense' }, 'unauthorized'],
    ['unknown key', '/v1/long', { key: `frk_000000000000_${'x'.repeat(43)}` }, 'unauthorized'],
    ['parameters', '/v1/echo/ES-MD/csv?limt=1', {}, 'invalid_parameter'],
    ['empty path parameter', '/v1/echo//csv', {}, 'invalid_parameter'],
    ['encoding in the path', '/v1/echo/ES-%ZZ/csv', {}, 'invalid_parameter'],
    ['scope', '/v1/forbidden', {}, 'forbidden_territory'],
    ['too long a URL', `/${'a'.repeat(9000)}`, {}, 'uri_too_long'],
    ['far too long a URL', `/${'a'.repeat(60_000)}`, {}, 'uri_too_long'],
    ['headers too large', '/v1/long', { headers: { X: 'a'.repeat(20_000) } }, 'headers_too_large'],
    ['a fault of ours', '/v1/broken', {}, 'internal'],
    ['data state', '/v1/not-loaded', {}, 'territory_not_loaded'],
    ['a handler that never answers', '/v1/stuck', {}, 'overloaded'],
  ]

  test.each(CASES)(
    'api.md row 35: %s is problem+json, whatever Accept says',
    async (_, path, init, code) => {
      for (const accept of ['text/html', '*/*;q=0', 'image/png', 'application/json']) {
        const response = await ask(path, { ...init, headers: { ...init.headers, Accept: accept } })
        expect(await problemOf(response)).toMatchObject({ code })
      }
    },
  )

  test('api.md row 35: also without any Accept header, and for HEAD without a body', async () => {
    const raw = await sendRaw(
      serving.port,
      'GET /v1/long HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    )
    expect(raw).toMatch(/^HTTP\/1.1 401 [\s\S]*application\/problem\+json[\s\S]*"unauthorized"/)
    const head = await ask('/v1/nope', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([404, ''])
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100)
  })

  test('the order: route, key, parameters, scope, data state', async () => {
    expect((await ask('/v1/nope?x=1', { key: 'bad' })).status).toBe(404)
    expect((await ask('/v1/forbidden?x=1', { key: 'bad', method: 'DELETE' })).status).toBe(405)
    expect((await ask('/v1/forbidden?x=1', { key: 'bad' })).status).toBe(401)
    expect((await ask('/v1/forbidden?x=1')).status).toBe(400)
    expect((await ask('/v1/forbidden')).status).toBe(403)
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    '%s is 405 and says what is allowed',
    async (method) => {
      const response = await ask('/v1/echo/ES-MD/csv', { method, key: null })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    },
  )

  test('nothing of the address, the engine or the stack is echoed', async () => {
    const broken = await (await ask('/v1/broken')).text()
    expect(broken).not.toMatch(/secret|engine|index_not_found|at /)
    const missing = await (await ask('/v1/nope%3Cscript%3E')).text()
    expect(missing).not.toMatch(/nope|script/)
  })

  test('503 says when to come back', async () => {
    expect((await ask('/v1/not-loaded')).headers.get('retry-after')).toBe('30')
  })
})

describe('api.md row 36: the key is a header and nothing else', () => {
  test('in the query instead of the header it is 401, beside the header 400', async () => {
    for (const name of ['X-API-Key', 'x-api-key', 'api_key', 'key']) {
      const query = `?${name}=${serving.key}`
      const instead = await ask(`/v1/rate${query}`, { key: null })
      expect(instead.status).toBe(401)
      const beside = await ask(`/v1/rate${query}`)
      expect((await problemOf(beside)).errors).toMatchObject([{ parameter: name }])
    }
  })

  test('it is never logged nor echoed, wherever it was put', async () => {
    const { key } = serving
    const answers = await Promise.all([
      ask(`/v1/rate?${key}=1`),
      ask(`/v1/rate?limit=${key}`),
      ask(`/${key}`),
      ask(`/v1/echo/${key}/csv`),
      ask('/v1/rate', { headers: { 'X-Request-Id': key } }),
      ask('/v1/rate', { key: `${key}x` }),
      ask('/v1/broken'),
    ])
    const secret = key.slice(17)
    for (const answer of answers) {
      expect(await answer.text()).not.toContain(secret)
      expect(JSON.stringify([...answer.headers])).not.toContain(secret)
    }
    await eventually(() => serving.logText().includes('secret engine text'), 'the log line')
    expect(serving.logText()).not.toContain(secret)
  })
})

describe('request ids and the log', () => {
  test.each(['a', 'Trace-1.2:3_4', 'x'.repeat(64)])('a sane id %s is kept', async (id) => {
    const response = await ask('/v1/rate', { headers: { 'X-Request-Id': id } })
    expect(response.headers.get('x-request-id')).toBe(id)
  })

  test.each(['-a', 'a b', 'x'.repeat(65), 'a/b', 'ñ'])('another id %s is replaced', async (id) => {
    const response = await ask('/v1/rate', { headers: { 'X-Request-Id': id } })
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{18}-[0-9a-z]+$/)
  })

  test('one line per request: id, key id, route, status and time', async () => {
    const ids = ['log-ok', 'log-400', 'log-404', 'log-500']
    const paths = ['/v1/echo/ES-MD/csv', '/v1/echo/ES-MD/csv?x=1', '/v1/nope', '/v1/broken']
    for (const [index, id] of ids.entries()) {
      await (await ask(paths[index] ?? '', { headers: { 'X-Request-Id': id } })).text()
    }
    const linesOf = () => serving.log.filter((line) => ids.includes(String(line.request_id)))
    await eventually(() => linesOf().length >= 4, 'four lines')
    const keyId = serving.key.slice(4, 16)
    const route = '/v1/echo/:territory_code/csv'
    expect(linesOf()).toMatchObject([
      { request_id: 'log-ok', key_id: keyId, method: 'GET', route, status: 200, level: 30 },
      { request_id: 'log-400', key_id: keyId, route, status: 400, code: 'invalid_parameter' },
      { request_id: 'log-404', key_id: null, route: null, status: 404, code: 'not_found' },
      {
        request_id: 'log-500',
        status: 500,
        level: 50,
        fault: { message: 'secret engine text', cause: { message: 'index_not_found' } },
      },
    ])
    for (const line of linesOf()) expect(line.ms).toBeTypeOf('number')
  })
})

describe('api.md row 34: browsers', () => {
  test('a preflight allows the key header, without a key', async () => {
    const response = await ask('/v1/rate', {
      method: 'OPTIONS',
      key: null,
      headers: { Origin: 'https://panel.example', 'Access-Control-Request-Headers': 'x-api-key' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'X-API-Key, If-None-Match, X-Request-Id, Accept, Content-Type',
    )
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS')
  })

  test('answers and errors alike show their headers, and cannot be sniffed or framed', async () => {
    for (const path of ['/v1/rate', '/v1/nope', '/v1/broken', `/${'a'.repeat(60_000)}`]) {
      const { headers } = await ask(path, { headers: { Origin: 'https://panel.example' } })
      expect(headers.get('access-control-allow-origin')).toBe('*')
      const exposed = headers.get('access-control-expose-headers')?.split(', ') ?? []
      expect(exposed).toEqual(
        expect.arrayContaining([
          'RateLimit-Limit',
          'RateLimit-Remaining',
          'RateLimit-Reset',
          'Retry-After',
          'X-Request-Id',
          'ETag',
          'Content-Disposition',
          'X-Changes-Cursor',
        ]),
      )
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
    }
  })
})

describe('what is no HTTP', () => {
  test.each([
    ['garbage', 'nonsense\r\n\r\n', 400],
    ['no Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a lone asterisk', 'GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['a bad header', 'GET /health HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n', 400],
    [
      'both lengths',
      'GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
  ])('%s is answered as a problem', async (_, bytes, status) => {
    const raw = await sendRaw(serving.port, bytes)
    const [head = '', body = ''] = raw.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head).toContain('application/problem+json')
    expect(Check(ProblemBody, JSON.parse(body))).toBe(true)
  })

  test('OPTIONS * and an offer to upgrade are answered, HTTP/1.0 needs no Host', async () => {
    const close = 'Connection: close\r\n\r\n'
    expect(await sendRaw(serving.port, `OPTIONS * HTTP/1.1\r\nHost: x\r\n${close}`)).toMatch(
      /^HTTP\/1.1 204 /,
    )
    expect(await sendRaw(serving.port, 'GET /health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /)
    const upgrade =
      'GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n'
    expect(await sendRaw(serving.port, upgrade)).toMatch(/^HTTP\/1.1 200 /)
  })

  test('the server lives on', async () => {
    expect((await ask('/health')).status).toBe(200)
  })
})
