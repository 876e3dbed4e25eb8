import { bytesFor, grown, readText, writeText } from './text-bytes.ts'

/**
 * A table of external ids that stays small with a million of them: the characters of all ids in one growing buffer,
 * found through open addressing, compared exactly. About 35 bytes for an id of twelve characters.
 */
export interface IdTable {
  /** the ordinal of an id, new (the next number) when it was not there */
  add(id: string): number
  /** the ordinal of an id, −1 when it is not there */
  find(id: string): number
  id(ordinal: number): string
  /** the same two ways for an id as the table itself holds it, here a part of `bytes` */
  addBytes(bytes: Uint8Array, start: number, end: number): number
  /** valid until the next id is added */
  bytes(ordinal: number): Uint8Array
  readonly size: number
}

/** Slots per id: at most half of them are taken, so that a search ends after a step or two. */
const SPARSENESS = 2
/** Marks a slot that holds no ordinal; a table never has so many ids. */
const FREE = 0xffffffff
/** The slots are in parts by the first bits of the hash: one grows at a time, none long enough to hold up anything. */
const PART_BITS = 6
const PARTS = 1 << PART_BITS

interface Part {
  slots: Uint32Array
  taken: number
}

export function createIdTable(expected: number): IdTable {
  const store = createIdStore(expected)
  const slots = powerOfTwo((expected / PARTS) * SPARSENESS)
  const parts = Array.from({ length: PARTS }, () => ({ slots: freeSlots(slots), taken: 0 }))
  const partOf = (hash: number): Part => parts[hash >>> (32 - PART_BITS)] as Part

  /** The slot that holds the id last given to `store.pack`, or the free one where it belongs. */
  const slotOf = ({ slots }: Part, hash: number): number => {
    const mask = slots.length - 1
    let slot = hash & mask
    while (slots[slot] !== FREE && !store.isPacked(slots[slot] ?? FREE, hash))
      slot = (slot + 1) & mask
    return slot
  }

  const grow = (part: Part): void => {
    const larger = freeSlots(part.slots.length * 2)
    const mask = larger.length - 1
    for (const ordinal of part.slots) {
      if (ordinal === FREE) continue
      let slot = store.hash(ordinal) & mask
      while (larger[slot] !== FREE) slot = (slot + 1) & mask
      larger[slot] = ordinal
    }
    part.slots = larger
  }

  const addPacked = (hash: number): number => {
    const part = partOf(hash)
    const slot = slotOf(part, hash)
    const held = part.slots[slot] ?? FREE
    if (held !== FREE) return held
    const ordinal = store.append(hash)
    part.slots[slot] = ordinal
    part.taken += 1
    if (part.taken * SPARSENESS > part.slots.length) grow(part)
    return ordinal
  }

  return {
    add: (id) => addPacked(store.pack(id)),
    addBytes: (bytes, start, end) => addPacked(store.packBytes(bytes, start, end)),
    bytes: (ordinal) => store.bytes(ordinal),
    find(id) {
      const hash = store.pack(id)
      const part = partOf(hash)
      const held = part.slots[slotOf(part, hash)] ?? FREE
      return held === FREE ? -1 : held
    },
    id: (ordinal) => store.text(ordinal),
    get size() {
      return store.size
    },
  }
}

function freeSlots(count: number): Uint32Array {
  return new Uint32Array(count).fill(FREE)
}

const AVERAGE_ID_BYTES = 12

/** Ids by ordinal with their hashes. An id is packed into a scratch buffer first, then looked for or appended. */
function createIdStore(expected: number) {
  const capacity = Math.max(64, Math.ceil(expected))
  let offsets = new Uint32Array(capacity + 1)
  let hashes = new Uint32Array(capacity)
  let bytes = new Uint8Array(capacity * AVERAGE_ID_BYTES)
  let packed = new Uint8Array(256)
  let packedLength = 0
  let size = 0

  return {
    get size() {
      return size
    },
    hash: (ordinal: number): number => hashes[ordinal] ?? 0,
    text: (ordinal: number): string =>
      readText(bytes, offsets[ordinal] ?? 0, offsets[ordinal + 1] ?? 0),
    pack(id: string): number {
      if (bytesFor(id.length) > packed.length) packed = new Uint8Array(bytesFor(id.length))
      packedLength = writeText(packed, 0, id)
      return hashOf(packed, packedLength)
    },
    packBytes(from: Uint8Array, start: number, end: number): number {
      packedLength = end - start
      if (packedLength > packed.length) packed = new Uint8Array(packedLength)
      for (let i = 0; i < packedLength; i++) packed[i] = from[start + i] ?? 0
      return hashOf(packed, packedLength)
    },
    bytes: (ordinal: number): Uint8Array =>
      bytes.subarray(offsets[ordinal] ?? 0, offsets[ordinal + 1] ?? 0),
    isPacked(ordinal: number, hash: number): boolean {
      if (hashes[ordinal] !== hash) return false
      const start = offsets[ordinal] ?? 0
      if ((offsets[ordinal + 1] ?? 0) - start !== packedLength) return false
      return startsWith(bytes, start, packed, packedLength)
    },
    append(hash: number): number {
      if (size === hashes.length) {
        offsets = grown(offsets, size * 2 + 1)
        hashes = grown(hashes, size * 2)
      }
      const start = offsets[size] ?? 0
      const end = start + packedLength
      if (end > bytes.length) bytes = grown(bytes, Math.max(end, bytes.length * 2))
      copy(packed, packedLength, bytes, start)
      hashes[size] = hash
      size += 1
      offsets[size] = end
      return size - 1
    },
  }
}

function startsWith(bytes: Uint8Array, start: number, wanted: Uint8Array, length: number): boolean {
  for (let i = 0; i < length; i++) {
    if (bytes[start + i] !== wanted[i]) return false
  }
  return true
}

/** Ids are short: a loop beats making a view of the buffer. */
function copy(from: Uint8Array, length: number, to: Uint8Array, start: number): void {
  for (let i = 0; i < length; i++) to[start + i] = from[i] ?? 0
}

/** FNV-1a with a final mix, so that ids which differ in their last digit spread out. */
function hashOf(bytes: Uint8Array, length: number): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function powerOfTwo(atLeast: number): number {
  let size = 16
  while (size < atLeast) size *= 2
  return size
}
