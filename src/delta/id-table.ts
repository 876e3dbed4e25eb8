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
  readonly size: number
}

/** Slots per id: at most half of them are taken, so that a search ends after a step or two. */
const SPARSENESS = 2
const AVERAGE_ID_BYTES = 12

export function createIdTable(expected: number): IdTable {
  const capacity = Math.max(64, Math.ceil(expected))
  let slots = new Uint32Array(powerOfTwo(capacity * SPARSENESS))
  let offsets = new Uint32Array(capacity + 1)
  let hashes = new Uint32Array(capacity)
  let bytes = new Uint8Array(capacity * AVERAGE_ID_BYTES)
  let size = 0

  /** The slot that holds the id, or the free one where it belongs. A slot holds ordinal + 1, 0 when free. */
  const slotOf = (id: string, hash: number): number => {
    const mask = slots.length - 1
    let slot = hash & mask
    for (;;) {
      const held = slots[slot] ?? 0
      if (held === 0) return slot
      if (hashes[held - 1] === hash && isAt(held - 1, id)) return slot
      slot = (slot + 1) & mask
    }
  }

  const isAt = (ordinal: number, id: string): boolean => {
    let at = offsets[ordinal] ?? 0
    const end = offsets[ordinal + 1] ?? 0
    for (let i = 0; i < id.length; i++) {
      const code = id.charCodeAt(i)
      if (code < 0x80) {
        if (at >= end || bytes[at++] !== code) return false
      } else {
        if (at + 3 > end || bytes[at++] !== MARK) return false
        if (bytes[at++] !== code >> 8 || bytes[at++] !== (code & 0xff)) return false
      }
    }
    return at === end
  }

  const append = (id: string, hash: number): number => {
    if (size === hashes.length) {
      offsets = grown(offsets, size * 2 + 1)
      hashes = grown(hashes, size * 2)
    }
    let at = offsets[size] ?? 0
    if (at + id.length * 3 > bytes.length) bytes = grown(bytes, bytes.length * 2 + id.length * 3)
    for (let i = 0; i < id.length; i++) {
      const code = id.charCodeAt(i)
      if (code < 0x80) {
        bytes[at++] = code
      } else {
        bytes[at++] = MARK
        bytes[at++] = code >> 8
        bytes[at++] = code & 0xff
      }
    }
    hashes[size] = hash
    size += 1
    offsets[size] = at
    return size - 1
  }

  const rehash = (): void => {
    slots = new Uint32Array(slots.length * 2)
    const mask = slots.length - 1
    for (let ordinal = 0; ordinal < size; ordinal++) {
      let slot = (hashes[ordinal] ?? 0) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = ordinal + 1
    }
  }

  return {
    add(id) {
      const hash = hashOf(id)
      const slot = slotOf(id, hash)
      const held = slots[slot] ?? 0
      if (held !== 0) return held - 1
      const ordinal = append(id, hash)
      slots[slot] = ordinal + 1
      if (size * SPARSENESS > slots.length) rehash()
      return ordinal
    },
    find(id) {
      return (slots[slotOf(id, hashOf(id))] ?? 0) - 1
    },
    id(ordinal) {
      return textAt(bytes, offsets[ordinal] ?? 0, offsets[ordinal + 1] ?? 0)
    },
    get size() {
      return size
    },
  }
}

/**
 * Before the two bytes of a code unit beyond ASCII. Unlike UTF-8 this keeps any string exactly, half a surrogate pair
 * included; 0xFF is no ASCII character, so a text is read back in one way only.
 */
const MARK = 0xff

function textAt(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte === MARK) {
      text += String.fromCharCode(((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0))
      at += 2
    } else {
      text += String.fromCharCode(byte)
    }
  }
  return text
}

/** FNV-1a over the code units with a final mix, so that ids which differ in their last digit spread out. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function powerOfTwo(atLeast: number): number {
  let size = 64
  while (size < atLeast) size *= 2
  return size
}

/** The same kind of array, longer, with the same beginning. */
export function grown<A extends Uint8Array | Uint32Array | Float64Array>(array: A, length: number): A {
  const longer = new (array.constructor as new (length: number) => A)(length) // the one cast: same class, same type
  longer.set(array)
  return longer
}
