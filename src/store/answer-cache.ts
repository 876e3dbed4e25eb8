import { channel } from 'node:diagnostics_channel'

/** Where every lookup is told, for metrics; costs nothing while nobody listens. */
export const ANSWER_CACHE_CHANNEL = 'pharmacy-registry:answer-cache'
export interface CacheLookup {
  /** `shared`: the same question is being computed already */
  outcome: 'hit' | 'shared' | 'miss'
}

/** An answer ready to send: its JSON text, or that in UTF-8, so that a repeated question costs no serialising. */
export interface CachedAnswer {
  text: string | Buffer
  /** the entity tag of the content, where the endpoint has one */
  tag: string | null
}

export interface AnswerCache {
  /**
   * The answer known by this key, or the one `compute` gives, computed once however many ask at the same time.
   * With `maxAgeMs` an older answer counts as unknown. A failure is passed to all who wait and not remembered.
   */
  get(key: string, compute: () => Promise<CachedAnswer>, maxAgeMs?: number): Promise<CachedAnswer>
}

interface Entry {
  answer: CachedAnswer
  bornMs: number
}

/**
 * Answers by key, at most `maxChars` characters of text in all, the least recently used leaving first. Data
 * changes only at commits, so a key that names the committed run needs no invalidation: a commit changes the key.
 */
export function openAnswerCache({
  maxChars,
  clockMs,
}: {
  maxChars: number
  clockMs: () => number
}): AnswerCache {
  const entries = new Map<string, Entry>()
  const pending = new Map<string, Promise<CachedAnswer>>()
  const lookups = channel(ANSWER_CACHE_CHANNEL)
  const tell = (outcome: CacheLookup['outcome']) => lookups.publish({ outcome })
  let chars = 0

  const drop = (key: string): void => {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    chars -= weightOf(key, entry.answer)
  }
  const keep = (key: string, answer: CachedAnswer): void => {
    drop(key)
    entries.set(key, { answer, bornMs: clockMs() })
    chars += weightOf(key, answer)
    for (const oldest of entries.keys()) {
      if (chars <= maxChars) return
      drop(oldest)
    }
  }

  return {
    get(key, compute, maxAgeMs = Number.POSITIVE_INFINITY) {
      const entry = entries.get(key)
      if (entry && clockMs() - entry.bornMs <= maxAgeMs) {
        tell('hit')
        // Moved to the end: the map's order is the order of use.
        entries.delete(key)
        entries.set(key, entry)
        return Promise.resolve(entry.answer)
      }
      const running = pending.get(key)
      tell(running === undefined ? 'miss' : 'shared')
      if (running !== undefined) return running
      const computing = compute()
        .then((answer) => {
          keep(key, answer)
          return answer
        })
        .finally(() => pending.delete(key))
      pending.set(key, computing)
      return computing
    },
  }
}

function weightOf(key: string, answer: CachedAnswer): number {
  return key.length + answer.text.length
}
