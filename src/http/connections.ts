import type { Server as HttpServer } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { answerClientError, type ClientError } from './client-error.ts'

/** The connections under the server: how long they may be silent, and how they begin and end. */

/** A client that reads or sends nothing for so long is gone. */
const SILENT_MS = 120_000
const REQUEST_ARRIVES_WITHIN_MS = 30_000
const HEADERS_ARRIVE_WITHIN_MS = 15_000
/** Longer than the idle time of common load balancers, so that they hang up first. */
const KEEP_ALIVE_MS = 65_000

export function guardConnections(http: HttpServer, log: Logger): void {
  http.requestTimeout = REQUEST_ARRIVES_WITHIN_MS
  http.headersTimeout = HEADERS_ARRIVE_WITHIN_MS
  http.keepAliveTimeout = KEEP_ALIVE_MS
  http.timeout = SILENT_MS
  remember(http)
  // Node would answer a missing Host header itself, without a body.
  ;(http as HttpServer & { requireHostHeader: boolean }).requireHostHeader = false
  // Restify forwards upgrades to nobody; without a listener Node answers them as ordinary requests.
  http.removeAllListeners('upgrade')
  http.on('checkExpectation', (request, response) => http.emit('request', request, response))
  http.on('clientError', (error: ClientError, socket: Duplex) => {
    const unreadable = answerClientError(error, socket)
    if (unreadable) log.info(unreadable, 'unreadable request')
  })
}

export function listen(http: HttpServer, port: number, host: string): Promise<{ url: string }> {
  return new Promise((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, host, () => {
      http.off('error', reject)
      const address = http.address()
      const bound = typeof address === 'object' && address ? address.port : port
      resolve({ url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}` })
    })
  })
}

const SWEEP_EVERY_MS = 50
/** So long a request may be on its way on a connection that has brought none yet. */
const UNUSED_MS = 500

/** Lets running answers end, and hangs up on who is still there after `withinMs`. */
export function close(http: HttpServer, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection that was busy when closing began becomes idle later: swept, not waited for.
    const sweep = setInterval(() => http.closeIdleConnections(), SWEEP_EVERY_MS)
    // To Node a connection is busy, not idle, until its first request has been answered.
    const unused = setTimeout(() => hangUpUnused(http), Math.min(UNUSED_MS, withinMs))
    const hangUp = setTimeout(() => http.closeAllConnections(), withinMs)
    http.close(() => {
      clearInterval(sweep)
      clearTimeout(unused)
      clearTimeout(hangUp)
      resolve()
    })
  })
}

const connections = new WeakMap<HttpServer, Set<Socket>>()

function remember(http: HttpServer): void {
  const open = new Set<Socket>()
  connections.set(http, open)
  http.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
}

function hangUpUnused(http: HttpServer): void {
  for (const socket of connections.get(http) ?? []) {
    if (socket.bytesRead === 0) socket.destroy()
  }
}
