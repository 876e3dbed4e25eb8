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
  const versions = groups(scan<VersionDocument>(db, 'pharmacies', { filter: begunBy(pin), sort: sortBy('from_run') }))
  const changes = groups(scan<ChangeDocument>(db, 'changes', { filter: visibleRecords(pin), sort: sortBy('id') }))
  const events = groups(scan<EventDocument>(db, 'events', { filter: visibleRecords(pin), sort: sortBy('seq') }))
  const streams = [versions, changes, events] as const
  try {
    let [v, c, e] = await Promise.all([versions.next(), changes.next(), events.next()])
    for (;;) {
      const heads: IteratorResult<Group<unknown>, undefined>[] = [v, c, e]
      const keys = heads.flatMap((head) => (head.done ? [] : [head.value.key]))
      const key = keys.sort(byCodePoint)[0]
      if (key === undefined) return
      const mine = <T>(head: IteratorResult<Group<T>, undefined>): T[] | null =>
        !head.done && head.value.key === key ? head.value.items : null
      const [vs, cs, es] = [mine(v), mine(c), mine(e)]
      const bar = key.indexOf('|')
      const [territory_code, external_id] = [key.slice(0, bar), key.slice(bar + 1)]
      yield { territory_code, external_id, versions: vs ?? [], changes: cs ?? [], events: es ?? [] }
      if (vs) v = await versions.next()
      if (cs) c = await changes.next()
      if (es) e = await events.next()
    }
  } finally {
    for (const stream of streams) await stream.return(undefined)
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

async function* groups<T extends Keyed>(documents: AsyncGenerator<T>): AsyncGenerator<Group<T>, undefined> {
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
