import { createHashColumn, type HashColumn } from './hash-column.ts'
import { createIdTable, type IdTable } from './id-table.ts'
import { pack, unpack } from './packed-hashes.ts'
import { grown } from './text-bytes.ts'

/** What a row says about its id: nothing new, something new, or something else than a row before it. */
export type Entry = 'known' | 'new' | 'repeated' | 'contradicting'

/** What became of one id between the previous state and the snapshot; `kept`: its only rows were rejected. */
export type Fate = SeenFate | 'removed' | 'kept'
type SeenFate = 'added' | 'updated' | 'unchanged'

/** Ids with the hash of their content before and after, and a few facts of each: some 80 bytes an id. */
export interface Ledger {
  readonly size: number
  /** ids that have at least one accepted row, and those whose rows contradict each other */
  readonly seen: number
  readonly contested: number
  /** how many of the ids seen have each fate, and how many of the previous state were not seen */
  readonly counts: Readonly<Record<SeenFate, number>>
  readonly unseen: number
  /** whether a row was rejected whose id the previous state has */
  readonly hasRejectedKnown: boolean
  previous(externalId: string, hash: string): void
  accept(externalId: string, hash: string): Entry
  reject(externalId: string): void
  /** settles the content of an id whose rows contradict each other */
  settle(id: number, hash: string): void
  find(externalId: string): number
  externalId(id: number): string
  isPrevious(id: number): boolean
  isContested(id: number): boolean
  /** whether this is the content of the snapshot and not that of the previous state */
  isNewContent(id: number, hash: string): boolean
  fate(id: number): Fate
  /** ids and hashes of the state that the snapshot leaves (packed-hashes.ts) */
  packed(): Iterable<Uint8Array>
  /** takes such entries as the previous state; returns how many bytes were whole ones */
  previousPacked(entries: Uint8Array): number
}

/** Facts of one id, as bits. */
const PREVIOUS = 1
const SEEN = 2
/** the snapshot's content is that of the previous state */
const SAME = 4
const CONTESTED = 8
const REJECTED = 16

export function createLedger(expected: number): Ledger {
  const tables = {
    ids: createIdTable(expected),
    before: createHashColumn(),
    after: createHashColumn(),
    facts: createFlags(expected),
  }
  const { ids, before, after, facts } = tables
  const entries = openEntries(tables)
  let hasRejectedKnown = false

  return {
    get size() {
      return ids.size
    },
    get seen() {
      return entries.seen
    },
    get unseen() {
      return ids.size - entries.seen
    },
    get contested() {
      return entries.contested
    },
    get hasRejectedKnown() {
      return hasRejectedKnown
    },
    counts: entries.counts,
    previous(externalId, hash) {
      const id = ids.add(externalId)
      before.set(id, hash)
      facts.set(id, PREVIOUS, true)
    },
    accept: (externalId, hash) => entries.accept(ids.add(externalId), hash),
    reject(externalId) {
      const id = ids.find(externalId)
      if (id < 0) return
      facts.set(id, REJECTED, true)
      hasRejectedKnown = true
    },
    settle: entries.settle,
    find: (externalId) => ids.find(externalId),
    externalId: (id) => ids.id(id),
    isPrevious: (id) => facts.has(id, PREVIOUS),
    isContested: (id) => facts.has(id, CONTESTED),
    isNewContent: (id, hash) => isChanged(facts, id) && after.equals(id, hash),
    fate: (id) => fateOf(facts, id),
    packed: () => packed(tables),
    previousPacked: (entries) => previousPacked(tables, entries),
  }
}

/** What the rows say of the ids, and how many ids have which fate so far. */
function openEntries({ before, after, facts }: Tables) {
  const counts: Record<SeenFate, number> = { added: 0, updated: 0, unchanged: 0 }
  let contested = 0

  const take = (id: number, hash: string): void => {
    const isSame = facts.has(id, PREVIOUS) && before.equals(id, hash)
    if (!isSame) after.set(id, hash)
    facts.set(id, SAME, isSame)
    counts[seenFateOf(facts, id)] += 1
  }

  const again = (id: number, hash: string): Entry => {
    const content = facts.has(id, SAME) ? before : after
    if (content.equals(id, hash)) return 'repeated'
    if (!facts.has(id, CONTESTED)) contested += 1
    facts.set(id, CONTESTED, true)
    return 'contradicting'
  }

  return {
    counts,
    get seen() {
      return counts.added + counts.updated + counts.unchanged
    },
    get contested() {
      return contested
    },
    accept(id: number, hash: string): Entry {
      if (facts.has(id, SEEN)) return again(id, hash)
      facts.set(id, SEEN, true)
      take(id, hash)
      return facts.has(id, SAME) ? 'known' : 'new'
    },
    settle(id: number, hash: string): void {
      counts[seenFateOf(facts, id)] -= 1
      take(id, hash)
    },
  }
}

type Flags = ReturnType<typeof createFlags>

function isChanged(facts: Flags, id: number): boolean {
  return facts.has(id, SEEN) && !facts.has(id, SAME)
}

function seenFateOf(facts: Flags, id: number): SeenFate {
  if (facts.has(id, SAME)) return 'unchanged'
  return facts.has(id, PREVIOUS) ? 'updated' : 'added'
}

function fateOf(facts: Flags, id: number): Fate {
  if (facts.has(id, SEEN)) return seenFateOf(facts, id)
  return facts.has(id, REJECTED) ? 'kept' : 'removed'
}

interface Tables {
  ids: IdTable
  before: HashColumn
  after: HashColumn
  facts: Flags
}

function packed({ ids, before, after, facts }: Tables): Iterable<Uint8Array> {
  return pack({
    size: ids.size,
    id: (id) => (fateOf(facts, id) === 'removed' ? null : ids.bytes(id)),
    copyHash: (to, at, id) => (isChanged(facts, id) ? after : before).copyTo(to, at, id),
  })
}

function previousPacked({ ids, before, facts }: Tables, entries: Uint8Array): number {
  return unpack(entries, (idAt, hashAt) => {
    const id = ids.addBytes(entries, idAt, hashAt)
    before.setBytes(id, entries, hashAt)
    facts.set(id, PREVIOUS, true)
  })
}

/** One byte of flags per ordinal. */
export function createFlags(expected: number) {
  let bytes = new Uint8Array(Math.max(64, expected))
  return {
    has: (ordinal: number, flag: number): boolean => ((bytes[ordinal] ?? 0) & flag) !== 0,
    set(ordinal: number, flag: number, on: boolean): void {
      if (ordinal >= bytes.length) bytes = grown(bytes, Math.max(ordinal + 1, bytes.length * 2))
      const others = (bytes[ordinal] ?? 0) & ~flag
      bytes[ordinal] = on ? others | flag : others
    },
  }
}
