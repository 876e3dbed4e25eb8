import { useEffect, useRef, useState } from 'preact/hooks'
import { getJson } from './client.ts'
import type { ApiProblem } from './problem.ts'
import { pulse, retries } from './pulse.ts'
import { asProblem, type Resource } from './resource.ts'
import type { Page } from './shapes.ts'

/** A list that grows by its cursor. */
export interface Walk<Item> extends Resource<Item[]> {
  hasMore: boolean
  isLoadingMore: boolean
  more(): void
  /** follows the cursor to the end, or to so many items */
  all(atMost: number): void
}

interface Held<Item> {
  /** the question with its version: a new version starts over */
  question: string | null
  items: Item[] | undefined
  cursor: string | null
  problem: ApiProblem | undefined
}

const NOTHING = { question: null, items: undefined, cursor: null, problem: undefined }

/** Walks a listing page by page. `version` changes when the listing is known to have changed: it starts over then. */
export function useWalk<Item>(
  path: string | null,
  { limit, bigLimit, version }: { limit: number; bigLimit: number; version: string },
): Walk<Item> {
  const [held, setHeld] = useState<Held<Item>>(NOTHING)
  const [loadingMore, setLoadingMore] = useState(false)
  const [asked, setAsked] = useState(0)
  const question = path === null ? null : `${path}#${version}#${asked}`
  const current = useRef(question)
  current.current = question

  useEffect(() => {
    if (path === null || question === null) return
    const isCurrent = () => current.current === question
    getJson<Page<Item>>(withParams(path, { limit })).then(
      ({ items, next_cursor: cursor }) =>
        isCurrent() && setHeld({ question, items, cursor, problem: undefined }),
      (cause) =>
        isCurrent() &&
        setHeld((before) => ({
          ...(samePath(before.question, question) ? before : NOTHING),
          question,
          problem: asProblem(cause),
        })),
    )
  }, [path, limit, question])

  // What failed is tried again at every poll, and as soon as everything is asked for anew.
  useEffect(() => {
    if (held.problem) setAsked((n) => n + 1)
  }, [retries.value, pulse.value])

  const follow = async (pageLimit: number, atMost: number) => {
    if (path === null) return
    setLoadingMore(true)
    await grow(following(path, held, { limit: pageLimit, atMost }), {
      isCurrent: () => current.current === held.question,
      show: setHeld,
    })
    setLoadingMore(false)
  }

  return {
    data: held.items,
    problem: held.problem,
    isLoading: held.question !== question,
    reload: () => setAsked((n) => n + 1),
    hasMore: held.cursor !== null,
    isLoadingMore: loadingMore,
    more: () => void follow(limit, 0),
    all: (atMost) => void follow(bigLimit, atMost),
  }
}

/** Shows each page as it comes, until another question is asked: what still comes then belongs to the old one. */
async function grow<Item>(
  pages: AsyncGenerator<Held<Item>>,
  { isCurrent, show }: { isCurrent: () => boolean; show: (next: Update<Held<Item>>) => void },
): Promise<void> {
  try {
    for await (const next of pages) {
      if (!isCurrent()) return
      show(() => next)
    }
  } catch (cause) {
    if (isCurrent()) show((now) => ({ ...now, problem: asProblem(cause) }))
  }
}

type Update<State> = (now: State) => State

/** What is held, page by page longer, to the end of the listing or so many items. */
async function* following<Item>(
  path: string,
  held: Held<Item>,
  { limit, atMost }: { limit: number; atMost: number },
): AsyncGenerator<Held<Item>> {
  let [cursor, items] = [held.cursor, held.items ?? []]
  while (cursor !== null) {
    const page: Page<Item> = await getJson(withParams(path, { limit, cursor }))
    items = [...items, ...page.items]
    cursor = page.next_cursor
    yield { question: held.question, items, cursor, problem: undefined }
    if (items.length >= atMost) return
  }
}

/** Every item of a listing, for a download. */
export async function walkAll<Item>(path: string, limit: number): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const page: Page<Item> = await getJson(
      withParams(path, cursor === null ? { limit } : { limit, cursor }),
    )
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null)
  return items
}

function withParams(path: string, params: Record<string, string | number>): string {
  const more = new URLSearchParams(Object.entries(params).map(([k, v]) => [k, String(v)]))
  return `${path}${path.includes('?') ? '&' : '?'}${more}`
}

function samePath(a: string | null, b: string): boolean {
  return a?.split('#')[0] === b.split('#')[0]
}
