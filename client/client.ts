import { setTimeout as sleep } from 'node:timers/promises'
import createClient from 'openapi-fetch'
import type { components, paths } from './api-types.ts'

export type Problem = components['schemas']['Problem']

/** A request that was refused, with what the service says about it. */
export class ApiError extends Error {
  readonly status: number
  readonly problem: Problem | undefined

  constructor(status: number, problem: Problem | undefined) {
    super(problem ? `${problem.code}: ${problem.detail}` : `The service answered ${status}.`)
    this.name = 'ApiError'
    this.status = status
    this.problem = problem
  }
}

export interface ClientOptions {
  /** where the service is, such as http://127.0.0.1:3000 */
  url: string
  key: string
  /** how often a request is tried while the service is away, overloaded or has had enough of this key */
  attempts?: number
  signal?: AbortSignal
}

export type Client = ReturnType<typeof openClient>

const ATTEMPTS = 8
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000

/** The whole API, typed: `client.GET('/v1/farmacias/territories')`. Every request carries the key and is retried. */
export function openClient({ url, key, attempts = ATTEMPTS, signal }: ClientOptions) {
  return createClient<paths>({
    baseUrl: url.replace(/\/+$/, ''),
    headers: { 'X-API-Key': key },
    // Lists are written with commas: a repeated parameter is refused.
    querySerializer: { array: { style: 'form', explode: false } },
    fetch: (request) => fetchPatiently(request, { attempts, signal }),
  })
}

interface Given<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/** The body of a good answer; anything else is thrown as an ApiError. */
export async function bodyOf<Data>(answer: Promise<Given<Data>>): Promise<Data> {
  const { data, error, response } = await answer
  if (data !== undefined) return data
  const isProblem = typeof error === 'object' && error !== null && 'code' in error
  throw new ApiError(response.status, isProblem ? (error as Problem) : undefined)
}

interface Patience {
  attempts: number
  signal: AbortSignal | undefined
}

async function fetchPatiently(request: Request, { attempts, signal }: Patience): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= attempts
    const answer = await tried(request, { isLast, signal })
    if (answer && (isLast || (answer.status !== 429 && answer.status !== 503))) return answer
    await answer?.body?.cancel()
    await sleep(pauseMs(attempt, answer), undefined, signal ? { signal } : {})
  }
}

/** The answer; undefined when the service could not be reached and it may be tried again. */
async function tried(
  request: Request,
  { isLast, signal }: { isLast: boolean; signal: AbortSignal | undefined },
): Promise<Response | undefined> {
  try {
    return await fetch(request.clone(), signal ? { signal } : {})
  } catch (cause) {
    if (isLast || signal?.aborted || !(cause instanceof TypeError)) throw cause
    return undefined
  }
}

function pauseMs(attempt: number, answer: Response | undefined): number {
  const asked = Number(answer?.headers.get('retry-after') ?? Number.NaN)
  if (asked > 0) return Math.min(LONGEST_PAUSE_MS, asked * 1000)
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) * (0.5 + Math.random())
}
