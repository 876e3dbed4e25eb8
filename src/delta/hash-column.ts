/** 128-bit content hashes by ordinal, 16 bytes each, instead of a string of 22 characters. */
export interface HashColumn {
  set(ordinal: number, hash: string): void
  equals(ordinal: number, hash: string): boolean
  get(ordinal: number): string
  /** the same as HASH_BYTES bytes */
  setBytes(ordinal: number, bytes: Uint8Array, at: number): void
  copyTo(bytes: Uint8Array, at: number, ordinal: number): void
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const VALUES = new Uint8Array(128)
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i

const WORDS = 4
export const HASH_BYTES = WORDS * 4
const HASH_CHARS = 22

/** Ids a block; one is made with the first hash in it, so that nothing is ever copied or waits for much memory. */
const BLOCK_BITS = 14
const BLOCK = 1 << BLOCK_BITS
const NO_BLOCK = new Uint32Array(0)

export function createHashColumn(): HashColumn {
  const blocks: Uint32Array[] = []
  const unpacked = new Uint32Array(WORDS)
  const blockOf = (ordinal: number): Uint32Array => blocks[ordinal >>> BLOCK_BITS] ?? NO_BLOCK
  const placeOf = (ordinal: number): number => (ordinal & (BLOCK - 1)) * WORDS

  const setWords = (ordinal: number) => {
    const index = ordinal >>> BLOCK_BITS
    while (blocks.length < index) blocks.push(NO_BLOCK)
    if (blockOf(ordinal) === NO_BLOCK) blocks[index] = new Uint32Array(BLOCK * WORDS)
    blockOf(ordinal).set(unpacked, placeOf(ordinal))
  }
  return {
    set(ordinal, hash) {
      unpack(hash, unpacked)
      setWords(ordinal)
    },
    setBytes(ordinal, bytes, at) {
      for (let word = 0; word < WORDS; word++) unpacked[word] = readWord(bytes, at + word * 4)
      setWords(ordinal)
    },
    copyTo(bytes, at, ordinal) {
      const words = blockOf(ordinal)
      const start = placeOf(ordinal)
      for (let word = 0; word < WORDS; word++) {
        writeWord(bytes, at + word * 4, words[start + word] ?? 0)
      }
    },
    equals(ordinal, hash) {
      unpack(hash, unpacked)
      const words = blockOf(ordinal)
      const at = placeOf(ordinal)
      return (
        words[at] === unpacked[0] &&
        words[at + 1] === unpacked[1] &&
        words[at + 2] === unpacked[2] &&
        words[at + 3] === unpacked[3]
      )
    },
    get(ordinal) {
      const start = placeOf(ordinal)
      return pack(blockOf(ordinal).subarray(start, start + WORDS))
    },
  }
}

function readWord(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] ?? 0) << 24) |
    ((bytes[at + 1] ?? 0) << 16) |
    ((bytes[at + 2] ?? 0) << 8) |
    (bytes[at + 3] ?? 0)
  )
}

function writeWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word >>> 24
  bytes[at + 1] = word >>> 16
  bytes[at + 2] = word >>> 8
  bytes[at + 3] = word
}

function valueAt(hash: string, position: number): number {
  return VALUES[hash.charCodeAt(position)] ?? 0
}

/** 22 characters of six bits are 132 bits; the last four are zero (content-hash.ts). Five and a third make a word. */
function unpack(hash: string, into: Uint32Array): void {
  let word = 0
  let bits = 0
  let next = 0
  for (let i = 0; i < HASH_CHARS; i++) {
    const value = valueAt(hash, i)
    const room = 32 - bits
    if (room > 6) {
      word = (word << 6) | value
      bits += 6
    } else {
      into[next++] = (word << room) | (value >>> (6 - room))
      bits = 6 - room
      word = value & ((1 << bits) - 1)
    }
  }
}

function pack(words: Uint32Array): string {
  let text = ''
  for (let i = 0; i < HASH_CHARS; i++) {
    const bit = i * 6
    const high = words[bit >>> 5] ?? 0
    const low = words[(bit >>> 5) + 1] ?? 0
    const shift = 26 - (bit & 31)
    const value = shift >= 0 ? high >>> shift : (high << -shift) | (low >>> (32 + shift))
    text += ALPHABET.charAt(value & 63)
  }
  return text
}
