import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Fetch } from '../../../src/domain/definition.ts'
import { downloadKey } from '../../../src/sources/download.ts'
import type { HttpStep } from '../../support/stub-server.ts'
import { aDefinition, aFile, aFolder, aStub, failure, failureText, fetched } from './made-source.ts'

const CSV = 'id;nombre\n1;Farmacia Inventada\n'
const SHA = createHash('sha256').update(CSV).digest('hex')
const CERTS = join(import.meta.dirname, 'certs')

type Reply = NonNullable<HttpStep['routes'][number]['reply']>

/** A definition whose address answers so, and the stub behind it. */
async function served(sequence: Reply[], fetch: Partial<Fetch> = {}) {
  const stub = await aStub([{ match: { path: '/a.csv' }, sequence }])
  return {
    stub,
    definition: aDefinition({ fetch: { kind: 'http', url: `${stub.url}/a.csv`, ...fetch } }),
  }
}

describe('a file', () => {
  it('is copied and hashed', async () => {
    const path = await aFile(CSV)
    const definition = aDefinition({ fetch: { kind: 'file', path: 'datos' }, file: `${path}.yaml` })
    const got = await fetched(definition)
    expect(got).toEqual({
      kind: 'file',
      path: expect.any(String),
      sha256: SHA,
      bytes: CSV.length,
      etag: null,
      last_modified: null,
      headers: {},
      metadata_modified: null,
    })
    expect(got.kind === 'file' && (await readFile(got.path, 'utf8'))).toBe(CSV)
  })

  it('may be replaced by any other', async () => {
    const definition = aDefinition({ fetch: { kind: 'http', url: 'http://127.0.0.1:1/' } })
    expect(await fetched(definition, { override: await aFile(CSV) })).toMatchObject({ sha256: SHA })
  })

  it('that is not there, or larger than max_bytes, fails', async () => {
    expect(await failure(fetched(aDefinition()))).toBe('source_unavailable')
    const small = aDefinition({ fetch: { kind: 'file', path: 'x', max_bytes: 5 } })
    expect(await failure(fetched(small, { override: await aFile(CSV) }))).toBe('too_large')
  })
})

describe('an answer', () => {
  it('gives its bytes, validators and headers', async () => {
    const headers = { etag: '"v1"', 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' }
    const { definition, stub } = await served([{ body: CSV, headers }], {
      query: { año: 2024 },
      headers: { 'x-clave': 'secreto' },
    })
    expect(await fetched(definition)).toMatchObject({
      sha256: SHA,
      bytes: CSV.length,
      etag: '"v1"',
      last_modified: 'Mon, 01 Jan 2024 00:00:00 GMT',
      headers,
    })
    const [request] = stub.requests
    expect(request?.query.get('año')).toBe('2024')
    expect(request?.headers).toMatchObject({ 'x-clave': 'secreto' })
    expect(request?.headers['user-agent']).toMatch(/^pharmacy-registry-service\/\d+\.\d+\.\d+ /)
  })

  it('in gzip is measured on the wire and kept unpacked', async () => {
    const { definition } = await served([{ body: CSV, gzip: true }])
    expect(await fetched(definition)).toMatchObject({ sha256: SHA, bytes: CSV.length })
  })

  it('that says 304 is not modified, when there was something to compare with', async () => {
    const { definition, stub } = await served([{ status: 304 }])
    const validators = { etag: '"v1"', last_modified: 'Mon, 01 Jan 2024 00:00:00 GMT' }
    expect(await fetched(definition, { validators })).toEqual({ kind: 'not_modified' })
    expect(stub.requests[0]?.headers).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': 'Mon, 01 Jan 2024 00:00:00 GMT',
    })
    expect(await failure(fetched(definition))).toBe('http_status')
  })

  it('cut short is asked for again, and fails when it stays so', async () => {
    const cut = { body: CSV, send_bytes: 10 }
    const once = await served([cut, { body: CSV }], { retries: 1 })
    expect(await fetched(once.definition)).toMatchObject({ sha256: SHA })
    const always = await served([cut], { retries: 1 })
    expect(await failure(fetched(always.definition))).toBe('truncated_body')
    expect(always.stub.requests).toHaveLength(2)
  })

  it('in gzip with a wrong length is asked for once more without compression', async () => {
    const wrong = { body: CSV, gzip: true, content_length: 5000 }
    const { definition, stub } = await served([wrong, { body: CSV }], { retries: 0 })
    expect(await fetched(definition)).toMatchObject({ sha256: SHA })
    expect(stub.requests.map(({ headers }) => headers['accept-encoding'])).toEqual([
      'gzip, deflate, br',
      'identity',
    ])
    const always = await served([wrong], { retries: 0 })
    expect(await failure(fetched(always.definition))).toBe('truncated_body')
    expect(always.stub.requests).toHaveLength(2)
  })

  it('larger than max_bytes is refused, stated or not, packed or not', async () => {
    const max_bytes = 2000
    const stated = await served([{ body: 'x'.repeat(3000) }], { max_bytes })
    expect(await failure(fetched(stated.definition))).toBe('too_large')
    const packed = await served([{ body: 'x'.repeat(3000), gzip: true }], { max_bytes })
    expect(await failure(fetched(packed.definition))).toBe('too_large')
    expect(packed.stub.requests).toHaveLength(1)
  })
})

describe('a refusal', () => {
  it.each([500, 503, 429, 408])('%i is asked again', async (status) => {
    const { definition, stub } = await served([{ status }, { status }, { body: CSV }], {
      retries: 2,
    })
    expect(await fetched(definition)).toMatchObject({ sha256: SHA })
    expect(stub.requests).toHaveLength(3)
  })

  it.each([404, 401, 410, 204])('%i is final', async (status) => {
    const { definition, stub } = await served([{ status }])
    expect(await failure(fetched(definition))).toBe('http_status')
    expect(stub.requests).toHaveLength(1)
  })

  it('is repeated as often as the definition says', async () => {
    const { definition, stub } = await served([{ status: 503 }], { retries: 2 })
    expect(await failure(fetched(definition))).toBe('http_status')
    expect(stub.requests).toHaveLength(3)
  })

  it('names the time after which to ask, and is not asked before', async () => {
    const { definition } = await served([
      { status: 503, headers: { 'retry-after': '1' } },
      { body: CSV },
    ])
    const before = performance.now()
    expect(await fetched(definition)).toMatchObject({ sha256: SHA })
    expect(performance.now() - before).toBeGreaterThanOrEqual(990)
  })

  it('that asks for more patience than a load has is final for now', async () => {
    const { definition, stub } = await served([
      { status: 503, headers: { 'retry-after': '86400' } },
    ])
    expect(await failure(fetched(definition))).toBe('http_status')
    expect(stub.requests).toHaveLength(1)
  })

  it('never tells the query or the headers', async () => {
    const { definition, stub } = await served([{ status: 403 }], {
      query: { token: 'secreto' },
      headers: { authorization: 'Bearer secreto' },
    })
    expect(await failureText(fetched(definition))).toBe(
      `http_status: ${stub.url}/a.csv answered with status 403.`,
    )
  })
})

describe('a connection', () => {
  it('that is refused fails as unavailable', async () => {
    const { definition, stub } = await served([{ body: CSV }], { retries: 1 })
    await stub.close()
    expect(await failure(fetched(definition))).toBe('source_unavailable')
  })

  it('that takes too long, before or within the body, times out', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/body') response.write('id;')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    for (const path of ['/silence', '/body']) {
      const fetch: Fetch = { kind: 'http', url: url + path, timeout_s: 0.1, retries: 0 }
      expect(await failure(fetched(aDefinition({ fetch })))).toBe('timeout')
    }
  })

  it('is given up when the load is stopped', async () => {
    const { definition } = await served([{ status: 503, headers: { 'retry-after': '30' } }])
    const signal = AbortSignal.timeout(50)
    expect(await failure(fetched(definition, { signal }))).toBe('stopped')
  })

  it('whose certificate cannot be verified fails, unless the definition names the authority', async () => {
    const script = {
      steps: [
        {
          tls: { cert: 'leaf.pem', key: 'leaf.key' },
          routes: [{ match: { path: '/a.csv' }, reply: { body: CSV } }],
        },
      ],
    }
    const stub = await aStub(script, CERTS)
    const fetch: Fetch = { kind: 'http', url: `${stub.tlsUrl}/a.csv` }
    expect(await failure(fetched(aDefinition({ fetch })))).toBe('tls')
    const trusting = aDefinition({
      fetch: { ...fetch, ca_file: 'certs/chain.pem' },
      file: join(CERTS, '..', 'a.yaml'),
    })
    expect(await fetched(trusting)).toMatchObject({ sha256: SHA })
  })
})

describe('a redirect', () => {
  it('is followed to another host, which does not get the credentials', async () => {
    const stub = await aStub([
      { match: { path: '/a.csv' }, reply: { status: 301, headers: { location: '{other}/b.csv' } } },
      { match: { path: '/b.csv' }, reply: { body: CSV } },
    ])
    const fetch: Fetch = {
      kind: 'http',
      url: `${stub.url}/a.csv`,
      headers: { authorization: 'Bearer secreto' },
    }
    expect(await fetched(aDefinition({ fetch }))).toMatchObject({ sha256: SHA })
    expect(stub.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/a.csv', 'Bearer secreto'],
      ['/b.csv', undefined],
    ])
  })

  it('in a circle, or to something that is not http, fails', async () => {
    const circle = await served([{ status: 302, headers: { location: '/a.csv' } }])
    expect(await failure(fetched(circle.definition))).toBe('http_status')
    expect(circle.stub.requests).toHaveLength(6)
    const elsewhere = await served([{ status: 302, headers: { location: 'file:///etc/hosts' } }])
    expect(await failure(fetched(elsewhere.definition))).toBe('http_status')
  })
})

describe('discovery', () => {
  const page = `<ul><li><a href="/edicion/FARMA_20240101.csv?v=1&amp;x=2">FARMA_20240101.csv</a></li>
    <li><a href="/edicion/FARMA_20240201.csv?v=1&amp;x=2">FARMA_20240201.csv</a></li></ul>`

  it.each([
    ['first', '/edicion/FARMA_20240101.csv'],
    ['last', '/edicion/FARMA_20240201.csv'],
  ] as const)('takes the %s link that matches', async (pick, path) => {
    const stub = await aStub([
      { match: { path: '/indice/' }, reply: { body: page } },
      { match: { path, query: { x: ['2'] } }, reply: { body: CSV, headers: { etag: '"v1"' } } },
    ])
    const discovery = { url: `${stub.url}/indice/`, pattern: 'FARMA_\\d+\\.csv', pick }
    const definition = aDefinition({ fetch: { kind: 'http', discovery } })
    const validators = { etag: '"v1"', last_modified: null }
    expect(await fetched(definition, { validators })).toMatchObject({ sha256: SHA })
    expect(stub.requests.at(-1)?.headers['if-none-match']).toBeUndefined()
  })

  it('looks for a bare name in the folder that url names, else beside the page', async () => {
    const stub = await aStub([
      { match: { path: '/indice/lista.txt' }, reply: { body: 'FARMA_1.csv\nFARMA_2.csv\n' } },
      { match: { path: '/datos/FARMA_2.csv' }, reply: { body: CSV } },
      { match: { path: '/indice/FARMA_2.csv' }, reply: { body: `${CSV}2;B\n` } },
    ])
    const discovery = {
      url: `${stub.url}/indice/lista.txt`,
      pattern: 'FARMA_\\d+\\.csv',
      pick: 'last' as const,
    }
    const inFolder = aDefinition({ fetch: { kind: 'http', url: `${stub.url}/datos/`, discovery } })
    expect(await fetched(inFolder)).toMatchObject({ bytes: CSV.length })
    expect(await fetched(aDefinition({ fetch: { kind: 'http', discovery } }))).toMatchObject({
      bytes: CSV.length + 4,
    })
  })

  it('that finds nothing fails', async () => {
    const stub = await aStub([{ match: { path: '/' }, reply: { body: '<html></html>' } }])
    const discovery = { url: `${stub.url}/`, pattern: 'FARMA', pick: 'last' as const }
    expect(await failure(fetched(aDefinition({ fetch: { kind: 'http', discovery } })))).toBe(
      'unexpected_content',
    )
  })
})

describe('the key of a download', () => {
  const fetch: Fetch = { kind: 'http', url: 'https://a.example/a.csv', query: { a: 1, b: 2 } }
  const key = downloadKey(aDefinition({ fetch }))

  it('is equal for equal requests, however they are written and whatever is done with the bytes', () => {
    const same = aDefinition({
      fetch: { ...fetch, query: { b: 2, a: 1 }, retries: 1 },
      parse: { format: 'xlsx' },
    })
    expect(downloadKey(same)).toBe(key)
  })

  it.each<[string, Partial<Fetch>]>([
    ['address', { url: 'https://a.example/b.csv' }],
    ['query', { query: { a: 1 } }],
    ['headers', { headers: { x: 'y' } }],
  ])('differs with the %s', (_, change) => {
    expect(downloadKey(aDefinition({ fetch: { ...fetch, ...change } }))).not.toBe(key)
  })

  it('tells a file by where it is', async () => {
    const folder = await aFolder()
    await writeFile(join(folder, 'a.csv'), CSV)
    const path: Fetch = { kind: 'file', path: 'a.csv' }
    const here = downloadKey(aDefinition({ fetch: path, file: join(folder, 'x.yaml') }))
    expect(downloadKey(aDefinition({ fetch: path, file: join(folder, 'y.yaml') }))).toBe(here)
    expect(downloadKey(aDefinition({ fetch: path, file: join(folder, 'sub', 'x.yaml') }))).not.toBe(
      here,
    )
  })
})
