/**
 * Text as bytes, for comparing and hashing: one byte for ASCII, else a mark and the two bytes of the code unit. Unlike
 * UTF-8 this keeps any string exactly, half a surrogate pair included, and reads back in one way only.
 */
const MARK = 0xff

/** The most bytes a text of this length can take. */
export function bytesFor(length: number): number {
  return length * 3
}

/** Writes a text that has room; returns where it ends. */
export function writeText(bytes: Uint8Array, start: number, text: string): number {
  let at = start
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) {
      bytes[at++] = code
    } else {
      bytes[at++] = MARK
      bytes[at++] = code >> 8
      bytes[at++] = code & 0xff
    }
  }
  return at
}

export function readText(bytes: Uint8Array, start: number, end: number): string {
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

/** The same kind of array, longer, with the same beginning. */
export function grown<A extends Uint8Array | Uint32Array | Float64Array>(
  array: A,
  length: number,
): A {
  const longer = new (array.constructor as new (length: number) => A)(length) // the one cast: same class, same type
  longer.set(array)
  return longer
}
