import { bodyOf, type Client } from './client.ts'
import { type Copy, startOf } from './copy.ts'
import { digestOf } from './digest.ts'
import { exportOf } from './export-stream.ts'
import { lagging, openFeed } from './feed.ts'
import type { MirrorOptions } from './mirror-options.ts'

/** The comparison of one territory with the service. */
export interface Verified {
  territory_code: string
  count: number
  digest: string
  /** false: the copy had come apart from the service and was taken over anew */
  isEqual: boolean
}

export interface Mirror {
  /** takes over whole territories that are not here yet, then the changes up to the last one */
  catchUp(): Promise<void>
  /** waits for changes, at most so many seconds, and applies them; gives how many there were */
  follow(waitSeconds: number): Promise<number>
  /** compares every territory by digest, and takes over anew what differs */
  verify(): Promise<Verified[]>
}

interface Territory {
  code: string
  records: number
}

/** Keeps a copy equal to what a key may see of a registry. */
export function openMirror(client: Client, copy: Copy, options: MirrorOptions = {}): Mirror {
  const feed = openFeed(client, copy, options)

  const takeOver = async ({ code, records }: Territory) => {
    const { cursor, batches } = await exportOf(client, code, (done) =>
      options.onProgress?.({ step: 'export', territory: code, done, total: records }),
    )
    await copy.replace(code, cursor, batches)
  }

  const verifyOne = async (territory: Territory): Promise<Verified> => {
    const answer = await digestAhead(client, copy, { ...options, code: territory.code })
    // Up to the very state the digest is of: loads go on meanwhile.
    await feed.advance(answer.changes_cursor)
    const own = digestOf(copy.records(territory.code))
    const isEqual = own.digest === answer.digest && own.count === answer.count
    if (!isEqual) await takeOver(territory)
    return {
      territory_code: territory.code,
      count: answer.count,
      digest: answer.digest,
      isEqual,
    }
  }

  return {
    follow: feed.follow,
    async catchUp() {
      const known = copy.position().territories
      for (const territory of await loadedTerritories(client, options)) {
        if (!known.has(territory.code)) await takeOver(territory)
      }
      await feed.advance()
    },
    async verify() {
      const territories = await loadedTerritories(client, options)
      const verified: Verified[] = []
      for (const territory of territories) {
        const [done, total] = [verified.length, territories.length]
        options.onProgress?.({ step: 'verify', territory: territory.code, done, total })
        verified.push(await verifyOne(territory))
      }
      return verified
    },
  }
}

async function loadedTerritories(
  client: Client,
  { territories: wanted }: MirrorOptions,
): Promise<Territory[]> {
  const { items } = await bodyOf(client.GET('/v1/farmacias/territories'))
  return items
    .filter(({ loaded, territory_code: code }) => loaded && (wanted?.includes(code) ?? true))
    .map((item) => ({ code: item.territory_code, records: item.active + item.inactive }))
}

/** The digest of a state that the copy has not gone beyond. */
async function digestAhead(
  client: Client,
  copy: Copy,
  { code, signal }: { code: string; signal?: AbortSignal },
) {
  const lag = lagging(signal)
  for (;;) {
    const answer = await bodyOf(
      client.GET('/v1/farmacias/territories/{territory_code}/digest', {
        params: { path: { territory_code: code } },
      }),
    )
    if (answer.changes_cursor >= startOf(copy.position())) return answer
    await lag()
  }
}
