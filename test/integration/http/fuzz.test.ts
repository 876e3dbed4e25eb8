import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPublisher, type Publisher } from '../../support/publisher.ts'
import { aListed } from '../../support/register.ts'
import { sendRaw } from './serving.ts'

/** Whatever is sent, the answer is one of those documented: never a fault of the service. */

const PATHS = [
  '/v1/farmacias/business-events?days=36500&limit=1',
  '/v1/farmacias/relocations?days=36500&limit=1',
  '/v1/farmacias/pharmacies?limit=1',
  '/v1/farmacias/pharmacies?limit=1&near_latitude=40.4&near_longitude=-3.7&radius_meters=9000',
  '/v1/farmacias/loads?limit=1',
]

let published: Publisher
const cursors = new Map<string, string>()
beforeAll(async () => {
  published = await openPublisher()
  await published.load('ES-MD', [aListed('1'), aListed('2')])
  await published.load('ES-MD', [
    aListed('1', { address: 'Otra calle' }),
    aListed('2', { address: 'Y otra' }),
    aListed('3'),
  ])
  for (const path of PATHS) {
    const { body } = await published.service.get(path)
    if (body.next_cursor) cursors.set(path, body.next_cursor)
  }
})
afterAll(() => published.close())

/** A cursor whose checksum is right whatever it carries, as somebody who read the source could make it. */
function forged(payload: unknown): string {
  const bytes = Buffer.from(JSON.stringify(payload))
  const checksum = createHash('sha256').update('pharmacy-cursor:').update(bytes).digest()
  return Buffer.concat([checksum.subarray(0, 9), bytes]).toString('base64url')
}

const payloadOf = (cursor: string) =>
  JSON.parse(Buffer.from(cursor, 'base64url').subarray(9).toString()) as unknown[]

describe('cursors', () => {
  test('with forged contents are read or refused, never a fault', async () => {
    expect(cursors.size).toBe(PATHS.length)
    const part = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.double({ noNaN: true }),
      fc.constantFrom(null, true, {}, [], -1, 0, 2 ** 53, 'NaN', '\u0000'),
    )
    const change = fc.record({ at: fc.nat(8), value: part, cut: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PATHS), change, async (path, { at, value, cut }) => {
        const payload = payloadOf(cursors.get(path) as string)
        if (cut) payload.splice(Math.min(at, payload.length - 1), 1)
        else payload[at] = value
        const { status, body } = await published.service.get(`${path}&cursor=${forged(payload)}`)
        expect([path, payload, status === 200 || body.errors?.[0]?.parameter === 'cursor']).toEqual(
          [path, payload, true],
        )
      }),
      { numRuns: 300 },
    )
  }, 120_000)
})

describe('keys, headers and encodings', () => {
  test('any text as a key is 401, or no HTTP at all', async () => {
    const port = Number(new URL(published.service.url).port)
    const bytes = fc.uint8Array({ maxLength: 200 }).map((raw) => Buffer.from(raw))
    await fc.assert(
      fc.asyncProperty(bytes, async (key) => {
        const safe = Buffer.from(key.filter((byte) => byte !== 10 && byte !== 13))
        const answer = await sendRaw(
          port,
          Buffer.concat([
            Buffer.from('GET /v1/key HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: '),
            safe,
            Buffer.from('\r\n\r\n'),
          ]),
        )
        expect(answer).toMatch(/^HTTP\/1\.1 40[01] [\s\S]*application\/problem\+json/)
      }),
      { numRuns: 150 },
    )
  }, 60_000)

  test('any bytes as a query are answered, and never by a fault', async () => {
    const port = Number(new URL(published.service.url).port)
    const key = await published.service.key()
    const name = fc.constantFrom(
      'q',
      'city',
      'territories',
      'cursor',
      'limit',
      'as_of',
      '%',
      'a%00',
    )
    const value = fc
      .uint8Array({ maxLength: 40 })
      .map((raw) => Buffer.from(raw.filter((byte) => byte > 32 && byte !== 127)).toString('latin1'))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 4 }), async (pairs) => {
        const query = pairs.map((pair) => pair.join('=')).join('&')
        const answer = await sendRaw(
          port,
          Buffer.from(
            `GET /v1/farmacias/pharmacies?${query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: ${key}\r\n\r\n`,
            'latin1',
          ),
        )
        expect([query, /^HTTP\/1\.1 (200|400) /.test(answer)]).toEqual([query, true])
      }),
      { numRuns: 200 },
    )
  }, 60_000)

  test('odd conditional, encoding and identifying headers change nothing but what they mean', async () => {
    const text = fc.string({ unit: fc.constantFrom(...'abc*,;=" \\/.0123W'), maxLength: 60 })
    const names = [
      'If-None-Match',
      'Accept-Encoding',
      'Accept',
      'X-Request-Id',
      'Range',
      'Expect',
    ] as const
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), text), async (headers) => {
        const port = Number(new URL(published.service.url).port)
        const key = await published.service.key()
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
        const answer = await sendRaw(
          port,
          `GET /v1/farmacias/territories HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: ${key}\r\n${lines.join('')}\r\n`,
        )
        expect([headers, answer.slice(0, 12)]).toEqual([
          headers,
          expect.stringMatching(/^HTTP\/1\.1 (200|304)$/),
        ])
      }),
      { numRuns: 100 },
    )
  }, 60_000)
})
