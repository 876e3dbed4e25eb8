import { Agent, request as httpRequest } from 'node:http'
import { connect as connectSocket, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openKeys } from '../../src/store/keys.ts'
import { type ApiProcess, startApi } from './support/api.ts'
import { openHistories } from './support/histories.ts'
import { openRegistry, type Registry } from './support/registry.ts'
import type { Figure, Scenario, Scene } from './support/scenario.ts'

const TERRITORY = 'ES-MD'
const EXPORT = `/v1/farmacias/export/${TERRITORY}/json`
/** What the process may hold at most above what it held at rest, in MB. */
const MEMORY_ROOM_MB = 400
const LIVE_WITHIN_MS = 5_000

/** More than can be served, clients that do not read, garbage, and crowds that only stay connected. */
export const overload: Scenario = {
  name: 'overload',
  async run(scene) {
    const node = await scene.node()
    const registry = await openRegistry({ url: node.url })
    const histories = openHistories({
      folder: registry.folder,
      seed: 7,
      territories: [TERRITORY],
      sizes: scene.isLong ? [40_000, 40_000] : [12_000, 12_000],
    })
    await registry.load(histories.request(histories.next(TERRITORY)))
    const figures = await overrun(scene, registry, node.url)
    await registry.close()
    return figures
  },
}

interface Crowd {
  scene: Scene
  api: ApiProcess
  keys: string[]
  restMb: number
}

async function overrun(scene: Scene, registry: Registry, url: string): Promise<Figure[]> {
  const api = await startApi({ url, prefix: registry.db.prefix })
  const keys: string[] = []
  for (let count = 0; count < 4; count += 1) {
    const request = { name: `cliente ${count}`, territories: null, expires_at: null }
    keys.push((await openKeys(registry.db).issue(request)).key)
  }
  await get(api, EXPORT, keys[0] as string)
  const crowd = { scene, api, keys, restMb: await api.memoryMb() }
  const figures = [
    await flood(crowd),
    await slowReaders(crowd),
    await garbage(crowd),
    await idlers(crowd),
  ]
  const answer = await get(api, EXPORT, keys[0] as string)
  scene.violations.check(answer.status === 200, `afterwards: ${answer.status}`)
  await api.stop()
  const limited = await startApi({ url, prefix: registry.db.prefix, rateLimit: 60 })
  figures.push(await beyondTheRate({ ...crowd, api: limited }))
  await limited.stop()
  return figures
}

/** Differing requests, so that no memory of earlier answers helps, far more at once than are let in. */
async function flood({ scene, api, keys, restMb }: Crowd): Promise<Figure> {
  const { violations } = scene
  const many = scene.isLong ? 6_000 : 1_500
  const watch = watchOver(api)
  const statuses = new Map<number, number>()
  let slowestMs = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: many }, async (_, at) => {
      const path = `/v1/farmacias/business-events?from=2019-01-01T00:00:00Z&limit=${1 + (at % 4_000)}&city=Villa%20${at}`
      const sent = performance.now()
      const answer = await get(api, path, keys[at % keys.length] as string)
      slowestMs = Math.max(slowestMs, Math.round(performance.now() - sent))
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const isTold = answer.status !== 503 || Number(answer.retryAfter) > 0
      violations.check(isTold, 'flood: 503 without Retry-After')
    }),
  )
  const seconds = Math.round((performance.now() - began) / 1000)
  const { slowestLiveMs, mostMb } = await watch.end()
  const odd = [...statuses.keys()].filter((status) => status !== 200 && status !== 503)
  violations.check(odd.length === 0, `flood: answered ${odd}`)
  violations.check((statuses.get(200) ?? 0) > 0, 'flood: nobody was served')
  violations.check(slowestLiveMs < LIVE_WITHIN_MS, `flood: /health/live took ${slowestLiveMs} ms`)
  violations.check(mostMb < restMb + MEMORY_ROOM_MB, `flood: ${mostMb} MB, ${restMb} at rest`)
  return {
    fault: 'requests at once, all different',
    times: many,
    outcome: `${statuses.get(200)} served, ${statuses.get(503) ?? 0} told to come again, ${seconds} s, slowest ${slowestMs} ms; live ≤ ${slowestLiveMs} ms; ${mostMb} MB (${restMb} at rest)`,
  }
}

/** Exports that are asked for and not read: what is not read is not held, and what is too much is refused. */
async function slowReaders({ scene, api, keys, restMb }: Crowd): Promise<Figure> {
  const { violations } = scene
  const many = 80
  const watch = watchOver(api)
  const sockets: Socket[] = []
  const heads: string[] = []
  for (let at = 0; at < many; at += 1) {
    const { hostname, port } = new URL(api.url)
    const socket = connectSocket({ host: hostname, port: Number(port) })
    socket.on('error', () => undefined)
    socket.once('data', (chunk) => {
      heads.push(chunk.toString('latin1').split('\r\n')[0] ?? '')
      socket.pause()
    })
    const key = keys[at % keys.length]
    socket.write(`GET ${EXPORT} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`)
    sockets.push(socket)
  }
  const deadline = Date.now() + 60_000
  while (heads.length < many && Date.now() < deadline) await sleep(100)
  await sleep(2_000)
  const { slowestLiveMs, mostMb } = await watch.end()
  for (const socket of sockets) socket.destroy()
  const served = heads.filter((head) => head.includes(' 200 ')).length
  const refused = heads.filter((head) => / (503|429) /.test(head)).length
  violations.check(served + refused === many, `slow readers: ${JSON.stringify(heads)}`)
  violations.check(served > 0 && refused > 0, `slow readers: ${served} served, ${refused} refused`)
  violations.check(mostMb < restMb + MEMORY_ROOM_MB, `slow readers: ${mostMb} MB`)
  violations.check(slowestLiveMs < LIVE_WITHIN_MS, `slow readers: live took ${slowestLiveMs} ms`)
  // Those who left make room at once.
  await sleep(500)
  const answer = await get(api, EXPORT, keys[0] as string)
  violations.check(answer.status === 200, `after the slow readers: ${answer.status}`)
  return {
    fault: 'exports begun and not read',
    times: many,
    outcome: `${served} held open, ${refused} told to come again; live ≤ ${slowestLiveMs} ms; ${mostMb} MB (${restMb} at rest)`,
  }
}

/** Bytes that are no request, and requests that are too much of one. */
async function garbage({ scene, api, keys }: Crowd): Promise<Figure> {
  const { violations } = scene
  const watch = watchOver(api)
  const big = 'x'.repeat(100_000)
  const texts = [
    '\u0000\u0001\u0002\r\n\r\n',
    `GET /${big} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET /health/live HTTP/1.1\r\nHost: x\r\nX-Big: ${big}\r\n\r\n`,
    `GET /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 12abc\r\n\r\n`,
    `POST ${EXPORT} HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n${big}`,
    `POST ${EXPORT} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n`,
    `GET ${EXPORT}?cursor=${'%FF'.repeat(2_000)} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys[0]}\r\n\r\n`,
    `GET http://[::1 HTTP/1.1\r\nHost: [[[\r\n\r\n`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ]
  const rounds = scene.isLong ? 40 : 10
  const answers = new Map<string, number>()
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(
      texts.map(async (text) => {
        const status = await raw(api, text)
        answers.set(status, (answers.get(status) ?? 0) + 1)
        violations.check(
          /^(4\d\d|200|closed)$/.test(status),
          `garbage: ${text.slice(0, 60)}: ${status}`,
        )
      }),
    )
  }
  const { slowestLiveMs } = await watch.end()
  violations.check(slowestLiveMs < LIVE_WITHIN_MS, `garbage: live took ${slowestLiveMs} ms`)
  return {
    fault: 'huge and malformed requests',
    times: rounds * texts.length,
    outcome: [...answers]
      .sort()
      .map(([status, count]) => `${status} ${count}`)
      .join(', '),
  }
}

/** Connections that say nothing. */
async function idlers({ scene, api, keys }: Crowd): Promise<Figure> {
  const { violations } = scene
  // What the crowds before it have left is not theirs.
  const restMb = await api.memoryMb()
  const many = scene.isLong ? 5_000 : 2_000
  const { hostname, port } = new URL(api.url)
  const sockets: Socket[] = []
  for (let at = 0; at < many; at += 1) {
    const socket = connectSocket({ host: hostname, port: Number(port) })
    socket.on('error', () => undefined)
    sockets.push(socket)
    if (at % 200 === 199) await sleep(20)
  }
  await sleep(1_000)
  const open = sockets.filter((socket) => socket.readyState === 'open').length
  const watch = watchOver(api)
  const answer = await get(api, EXPORT, keys[0] as string)
  violations.check(answer.status === 200, `with ${open} idle connections: ${answer.status}`)
  await sleep(1_000)
  const { slowestLiveMs, mostMb } = await watch.end()
  for (const socket of sockets) socket.destroy()
  violations.check(slowestLiveMs < LIVE_WITHIN_MS, `idle: live took ${slowestLiveMs} ms`)
  violations.check(mostMb < restMb + MEMORY_ROOM_MB, `idle: ${mostMb} MB`)
  return {
    fault: 'idle connections',
    times: many,
    outcome: `${open} open at once; live ≤ ${slowestLiveMs} ms; ${mostMb} MB (${restMb} before)`,
  }
}

/** One key that asks more often than it may. */
async function beyondTheRate({ scene, api, keys }: Crowd): Promise<Figure> {
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => get(api, '/v1/key', keys[0] as string)),
  )
  const limited = answers.filter(
    ({ status, retryAfter }) => status === 429 && Number(retryAfter) > 0,
  )
  const served = answers.filter(({ status }) => status === 200)
  scene.violations.check(
    limited.length + served.length === answers.length &&
      limited.length >= 130 &&
      served.length >= 60,
    `rate: ${served.length} served, ${limited.length} limited of ${answers.length}`,
  )
  const other = await get(api, '/v1/key', keys[1] as string)
  scene.violations.check(other.status === 200, `rate: another key is answered ${other.status}`)
  return {
    fault: 'requests of a key that may have 60 per minute',
    times: answers.length,
    outcome: `${served.length} served, ${limited.length} answered 429 with Retry-After, other keys served`,
  }
}

/** Asks for /health/live and the memory again and again, as a supervisor does. */
function watchOver(api: ApiProcess) {
  const stopping = new AbortController()
  let slowestLiveMs = 0
  let mostMb = 0
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const sent = performance.now()
      await get(api, '/health/live', null)
      slowestLiveMs = Math.max(slowestLiveMs, Math.round(performance.now() - sent))
      mostMb = Math.max(mostMb, await api.memoryMb())
      await sleep(100)
    }
  })()
  return {
    async end() {
      stopping.abort()
      await watching
      return { slowestLiveMs, mostMb }
    },
  }
}

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })

function get(
  api: ApiProcess,
  path: string,
  key: string | null,
): Promise<{ status: number; retryAfter: string | undefined; bytes: number }> {
  return new Promise((resolve, reject) => {
    const headers = key ? { 'X-API-Key': key } : {}
    const sending = httpRequest(`${api.url}${path}`, { agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          bytes,
        }),
      )
      response.on('error', reject)
    })
    sending.on('error', reject)
    sending.end()
  })
}

/** The status that a text gets, or how the connection ended. */
function raw(api: ApiProcess, text: string): Promise<string> {
  const { hostname, port } = new URL(api.url)
  return new Promise((resolve) => {
    const socket = connectSocket({ host: hostname, port: Number(port) }, () =>
      socket.write(Buffer.from(text, 'latin1')),
    )
    socket.setTimeout(20_000, () => {
      socket.destroy()
      resolve('silence')
    })
    socket.once('data', (chunk) => {
      socket.destroy()
      resolve(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1] ?? 'nonsense')
    })
    socket.once('close', () => resolve('closed'))
    socket.on('error', () => resolve('closed'))
  })
}
