import { createHashColumn } from './hash-column.ts'
import { createIdTable } from './id-table.ts'
import { grown } from './text-bytes.ts'

/** What a row says about its id: nothing new, something new, or something else than a row before it. */
export type Entry = 'known' | 'new' | 'repeated' | 'contradicting'

/** What became of one id between the previous state and the snapshot; `kept`: its only rows were rejected. */
export type Fate = 'added' | 'updated' | 'unchanged' | 'removed' | 'kept'

/** Ids with the hash of their content before and after, and a few facts of each: some 80 bytes an id. */
export interface Ledger {
  readonly size: number
  /** ids that have at least one accepted row, and those whose rows contradict each other */
  readonly seen: number
  readonly contested: number
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
}

/** Facts of one id, as bits. */
const PREVIOUS = 1
const SEEN = 2
/** the snapshot's content is that of the previous state */
const SAME = 4
const CONTESTED = 8
const REJECTED = 16

export function createLedger(expected: number): Ledger {
  const ids = createIdTable(expected)
  const before = createHashColumn(expected)
  const after = createHashColumn()
  const facts = createFlags(expected)
  let seen = 0
  let contested = 0

  const settle = (id: number, hash: string): void => {
    const isSame = facts.has(id, PREVIOUS) && before.equals(id, hash)
    if (!isSame) after.set(id, hash)
    facts.set(id, SAME, isSame)
  }

  const first = (id: number, hash: string): Entry => {
    seen += 1
    facts.set(id, SEEN, true)
    settle(id, hash)
    return facts.has(id, SAME) ? 'known' : 'new'
  }

  const again = (id: number, hash: string): Entry => {
    const content = facts.has(id, SAME) ? before : after
    if (content.equals(id, hash)) return 'repeated'
    if (!facts.has(id, CONTESTED)) contested += 1
    facts.set(id, CONTESTED, true)
    return 'contradicting'
  }

  return {
    get size() {
      return ids.size
    },
    get seen() {
      return seen
    },
    get contested() {
      return contested
    },
    previous(externalId, hash) {
      const id = ids.add(externalId)
      before.set(id, hash)
      facts.set(id, PREVIOUS, true)
    },
    accept(externalId, hash) {
      const id = ids.add(externalId)
      return facts.has(id, SEEN) ? again(id, hash) : first(id, hash)
    },
    reject(externalId) {
      const id = ids.find(externalId)
      if (id >= 0) facts.set(id, REJECTED, true)
    },
    settle,
    find: (externalId) => ids.find(externalId),
    externalId: (id) => ids.id(id),
    isPrevious: (id) => facts.has(id, PREVIOUS),
    isContested: (id) => facts.has(id, CONTESTED),
    isNewContent: (id, hash) =>
      facts.has(id, SEEN) && !facts.has(id, SAME) && after.equals(id, hash),
    fate(id) {
      if (!facts.has(id, SEEN)) return facts.has(id, REJECTED) ? 'kept' : 'removed'
      if (facts.has(id, SAME)) return 'unchanged'
      return facts.has(id, PREVIOUS) ? 'updated' : 'added'
    },
  }
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
