import { setTimeout as sleep } from 'node:timers/promises'
import { bodyOf, type Client } from './client.ts'
import { type Copy, startOf } from './copy.ts'
import type { MirrorOptions } from './mirror-options.ts'
import type { Change } from './pharmacy.ts'

const SINCE = '1970-01-01T00:00:00Z'
const PAGE = 2000

/** A service that answers from before our position is a process a moment behind; for so long it is another registry. */
const LAG_MS = 5000
const LAG_PAUSE_MS = 500

/** The service has fewer changes than the copy, and stays so: what is followed is not what the copy began with. */
export class RegistryReplaced extends Error {
  constructor() {
    super('The service has fewer changes than this copy: another registry? Begin with a new file.')
    this.name = 'RegistryReplaced'
  }
}

/** Takes the changes over, page by page. */
export interface Feed {
  /** waits for changes, at most so many seconds, and applies all there are; gives how many came first */
  follow(waitSeconds: number): Promise<number>
  /** applies changes to the end, or to the given one and no further */
  advance(upTo?: number): Promise<void>
}

export function openFeed(client: Client, copy: Copy, options: MirrorOptions): Feed {
  const step = async (query: { wait?: number; upTo?: number }): Promise<Step> => {
    const from = startOf(copy.position())
    const page = await changesAfter(client, from, { ...options, wait: query.wait })
    const { cursor, items, more } = pageUpTo(page, query.upTo ?? Number.POSITIVE_INFINITY)
    if (cursor < from) return { applied: 0, more: false, isBehind: true }
    copy.apply(items, cursor)
    options.onProgress?.({ step: 'changes', done: cursor, total: page.resume_cursor })
    return { applied: items.length, more, isBehind: false }
  }
  const advance = async (upTo?: number): Promise<void> => {
    const query = upTo === undefined ? {} : { upTo }
    const lag = lagging(options.signal)
    for (let last = await step(query); !isThere(last, copy, upTo); last = await step(query)) {
      if (!last.more) await lag()
    }
  }
  return {
    advance,
    async follow(waitSeconds) {
      const { applied, more, isBehind } = await step({ wait: waitSeconds })
      if (more || isBehind) await advance()
      return applied
    },
  }
}

/** A pause for a process that is a moment behind; throws once it has been so for too long. */
export function lagging(signal: AbortSignal | undefined): () => Promise<void> {
  const deadline = Date.now() + LAG_MS
  return async () => {
    if (Date.now() > deadline) throw new RegistryReplaced()
    await sleep(LAG_PAUSE_MS, undefined, signal ? { signal } : {})
  }
}

interface Step {
  applied: number
  more: boolean
  /** the service answered from a state older than our position */
  isBehind: boolean
}

interface ChangePage {
  items: Change[]
  next_cursor: number | null
  resume_cursor: number
}

function isThere({ more, isBehind }: Step, copy: Copy, upTo = 0): boolean {
  return !more && !isBehind && startOf(copy.position()) >= upTo
}

/** The part of a page that lies before a change, and whether more of it follows. */
function pageUpTo(page: ChangePage, upTo: number) {
  const next = page.next_cursor
  return {
    items: page.items.filter(({ id }) => id <= upTo),
    cursor: Math.min(next ?? page.resume_cursor, upTo),
    more: next !== null && next < upTo,
  }
}

function changesAfter(
  client: Client,
  cursor: number,
  { territories, wait }: { territories?: readonly string[]; wait: number | undefined },
): Promise<ChangePage> {
  const query = {
    since: SINCE,
    cursor,
    limit: PAGE,
    ...(wait === undefined ? {} : { wait }),
    ...(territories === undefined ? {} : { territories: [...territories] }),
  }
  return bodyOf(client.GET('/v1/farmacias/changes', { params: { query } }))
}
