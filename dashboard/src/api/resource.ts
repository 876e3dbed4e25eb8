import { useEffect, useState } from 'preact/hooks'
import { getJson } from './client.ts'
import { ApiProblem } from './problem.ts'
import { pulse, retries } from './pulse.ts'

/** One answer of the API as a panel sees it: what came last, what went wrong, whether something is on its way. */
export interface Resource<Body> {
  data: Body | undefined
  problem: ApiProblem | undefined
  /** an answer to a new question is on its way; `data` is still the answer to the one before */
  isLoading: boolean
  reload(): void
}

interface Held<Body> {
  path: string | null
  data: Body | undefined
  problem: ApiProblem | undefined
}

/** Asks for a path, and again at every pulse unless once is enough; after a problem also at every poll. With null nothing is asked yet. */
export function useResource<Body>(
  path: string | null,
  { once = false }: { once?: boolean } = {},
): Resource<Body> {
  const [held, setHeld] = useState<Held<Body>>({ path: null, data: undefined, problem: undefined })
  const [asked, setAsked] = useState(0)
  const beats = once ? 0 : pulse.value

  // a pulse or a reload asks the same again
  useEffect(() => {
    if (path === null) return
    const leaving = new AbortController()
    getJson<Body>(path, leaving.signal).then(
      (data) => !leaving.signal.aborted && setHeld({ path, data, problem: undefined }),
      (cause) => {
        if (leaving.signal.aborted) return
        const problem = asProblem(cause)
        // What was shown stays, unless it answers another question.
        setHeld((before) => ({
          path,
          data: before.path === path ? before.data : undefined,
          problem,
        }))
      },
    )
    return () => leaving.abort()
  }, [path, beats, asked])

  // What failed is tried at every poll; the rest waits for news.
  useEffect(() => {
    if (held.problem) setAsked((n) => n + 1)
  }, [retries.value])

  return {
    data: held.data,
    problem: held.path === path ? held.problem : undefined,
    isLoading: held.path !== path,
    reload: () => setAsked((n) => n + 1),
  }
}

export function asProblem(cause: unknown): ApiProblem {
  if (cause instanceof ApiProblem) return cause
  return new ApiProblem('failed', String(cause))
}
