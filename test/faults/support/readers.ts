import { setTimeout as sleep } from 'node:timers/promises'
import type { Pharmacy } from '../../../src/domain/pharmacy.ts'
import type { Histories } from './histories.ts'
import type { Violations } from './violations.ts'

/** Clients of the API that read without a pause while things break, and hold it to its word. */
export interface Readers {
  /** how many whole answers there were, and how many honest refusals */
  figures: { answers: number; refused: number; hungUp: number; slowestMs: number }
  /** every total, last change and walk length that was seen, to be compared with the journal */
  seen: { events: Set<number>; changes: Set<number> }
  /** waits until every kind of reader has had a good answer from now on */
  untilServed(limitMs: number): Promise<boolean>
  stop(): Promise<void>
}

export interface ReaderOptions {
  /** one API, or several behind which the same registry lies */
  urls: readonly string[]
  key: string
  histories: Histories
  violations: Violations
  /** while the store may be away, 503 and a cut connection are honest answers */
  mayRefuse: boolean
  pauseMs?: number
}

interface Answer {
  /** which API gave it: each may lag behind another by a second */
  by: string
  // The readers look at what they know of each answer.
  // biome-ignore lint/suspicious/noExplicitAny: a body is read before anything is known of it
  body: any
}

const PROBLEM = 'application/problem+json'
const LIMIT_MS = 90_000

export function startReaders(options: ReaderOptions): Readers {
  const { urls, key, histories, violations, mayRefuse, pauseMs = 20 } = options
  const figures = { answers: 0, refused: 0, hungUp: 0, slowestMs: 0 }
  const seen: Readers['seen'] = { events: new Set(), changes: new Set() }
  const served = new Map<string, number>()
  const stopping = new AbortController()
  let turn = 0

  /** A whole answer, or null when the API said honestly that it has none. */
  const get = async (path: string): Promise<Answer | null> => {
    turn += 1
    const by = urls[turn % urls.length] as string
    const url = `${by}${path}`
    const began = performance.now()
    try {
      const response = await fetch(url, {
        headers: { 'X-API-Key': key },
        signal: AbortSignal.timeout(LIMIT_MS),
      })
      const text = await response.text()
      figures.slowestMs = Math.max(figures.slowestMs, Math.round(performance.now() - began))
      if (response.status === 200) {
        figures.answers += 1
        return { by, body: JSON.parse(text) }
      }
      figures.refused += 1
      violations.check(isHonest(response, mayRefuse), `${path}: ${response.status} ${text}`)
    } catch (error) {
      figures.hungUp += 1
      const cause = (error as Error & { cause?: Error }).cause
      violations.check(mayRefuse, `${path}: ${error} ${cause ?? ''}`)
    }
    return null
  }

  const loop = async (name: string, read: () => Promise<boolean>) => {
    while (!stopping.signal.aborted) {
      if (await read()) served.set(name, (served.get(name) ?? 0) + 1)
      await sleep(pauseMs)
    }
  }

  const readers = [
    ...histories.territories.map((territory) =>
      loop(`export ${territory}`, exportReader(get, { territory, histories, violations })),
    ),
    loop('mirror', mirror(get, { histories, violations, seen })),
    loop('walk', walker(get, { violations, seen })),
    loop('summary', summaryReader(get, { violations, seen })),
  ]
  return {
    figures,
    seen,
    async untilServed(limitMs) {
      const before = new Map(served)
      const deadline = Date.now() + limitMs
      while (Date.now() < deadline) {
        const isServed = [...served].every(([name, count]) => count > (before.get(name) ?? 0))
        if (served.size === histories.territories.length + 3 && isServed) return true
        await sleep(50)
      }
      return false
    },
    async stop() {
      stopping.abort()
      await Promise.all(readers)
    },
  }
}

function isHonest(response: Response, mayRefuse: boolean): boolean {
  const isProblem = response.headers.get('content-type') === PROBLEM
  const retryAfter = Number(response.headers.get('retry-after'))
  return mayRefuse && response.status === 503 && isProblem && retryAfter > 0
}

type Get = (path: string) => Promise<Answer | null>

/** Every export is one snapshot, whole, and never an older one than the export before. */
function exportReader(
  get: Get,
  { territory, histories, violations }: { territory: string } & Watch,
): () => Promise<boolean> {
  const newestOf = new Map<string, number>()
  return async () => {
    const answer = await get(`/v1/farmacias/export/${territory}/json`)
    if (!answer) return false
    const { items, count } = answer.body as { items: Pharmacy[]; count: number }
    const place = histories.placeOf(territory, items)
    const newest = newestOf.get(answer.by) ?? -1
    violations.check(count === items.length, `export ${territory}: count ${count}, ${items.length}`)
    violations.check(
      place !== undefined,
      `export ${territory}: ${items.length} records that are no snapshot`,
    )
    violations.check((place ?? newest) >= newest, `export ${territory}: ${place} after ${newest}`)
    newestOf.set(answer.by, Math.max(newest, place ?? newest))
    return true
  }
}

interface Watch {
  histories: Histories
  violations: Violations
}

interface ChangeItem {
  id: number
  territory_code: string
  operation: 'upsert' | 'delete'
  external_id: string
  payload: Pharmacy
  changed_at: string
}

/** A mirror that follows the changes: no gap, no repeat, and after every poll it is a snapshot of each territory. */
function mirror(
  get: Get,
  { histories, violations, seen }: Watch & Pick<Readers, 'seen'>,
): () => Promise<boolean> {
  const held = new Map(histories.territories.map((code) => [code, new Map<string, Pharmacy>()]))
  let cursor = 0
  let changedAt = ''
  return async () => {
    for (;;) {
      const path = `/v1/farmacias/changes?since=2000-01-01T00:00:00Z&limit=500&cursor=${cursor}`
      const answer = await get(path)
      if (!answer) return false
      for (const item of answer.body.items as ChangeItem[]) {
        violations.check(item.id === cursor + 1, `changes: ${item.id} follows ${cursor}`)
        violations.check(item.changed_at >= changedAt, `changes: ${item.id} is earlier than before`)
        cursor = item.id
        changedAt = item.changed_at
        const mine = held.get(item.territory_code)
        if (item.operation === 'upsert') mine?.set(item.external_id, item.payload)
        else {
          const isKnown = mine?.delete(item.external_id) ?? false
          violations.check(isKnown, `changes: ${item.id} deletes ${item.external_id}, unknown`)
        }
      }
      const resume = answer.body.resume_cursor as number
      violations.check(resume === cursor, `changes: resume at ${resume}, last id ${cursor}`)
      if (answer.body.next_cursor === null) break
    }
    seen.changes.add(cursor)
    for (const [territory, records] of held) {
      const isSnapshot =
        records.size === 0 || histories.placeOf(territory, records.values()) !== undefined
      violations.check(isSnapshot, `changes up to ${cursor} give no snapshot of ${territory}`)
    }
    return true
  }
}

/** A walk through all events, in pages: none twice, none missing. */
function walker(
  get: Get,
  { violations, seen }: Pick<Watch, 'violations'> & Pick<Readers, 'seen'>,
): () => Promise<boolean> {
  return async () => {
    const ids: number[] = []
    let cursor: string | null = null
    const path = '/v1/farmacias/business-events?from=2019-01-01T00:00:00Z&limit=400'
    do {
      const answer: Answer | null = await get(cursor ? `${path}&cursor=${cursor}` : path)
      if (!answer) return false
      ids.push(
        ...(answer.body.items as { event_id: string }[]).map((item) => Number(item.event_id)),
      )
      cursor = answer.body.next_cursor
    } while (cursor !== null)
    const distinct = new Set(ids)
    const last = Math.max(0, ...distinct)
    violations.check(distinct.size === ids.length, `walk: ${ids.length - distinct.size} repeated`)
    violations.check(last === distinct.size, `walk: ${distinct.size} events, the last is ${last}`)
    seen.events.add(ids.length)
    return true
  }
}

/** Totals that a committed state has, and never fewer than before. */
function summaryReader(
  get: Get,
  { violations, seen }: Pick<Watch, 'violations'> & Pick<Readers, 'seen'>,
): () => Promise<boolean> {
  const mostOf = new Map<string, number>()
  return async () => {
    const path =
      '/v1/farmacias/business-events/summary?from=2019-01-01T00:00:00Z&group_by=event_type&to=2100-01-01T00:00:00Z'
    const answer = await get(path)
    if (!answer) return false
    const { total, items } = answer.body as { total: number; items: { count: number }[] }
    const most = mostOf.get(answer.by) ?? 0
    const sum = items.reduce((all, { count }) => all + count, 0)
    violations.check(total === sum, `summary: total ${total}, items ${sum}`)
    violations.check(total >= most, `summary: ${total} events after ${most}`)
    mostOf.set(answer.by, Math.max(most, total))
    seen.events.add(total)
    return true
  }
}
