import { setTimeout as sleep } from 'node:timers/promises'
import { LoadFailure } from '../domain/problem.ts'
import { get, type HttpAnswer, type HttpRequest } from './http.ts'
import { HttpFailure } from './http-failure.ts'

/** How often and how patiently a request is repeated. */
export interface Patience {
  retries: number
  /** first pause; each further one doubles, half of it at random */
  baseMs: number
}

const MAX_PAUSE_MS = 30_000
/** A server that asks for more patience than this is asked again at the next scheduled run. */
const MAX_RETRY_AFTER_MS = 60_000

/**
 * A request, repeated while its failure may pass. A compressed body of another length than stated is asked for
 * once more without compression; that attempt does not count.
 */
export async function getWithRetries(
  request: HttpRequest,
  patience: Patience,
): Promise<HttpAnswer> {
  let asked = request
  let attempt = 0
  for (;;) {
    const answer = await tryOnce(asked)
    if (!(answer instanceof HttpFailure)) return answer
    if (answer.code === 'truncated_body' && answer.wasCompressed && asked === request) {
      asked = { ...request, headers: { ...request.headers, 'accept-encoding': 'identity' } }
      continue
    }
    const pause = pauseBefore(answer, { attempt, patience })
    if (pause === undefined) throw answer
    await rest(pause, request.signal)
    attempt += 1
  }
}

async function tryOnce(request: HttpRequest): Promise<HttpAnswer | HttpFailure> {
  try {
    return await get(request)
  } catch (error) {
    if (error instanceof HttpFailure) return error
    throw error
  }
}

function pauseBefore(
  failure: HttpFailure,
  { attempt, patience }: { attempt: number; patience: Patience },
): number | undefined {
  if (!failure.mayPass || attempt >= patience.retries) return undefined
  const asked = failure.retryAfter === undefined ? 0 : retryAfterMs(failure.retryAfter)
  if (asked > MAX_RETRY_AFTER_MS) return undefined
  const backOff = Math.min(MAX_PAUSE_MS, patience.baseMs * 2 ** attempt)
  return Math.max(asked, backOff * (0.5 + Math.random() / 2))
}

/** `Retry-After` in seconds or as a date. */
function retryAfterMs(text: string): number {
  const seconds = Number(text)
  if (!Number.isNaN(seconds)) return Math.max(0, seconds * 1000)
  const until = Date.parse(text)
  return Number.isNaN(until) ? 0 : Math.max(0, until - Date.now())
}

async function rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {})
  } catch (error) {
    throw new LoadFailure('stopped', 'The download was stopped.', error)
  }
}
