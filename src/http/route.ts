import { Problem } from '../domain/problem.ts'
import { instantOf } from '../domain/time.ts'
import type { Store } from '../store/store.ts'
import type { Admission, Place } from './admission.ts'
import { NOBODY, type Presented } from './auth.ts'
import { boundedMap } from './bounded-map.ts'
import type { CommitWatch } from './commit-watch.ts'
import { deprecationHeaders } from './deprecation.ts'
import type { Endpoint, Principal, RateState } from './endpoint.ts'
import { type Exchange, isGone } from './exchange.ts'
import type { ExportFiles } from './export-files.ts'
import { asProblem } from './problem.ts'
import { type RateLimiter, rateHeaders } from './rate-limit.ts'
import { PRIVATE_CACHING, PUBLIC_CACHING, sendAnswer, sendProblem } from './send.ts'
import type { StaticFile } from './static.ts'
import { pathParams, type Target } from './target.ts'
import { buildValidator, readQuery, type Validator } from './validate.ts'

/** What every route needs besides its endpoint. */
export interface Services {
  store: Store
  authenticate: (presented: Presented) => Promise<Principal>
  limiter: RateLimiter | null
  watch: CommitWatch
  exports: ExportFiles
  /** requests at work, before anything is known of the caller */
  requests: Admission
  /** answers that are streamed, which clients may read as slowly as they like */
  streams: Admission
  /** longest time to the first byte of an answer */
  deadlineMs: number
}

/** Answers one exchange completely; never rejects. */
export type Route = (exchange: Exchange) => Promise<void>

/** The steps of every request, in the order of decisions section 1: key, rate, parameters, then the handler. */
export function buildRoute(endpoint: Endpoint, services: Services): Route {
  const read = remembering(buildValidator(endpoint.pathSchema, endpoint.querySchema))
  const announced = deprecationHeaders(endpoint.deprecation)

  async function answer(exchange: Exchange, signal: AbortSignal, place: Place | null) {
    const principal = endpoint.open ? NOBODY : await authenticated(exchange)
    const rate = endpoint.open ? null : admitted(exchange, principal)
    const params = read(endpoint.path, exchange.target)
    return endpoint.handle({
      principal,
      rate,
      // The validator has just checked these against the endpoint's own schemas.
      path: params.path as never,
      query: params.query as never,
      now: instantOf(exchange.arrivedAt),
      store: services.store,
      watch: place
        ? aside(services.watch, { place, check: () => authenticated(exchange) })
        : services.watch,
      exports: services.exports,
      signal,
    })
  }

  async function authenticated(exchange: Exchange): Promise<Principal> {
    const sent = exchange.request.headers['x-api-key']
    const principal = await services.authenticate({
      key: typeof sent === 'string' ? sent : undefined,
      address: exchange.request.socket.remoteAddress ?? '',
    })
    exchange.keyId = principal.keyId
    return principal
  }

  function admitted(exchange: Exchange, principal: Principal): RateState | null {
    if (!services.limiter) return null
    const { retryAfterSeconds, ...rate } = services.limiter.take(principal.keyId)
    Object.assign(exchange.headers, rateHeaders(rate))
    if (retryAfterSeconds !== undefined) throw tooMany(rate, retryAfterSeconds)
    return rate
  }

  return async (exchange) => {
    exchange.route = endpoint.path
    Object.assign(exchange.headers, announced)
    const watch = watchOver(exchange, services.deadlineMs)
    try {
      const place = endpoint.open ? null : watch.hold(services.requests.enter(''))
      const given = await watch.bounded(answer(exchange, watch.signal, place))
      if (given.kind === 'stream') {
        watch.hold(services.streams.enter(exchange.keyId ?? ''))
        place?.leave()
      }
      const caching = endpoint.open ? PUBLIC_CACHING : PRIVATE_CACHING
      await sendAnswer(exchange, given, {
        caching,
        bounded: watch.bounded,
        started: watch.end,
      })
    } catch (thrown) {
      refuse(exchange, thrown)
    } finally {
      watch.end()
    }
  }
}

type Params = ReturnType<Validator['read']>

const MAX_REMEMBERED = 256
const MAX_REMEMBERED_CHARS = 512

/** Reads the parameters of a request. A dashboard asks the same again and again: what was good once is good again. */
function remembering(validator: Validator): (template: string, target: Target) => Params {
  const known = boundedMap<string, Params>(MAX_REMEMBERED)
  return (template, target) => {
    const asked = `${target.path}?${target.query}`
    const earlier = known.get(asked)
    if (earlier) return earlier
    const params = validator.read({
      path: pathParams(template, target),
      query: readQuery(target.query),
    })
    if (asked.length <= MAX_REMEMBERED_CHARS) known.set(asked, frozen(params))
    return params
  }
}

/** Whoever got them must not change what others get. */
function frozen(params: Params): Params {
  for (const values of [params.path, params.query]) {
    for (const value of Object.values(values)) Object.freeze(value)
    Object.freeze(values)
  }
  return params
}

/** Whoever only waits for a commit is not at work, and needs a key that is still good when the waiting is over. */
function aside(
  watch: CommitWatch,
  { place, check }: { place: Place; check: () => Promise<unknown> },
): CommitWatch {
  return {
    ...watch,
    async next(seen, wait) {
      const state = await place.aside(() => watch.next(seen, wait))
      await check()
      return state
    },
  }
}

/** A file of the dashboard or the documentation: open, and with any query, which browsers use to skip caches. */
export function fileRoute(file: StaticFile): Route {
  return async (exchange) => {
    exchange.route = file.path
    try {
      await sendAnswer(exchange, file.answer, {
        caching: PUBLIC_CACHING,
        // Files are at hand: there is nothing to wait for.
        bounded: (work) => work,
        started: () => undefined,
      })
    } catch (thrown) {
      refuse(exchange, thrown)
    }
  }
}

function tooMany(rate: RateState, retryAfterSeconds: number): Problem {
  return new Problem(
    'rate_limited',
    `This key may send ${rate.limit} requests per minute; try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  )
}

/** Answers what was thrown; once an answer has begun, or nobody listens, all that is left is to hang up. */
export function refuse(exchange: Exchange, thrown: unknown): void {
  exchange.fault ??= thrown
  if (exchange.response.headersSent || isGone(exchange)) exchange.response.destroy()
  else sendProblem(exchange, asProblem(thrown))
}

function tooLate(): Problem {
  return new Problem('overloaded', 'The answer took too long; try again.', { retryAfterSeconds: 5 })
}

interface Watch {
  /** aborted when the client goes away or the deadline passes */
  signal: AbortSignal
  /** the work's outcome, unless the signal comes first: a handler that ignores it cannot hold the request */
  bounded: <T>(work: Promise<T>) => Promise<T>
  /** no deadline any more */
  end: () => void
  /** keeps a place until the answer has gone out, or the caller has: a body nobody reads is held in memory too */
  hold: (place: Place) => Place
}

function watchOver(exchange: Exchange, deadlineMs: number): Watch {
  const controller = new AbortController()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  // Only ever seen through a race that may be over.
  aborted.catch(() => undefined)
  const abort = (reason: Error) => {
    controller.abort(reason)
    reject(reason)
  }
  const timer = setTimeout(() => abort(tooLate()), deadlineMs)
  const places: Place[] = []
  exchange.response.once('close', () => {
    for (const place of places) place.leave()
    if (!exchange.response.writableFinished)
      abort(new DOMException('The client left.', 'AbortError'))
  })
  return {
    signal: controller.signal,
    bounded: (work) => Promise.race([work, aborted]),
    end: () => clearTimeout(timer),
    hold(place) {
      if (exchange.response.closed) place.leave()
      places.push(place)
      return place
    },
  }
}
