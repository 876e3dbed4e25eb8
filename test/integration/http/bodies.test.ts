import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  endpointOf,
  eventually,
  openStalled,
  openTestRegistry,
  type Serving,
  sendRaw,
  serve,
} from './serving.ts'

/** More than the system takes over of an answer that nobody reads. */
const BYTES = 24 << 20
const A = 'a'
let done = 0

/** Its memory is used for something else as soon as the server says that it may be. */
const lent = endpointOf('/v1/lent', () => {
  const body = Buffer.alloc(BYTES, A)
  return {
    kind: 'text',
    contentType: 'text/plain',
    body,
    done: () => {
      done += 1
      body.fill('!')
    },
  }
})

let serving: Serving
beforeAll(async () => {
  serving = await serve(await openTestRegistry(), [lent])
})
afterAll(() => serving.close())

const request = () =>
  `GET /v1/lent HTTP/1.1\r\nHost: x\r\nX-API-Key: ${serving.key}\r\nConnection: close\r\n\r\n`

test('the memory of a body is its own until a slow reader has all of it', async () => {
  const before = done
  const socket = await openStalled(serving.port, request())
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(done).toBe(before)
  const chunks = await socket.toArray()
  const answer = Buffer.concat(chunks)
  const body = answer.subarray(answer.indexOf('\r\n\r\n') + 4)
  expect(body.length).toBe(BYTES)
  expect(body.equals(Buffer.alloc(BYTES, A))).toBe(true)
  await eventually(() => done === before + 1, 'the end of the answer')
})

test('it is free when the reader leaves, and after a HEAD', async () => {
  const before = done
  const socket = await openStalled(serving.port, request())
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(done).toBe(before)
  socket.destroy()
  await eventually(() => done === before + 1, 'the end of the answer')
  await sendRaw(serving.port, request().replace('GET', 'HEAD'))
  await eventually(() => done === before + 2, 'the end of the second answer')
})

test('compressed it is free once it has been read, and arrives whole', async () => {
  const before = done
  const response = await fetch(`${serving.url}/v1/lent`, {
    headers: { 'X-API-Key': serving.key, 'Accept-Encoding': 'gzip' },
  })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  const body = Buffer.from(await response.arrayBuffer())
  expect(body.equals(Buffer.alloc(BYTES, A))).toBe(true)
  expect(done).toBe(before + 1)
})

test('requests sent ahead behind an answer nobody reads give their places back at the hang-up', async () => {
  const few = await serve(serving.db, [lent], {
    requestLimits: { what: 'requests', max: 4, maxPerKey: 4 },
  })
  const ahead = `GET /v1/lent HTTP/1.1\r\nHost: x\r\nX-API-Key: ${few.key}\r\n\r\n`
  const ask = () => fetch(`${few.url}/v1/lent`, { headers: { 'X-API-Key': few.key } })
  const socket = await openStalled(few.port, ahead.repeat(12))
  await new Promise((resolve) => setTimeout(resolve, 500))
  const full = await ask()
  expect(full.status).toBe(503)
  socket.destroy()
  await eventually(() => few.log.length === 13, 'one line for each request')
  const after = await Promise.all([ask(), ask(), ask(), ask()])
  expect(after.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  await Promise.all(after.map((response) => response.arrayBuffer()))
  await few.close()
})
