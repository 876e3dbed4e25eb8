import { createHash } from 'node:crypto'
import { type AnswerCache, openAnswerCache } from '../store/answer-cache.ts'
import type { Db } from '../store/db.ts'
import type { RegistryState } from '../store/state.ts'
import type { Answer, Call } from './endpoint.ts'

/** How long a window that ends now may be answered from one computation (decisions, "Conditional requests"). */
const SLIDING_MAX_AGE_MS = 30_000

/** All cached answers of one registry together; characters, so about twice as many bytes at most. */
const CACHE_CHARS = 32 * 1024 * 1024

const caches = new WeakMap<Db, AnswerCache>()

function cacheOf(db: Db): AnswerCache {
  const known = caches.get(db)
  if (known) return known
  const cache = openAnswerCache({ maxChars: CACHE_CHARS, clockMs: () => performance.now() })
  caches.set(db, cache)
  return cache
}

type Body = Record<string, unknown>

/** A body that follows from a committed run, the request and the key's scope, and from nothing else. */
export interface Question<Content = Body> {
  endpoint: string
  state: RegistryState
  /** the run the answer is pinned to, when a cursor names another than the committed one */
  run?: number
  /** the window ends at the instant of the request: the answer is good for half a minute */
  isSliding: boolean
  compute: () => Promise<Content>
}

/** Answers from memory when the same was asked of the same committed run, with an entity tag of its content. */
export async function taggedAnswer(
  call: Call<unknown, object>,
  question: Question,
): Promise<Answer> {
  const { text, tag } = await remembered(call, question, (body) => contentTag(call, question, body))
  return {
    ...jsonText(text),
    ...(tag ? { tag: { value: tag, weak: question.isSliding } } : {}),
  }
}

/** The same without an entity tag, for pages of a walk; a page may be JSON in UTF-8 already. */
export async function pageAnswer(
  call: Call<unknown, object>,
  question: Question<Body | Buffer>,
): Promise<Answer> {
  const { text } = await remembered(call, question, () => null)
  return jsonText(text)
}

function jsonText(text: string | Buffer): Extract<Answer, { kind: 'text' }> {
  return { kind: 'text', contentType: 'application/json', body: text }
}

function remembered<Content extends Body | Buffer>(
  call: Call<unknown, object>,
  question: Question<Content>,
  tagOf: (body: Content) => string | null,
) {
  const { state, isSliding } = question
  const key = JSON.stringify([
    question.endpoint,
    question.run ?? state.committed_run,
    // A registry restored from a backup may give a run number again, but not at the same instant.
    [state.committed_run, state.committed_at],
    call.principal.scope,
    call.path,
    call.query,
  ])
  return cacheOf(call.store.db).get(
    key,
    async () => {
      const body = await question.compute()
      const text = Buffer.isBuffer(body) ? body : JSON.stringify(body)
      return { text, tag: tagOf(body) }
    },
    isSliding ? SLIDING_MAX_AGE_MS : undefined,
  )
}

/** Of a window that slides, the echoed bounds are left out: they move with every request, the content does not. */
function contentTag(call: Call<unknown, object>, question: Question, body: Body): string {
  const { from: _from, to: _to, ...content } = body
  return entityTag([
    question.endpoint,
    call.path,
    call.query,
    call.principal.scope,
    question.isSliding ? content : body,
  ])
}

/** A short value that differs whenever one of the parts does. */
export function entityTag(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)
}
