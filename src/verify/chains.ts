import type { estypes } from '@elastic/elasticsearch'
import type { Db } from '../store/db.ts'
import type { ChangeDocument, EventDocument, VersionDocument } from '../store/documents.ts'
import { scan } from '../store/scan.ts'
import type { Pin } from '../store/state.ts'
import { visibleRecords } from '../store/visible.ts'

/** Everything the registry holds of one pharmacy as visible at a pin, each list in the order of runs. */
export interface Chain {
  territory_code: string
  external_id: string
  versions: VersionDocument[]
  changes: ChangeDocument[]
  events: EventDocument[]
}

interface Keyed {
  territory_code: string
  external_id: string
}

/** Streams the chains of all pharmacies, at the memory of one of them. */
export async function* chains(db: Db, pin: Pin): AsyncGenerator<Chain> {
  const versions = await openGroups(versionsOf(db, pin))
  const changes = await openGroups(changesOf(db, pin))
  const events = await openGroups(eventsOf(db, pin))
  const streams = [versions, changes, events]
  try {
    for (;;) {
      const key = streams.flatMap((stream) => stream.key() ?? []).sort(byCodePoint)[0]
      if (key === undefined) return
      const bar = key.indexOf('|')
      yield {
        territory_code: key.slice(0, bar),
        external_id: key.slice(bar + 1),
        versions: await versions.take(key),
        changes: await changes.take(key),
        events: await events.take(key),
      }
    }
  } finally {
    for (const stream of streams) await stream.close()
  }
}

const versionsOf = (db: Db, pin: Pin) =>
  scan<VersionDocument>(db, 'pharmacies', { filter: begunBy(pin), sort: sortBy('from_run') })
const changesOf = (db: Db, pin: Pin) =>
  scan<ChangeDocument>(db, 'changes', { filter: visibleRecords(pin), sort: sortBy('id') })
const eventsOf = (db: Db, pin: Pin) =>
  scan<EventDocument>(db, 'events', { filter: visibleRecords(pin), sort: sortBy('seq') })

/** A stream of one kind of document, pharmacy by pharmacy. */
async function openGroups<T extends Keyed>(documents: AsyncGenerator<T>) {
  const groups = grouped(documents)
  let head = await groups.next()
  return {
    key: () => (head.done ? undefined : head.value.key),
    /** what the pharmacy with this key has, when it is the next one */
    async take(key: string): Promise<T[]> {
      if (head.done || head.value.key !== key) return []
      const { items } = head.value
      head = await groups.next()
      return items
    },
    close: () => groups.return(undefined),
  }
}

/** All versions begun by visible runs, ended ones too. */
function begunBy(pin: Pin): estypes.QueryDslQueryContainer[] {
  return [
    { range: { from_run: { lte: pin.run } } },
    { bool: { must_not: [{ terms: { from_run: [...pin.abandoned] } }] } },
  ]
}

function sortBy(last: string): estypes.Sort {
  return [{ territory_code: 'asc' }, { external_id: 'asc' }, { [last]: 'asc' }]
}

interface Group<T> {
  key: string
  items: T[]
}

async function* grouped<T extends Keyed>(
  documents: AsyncGenerator<T>,
): AsyncGenerator<Group<T>, undefined> {
  let current: Group<T> | null = null as Group<T> | null
  for await (const document of documents) {
    const key = `${document.territory_code}|${document.external_id}`
    if (current?.key === key) {
      current.items.push(document)
      continue
    }
    if (current) yield current
    current = { key, items: [document] }
  }
  if (current) yield current
}

/** Elasticsearch sorts keywords by UTF-8 bytes, which is the order of code points, not of UTF-16 units. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
