import { setTimeout as sleep } from 'node:timers/promises'
import { bodyOf, type Client } from './client.ts'
import { type Copy, startOf } from './copy.ts'
import { digestOf } from './digest.ts'
import { exportOf } from './export-stream.ts'
import type { Change } from './pharmacy.ts'

/** What a mirror is busy with; `total` is 0 when it is not known. */
export interface Progress {
  step: 'export' | 'changes' | 'verify'
  territory?: string
  done: number
  total: number
}

export interface MirrorOptions {
  /** only these; all that the key may see when absent */
  territories?: readonly string[]
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
}

/** The comparison of one territory with the service. */
export interface Verified {
  territory_code: string
  count: number
  digest: string
  /** false: the copy had come apart from the service and was taken over anew */
  isEqual: boolean
}

const SINCE = '1970-01-01T00:00:00Z'
const PAGE = 2000

/** A feed that ends before our position is a process a moment behind; beyond so long it is another registry. */
const LAG_MS = 5000
const LAG_PAUSE_MS = 500

export interface Mirror {
  /** takes over whole territories that are not here yet, then the changes up to the last one */
  catchUp(): Promise<void>
  /** waits for changes, at most so many seconds, and applies them; gives how many there were */
  follow(waitSeconds: number): Promise<number>
  /** compares every territory by digest, and takes over anew what differs */
  verify(): Promise<Verified[]>
}

/** The position is behind us, and stays there: what we follow is not what we began with. */
export class RegistryReplaced extends Error {
  constructor() {
    super('The service has fewer changes than this copy: another registry? Begin with a new file.')
    this.name = 'RegistryReplaced'
  }
}

export function openMirror(client: Client, copy: Copy, options: MirrorOptions = {}): Mirror {
  const report = (progress: Progress) => options.onProgress?.(progress)
  const wanted = options.territories

  async function loaded(): Promise<{ code: string; records: number }[]> {
    const { items } = await bodyOf(client.GET('/v1/farmacias/territories'))
    return items
      .filter(({ loaded: is, territory_code: code }) => is && (wanted?.includes(code) ?? true))
      .map((item) => ({ code: item.territory_code, records: item.active + item.inactive }))
  }

  async function takeOver(code: string, records: number): Promise<void> {
    const { cursor, batches } = await exportOf(client, code, (done) =>
      report({ step: 'export', territory: code, done, total: records }),
    )
    await copy.replace(code, cursor, batches)
  }

  /** The next page after our position; `upTo` leaves out what comes after that change. */
  async function step(query: { wait?: number; upTo?: number } = {}): Promise<Step> {
    const from = startOf(copy.position())
    const answer = await changesAfter(client, from, { wanted, wait: query.wait })
    const { upTo = Number.POSITIVE_INFINITY } = query
    const items = answer.items.filter(({ id }) => id <= upTo)
    const cursor = Math.min(answer.next_cursor ?? answer.resume_cursor, upTo)
    if (cursor < from) return { applied: 0, more: false, isBehind: true }
    copy.apply(items, cursor)
    report({ step: 'changes', done: cursor, total: answer.resume_cursor })
    const more = answer.next_cursor !== null && answer.next_cursor < upTo
    return { applied: items.length, more, isBehind: false }
  }

  /** Steps until nothing follows, or the given change is reached. */
  async function advance(upTo?: number): Promise<void> {
    const deadline = Date.now() + LAG_MS
    for (;;) {
      const { more, isBehind } = await step(upTo === undefined ? {} : { upTo })
      const reached = upTo === undefined || startOf(copy.position()) >= upTo
      if (!more && !isBehind && reached) return
      if (more) continue
      if (Date.now() > deadline) throw new RegistryReplaced()
      await sleep(LAG_PAUSE_MS, undefined, options.signal ? { signal: options.signal } : {})
    }
  }

  async function verifyOne(code: string, records: number): Promise<Verified> {
    const answer = await digestAt(code)
    await advance(answer.changes_cursor)
    const own = digestOf(copy.records(code))
    const isEqual = own.digest === answer.digest && own.count === answer.count
    if (!isEqual) await takeOver(code, records)
    return { territory_code: code, count: answer.count, digest: answer.digest, isEqual }
  }

  /** The digest of a state that the copy has not gone beyond. */
  async function digestAt(code: string) {
    const deadline = Date.now() + LAG_MS
    for (;;) {
      const answer = await bodyOf(
        client.GET('/v1/farmacias/territories/{territory_code}/digest', {
          params: { path: { territory_code: code } },
        }),
      )
      if (answer.changes_cursor >= startOf(copy.position())) return answer
      if (Date.now() > deadline) throw new RegistryReplaced()
      await sleep(LAG_PAUSE_MS, undefined, options.signal ? { signal: options.signal } : {})
    }
  }

  return {
    async catchUp() {
      const known = copy.position().territories
      for (const { code, records } of await loaded()) {
        if (!known.has(code)) await takeOver(code, records)
      }
      await advance()
    },
    async follow(waitSeconds) {
      const { applied, more, isBehind } = await step({ wait: waitSeconds })
      if (more || isBehind) await advance()
      return applied
    },
    async verify() {
      const territories = await loaded()
      const verified: Verified[] = []
      for (const { code, records } of territories) {
        report({ step: 'verify', territory: code, done: verified.length, total: territories.length })
        verified.push(await verifyOne(code, records))
      }
      return verified
    },
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

function changesAfter(
  client: Client,
  cursor: number,
  { wanted, wait }: { wanted: readonly string[] | undefined; wait: number | undefined },
): Promise<ChangePage> {
  const query = {
    since: SINCE,
    cursor,
    limit: PAGE,
    ...(wait === undefined ? {} : { wait }),
    ...(wanted === undefined ? {} : { territories: [...wanted] }),
  }
  return bodyOf(client.GET('/v1/farmacias/changes', { params: { query } }))
}
