import { signal } from '@preact/signals'
import { ApiProblem, problemOf } from './problem.ts'
import { beatIn } from './pulse.ts'
import { forgetKey, sessionKey } from './session-key.ts'

/** What the whole page should know of the API, beyond the one panel that asked. */
export interface Health {
  /** set while the API does not answer */
  awaySince: number | null
  /** set while the key has used up its requests */
  limitedUntil: number | null
  lastAnswerAt: number | null
  /** the last key was refused; the page asks for another */
  isKeyRefused: boolean
}

export const health = signal<Health>({
  awaySince: null,
  limitedUntil: null,
  lastAnswerAt: null,
  isKeyRefused: false,
})

interface Held {
  tag: string
  body: unknown
}

const MAX_HELD = 100
/** Answers by address, for `If-None-Match`; those not asked for the longest go first. */
const held = new Map<string, Held>()

/** A GET with the key; what has not changed since the last time costs a 304. */
export async function getJson<Body>(path: string, signal?: AbortSignal): Promise<Body> {
  const known = held.get(path)
  const response = await send(path, {
    ...(signal ? { signal } : {}),
    headers: known ? { 'If-None-Match': known.tag } : {},
  })
  if (response.status === 304 && known) {
    hold(path, known)
    return known.body as Body
  }
  const body: Body = await response.json()
  const tag = response.headers.get('etag')
  if (!tag) {
    held.delete(path)
    return body
  }
  // Asked twice at once, the second answer gives the object of the first: equal answers are the same.
  const same = held.get(path)
  const answer = same?.tag === tag ? same : { tag, body }
  hold(path, answer)
  return answer.body as Body
}

/** Whether a key is good, before it is kept. */
export async function tryKey(key: string): Promise<void> {
  const response = await reach('/v1/key', { headers: { 'X-API-Key': key } })
  if (!response.ok) throw await problemOf(response)
  health.value = { ...health.value, isKeyRefused: false, limitedUntil: null }
}

/** The body of an export, streamed by the browser into a blob. */
export async function getBlob(path: string): Promise<{ blob: Blob; filename: string | null }> {
  const response = await send(path, {})
  const disposition = response.headers.get('content-disposition') ?? ''
  return {
    blob: await response.blob(),
    filename: /filename="?([^";]+)"?/.exec(disposition)?.[1] ?? null,
  }
}

/** Nothing of one key may be shown to the next. */
export function forgetAnswers(): void {
  held.clear()
}

function hold(path: string, answer: Held): void {
  held.delete(path)
  held.set(path, answer)
  const [oldest] = held.keys()
  if (held.size > MAX_HELD && oldest !== undefined) held.delete(oldest)
}

async function send(path: string, init: RequestInit): Promise<Response> {
  const key = sessionKey.value ?? ''
  const response = await reach(path, { ...init, headers: { ...init.headers, 'X-API-Key': key } })
  if (response.ok || response.status === 304) {
    noteAnswer()
    return response
  }
  const problem = await problemOf(response)
  noteProblem(problem, key)
  throw problem
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...init, cache: 'no-store', credentials: 'omit' })
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    const problem = new ApiProblem('away', String(cause))
    noteProblem(problem, null)
    throw problem
  }
}

function noteAnswer(): void {
  const { limitedUntil } = health.value
  // One of several requests may still have been granted: the others must wait all the same.
  const mustWait = limitedUntil !== null && Date.now() < limitedUntil
  health.value = {
    ...health.value,
    awaySince: null,
    limitedUntil: mustWait ? limitedUntil : null,
    lastAnswerAt: Date.now(),
  }
}

function noteProblem(problem: ApiProblem, key: string | null): void {
  if (problem.kind === 'away') {
    health.value = { ...health.value, awaySince: health.value.awaySince ?? Date.now() }
  }
  if (problem.kind === 'limited') {
    const seconds = problem.retryAfterSeconds ?? 5
    // Several panels are refused at once; one wait is enough for all.
    if (health.value.limitedUntil === null) beatIn(seconds)
    health.value = { ...health.value, limitedUntil: Date.now() + seconds * 1000 }
  }
  // A late answer to an earlier key says nothing of the present one.
  if (problem.kind === 'refused' && key === sessionKey.value) {
    health.value = { ...health.value, isKeyRefused: true }
    forgetAnswers()
    forgetKey()
  }
}
