import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import restify from 'restify'
import { Problem } from '../domain/problem.ts'
import { isForbidden } from '../store/db.ts'
import type { KeyStore } from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import { type AdmissionLimits, createAdmission } from './admission.ts'
import { createAuthentication } from './auth.ts'
import { MAX_URL } from './client-error.ts'
import { type WatchLimits, watchCommits } from './commit-watch.ts'
import { close, guardConnections, listen } from './connections.ts'
import { ALLOWED_METHODS, PREFLIGHT_HEADERS } from './cors.ts'
import type { Endpoint } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { openExportFiles } from './export-files.ts'
import { createKeyring } from './keyring.ts'
import { openApiEndpoint } from './openapi.ts'
import { createRateLimiter } from './rate-limit.ts'
import { requestIdOf } from './request-id.ts'
import { type Answered, describeFault, logExchange } from './request-log.ts'
import { buildRoute, fileRoute, type Route, refuse, type Services } from './route.ts'
import { sendHead } from './send.ts'
import { readStatic, type StaticMount } from './static.ts'
import { readTarget } from './target.ts'
import { type AroundRequest, tracedRoute } from './traced-route.ts'

export interface ServerOptions {
  store: Store
  endpoints: readonly Endpoint[]
  keys: KeyStore
  log: Logger
  /** per key; 0 turns limits off */
  rateLimitPerMinute: number
  /** folders served without a key */
  static?: readonly StaticMount[]
  /** told about every answer, for metrics */
  onAnswer?: (answered: Answered) => void
  /** wraps the answering of every routed request, for traces */
  around?: AroundRequest
  now?: () => number
  /** how long running answers may take to end when the server closes */
  closeWithinMs?: number
  /** longest time to the first byte of an answer */
  deadlineMs?: number
  /** where finished exports are kept, and how much of them; nowhere when it is left out */
  exports?: { folder: string; maxBytes?: number }
  /** how many requests are answered, and exports streamed, at once */
  requestLimits?: AdmissionLimits
  streamLimits?: AdmissionLimits
  /** how many requests may wait for the next commit */
  watchLimits?: WatchLimits
}

export interface RunningServer {
  listen(port: number, host: string): Promise<{ url: string }>
  /** stops accepting, lets running answers end for a bounded time, then hangs up */
  close(): Promise<void>
}

/** Part of Restify 12 that its published types, made for 8, do not know: runs before anything looks at a request. */
interface FirstChain {
  first(
    this: unknown,
    handler: (request: IncomingMessage, response: ServerResponse) => boolean,
  ): void
}

/** Enough to keep Elasticsearch busy; what is beyond would only wait. */
const REQUEST_LIMITS = { what: 'requests', max: 256, maxPerKey: 256 }
/** A slow reader of a file holds a megabyte of it; were the disk to refuse, it would hold up to 20 MB of records. */
const STREAM_LIMITS = { what: 'exports', max: 32, maxPerKey: 16 }
const EXPORTS_MAX_BYTES = 2_000_000_000
const DEADLINE_MS = 60_000
const CLOSE_WITHIN_MS = 10_000
const MAX_WRONG_KEYS_PER_MINUTE = 60

/** Builds the server; nothing listens before `listen`. */
export function buildServer(options: ServerOptions): RunningServer {
  const now = options.now ?? Date.now
  const server = restify.createServer({
    name: '',
    // Restify's types want the logger it used before pino.
    log: options.log as never,
    // Passed on to the router, whose own limit of 100 would make a long path parameter a 404.
    ...({ maxParamLength: MAX_URL } as object),
  })
  const http = server.server as HttpServer
  let closing = false

  const routed = (route: Route) =>
    async function answer(request: IncomingMessage) {
      const exchange = exchangeOf(request)
      if (exchange) await route(exchange)
    }

  const { first } = server as unknown as FirstChain
  first.call(server, (request, response) => {
    const exchange = begin(request, response, now())
    carrier(request)[EXCHANGE] = exchange
    if (closing) exchange.headers.Connection = 'close'
    logExchange(exchange, options)
    return isRoutable(exchange)
  })
  const services = servicesOf(options, now)
  for (const [path, route] of routesOf(options, services)) {
    const traced = tracedRoute(route, path, options.around)
    server.get(path, routed(traced))
    server.head(path, routed(traced))
    server.opts(path, routed(preflight))
  }
  server.on('restifyError', (request: IncomingMessage, _response: unknown, error: unknown) => {
    const exchange = exchangeOf(request)
    if (exchange) refuse(exchange, problemOfRouter(error))
  })
  server.on('error', (cause: unknown) => {
    options.log.error({ fault: describeFault(cause) }, 'http server')
  })
  guardConnections(http, options.log)

  return {
    listen: (port, host) => listen(http, port, host),
    async close() {
      closing = true
      services.watch.close()
      await close(http, options.closeWithinMs ?? CLOSE_WITHIN_MS)
      await services.exports.close()
    },
  }
}

/** Restify hands the request from step to step, so it carries its exchange; a WeakMap cost 25 µs each in collection. */
const EXCHANGE = Symbol('exchange')

function carrier(request: IncomingMessage): { [EXCHANGE]?: Exchange } {
  return request as IncomingMessage & { [EXCHANGE]?: Exchange }
}

function exchangeOf(request: IncomingMessage): Exchange | undefined {
  return carrier(request)[EXCHANGE]
}

function servicesOf(options: ServerOptions, now: () => number): Services {
  const keyring = createKeyring(options.keys, {
    now,
    // An API whose role may only read never records it, and need not say so for every key.
    onTouchFailed: (cause) => {
      const level = isForbidden(cause) ? 'debug' : 'warn'
      options.log[level]({ fault: describeFault(cause) }, 'last use of a key not recorded')
    },
  })
  const wrongKeys = Math.min(options.rateLimitPerMinute, MAX_WRONG_KEYS_PER_MINUTE)
  return {
    store: options.store,
    authenticate: createAuthentication(keyring, createRateLimiter(wrongKeys, { now })),
    limiter: createRateLimiter(options.rateLimitPerMinute, { now }),
    requests: createAdmission(options.requestLimits ?? REQUEST_LIMITS),
    streams: createAdmission(options.streamLimits ?? STREAM_LIMITS),
    watch: watchCommits(options.store.state, options.watchLimits),
    exports: openExportFiles({
      folder: options.exports?.folder,
      maxBytes: options.exports?.maxBytes ?? EXPORTS_MAX_BYTES,
      log: options.log,
    }),
    deadlineMs: options.deadlineMs ?? DEADLINE_MS,
  }
}

function routesOf(options: ServerOptions, services: Services): Map<string, Route> {
  const files = (options.static ?? []).flatMap(readStatic)
  const endpoints = [...options.endpoints, openApiEndpoint(options.endpoints)]
  return new Map([
    ...files.map((file): [string, Route] => [file.path, fileRoute(file)]),
    ...endpoints.map((endpoint): [string, Route] => [
      endpoint.path,
      buildRoute(endpoint, services),
    ]),
  ])
}

function begin(request: IncomingMessage, response: ServerResponse, arrivedAt: number): Exchange {
  const requestId = requestIdOf(request.headers['x-request-id'])
  return {
    request,
    response,
    requestId,
    arrivedAt,
    target: readTarget(request.url ?? '') ?? { path: '', segments: [], query: '' },
    headers: { 'X-Request-Id': requestId },
    route: null,
    keyId: null,
    fault: undefined,
  }
}

/** Answers what no router should see; true when the request can be routed. */
function isRoutable(exchange: Exchange): boolean {
  const { request, target } = exchange
  const url = request.url ?? ''
  if (url.length > MAX_URL) {
    refuse(exchange, new Problem('uri_too_long', `A URL may have at most ${MAX_URL} characters.`))
    return false
  }
  if (request.method === 'OPTIONS' && url === '*') {
    void preflight(exchange)
    return false
  }
  if (target.path === '' || (request.httpVersion === '1.1' && !request.headers.host)) {
    refuse(
      exchange,
      new Problem('bad_request', 'The request line or the Host header is not valid.'),
    )
    return false
  }
  // Restify builds a URL from these two: neither may be able to break it. Nothing here depends on the host.
  request.url = target.path
  request.headers.host = 'localhost'
  return true
}

async function preflight(exchange: Exchange): Promise<void> {
  sendHead(exchange, 204, { ...PREFLIGHT_HEADERS })
  exchange.response.end()
}

/** Restify's own refusals are 404 and 405; their bodies would echo the URL. */
function problemOfRouter(error: unknown): unknown {
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  if (status === 404) return new Problem('not_found', 'There is nothing at this address.')
  if (status === 405) {
    return new Problem('method_not_allowed', 'Only GET, HEAD and OPTIONS are possible here.', {
      allow: ALLOWED_METHODS,
    })
  }
  return error
}
