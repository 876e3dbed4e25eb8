import type { Span } from './byte-writer.ts'

/** Single values out of JSON that is otherwise passed on as bytes. */

const ZERO = 0x30
const NINE = 0x39

/** Where the digits end that begin at a place; throws where there are none. */
export function endOfDigits(bytes: Uint8Array, start: number): number {
  let at = start
  while ((bytes[at] ?? 0) >= ZERO && (bytes[at] ?? 0) <= NINE) at += 1
  if (at === start) throw new Error(`no number at byte ${start} of what is stored`)
  return at
}

/** The number that digits are, without a text in between. */
export function wholeNumber(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at += 1) value = value * 10 + ((bytes[at] ?? 0) - ZERO)
  return value
}

const COMMA = 0x2c
const BRACE = 0x7d

/**
 * What follows `name` (with its quotes and colon), first after `from`: a number, null, true or false; throws where there
 * is nothing. Within a text the quote would be escaped, so that only a member of an object can be found.
 */
export function literalAfter({ bytes, end: last }: Span, name: Buffer, from: number): Span {
  // Members come in the order they were written in: it is mostly the next one.
  const isNext = standsAt(bytes, name, from + 1)
  const at = isNext ? from + 1 : placeOf({ bytes, start: from, end: last }, name)
  let end = at + name.length
  while (end < last && bytes[end] !== COMMA && bytes[end] !== BRACE) end += 1
  if (end >= last) throw new Error(`no ${name} after byte ${from} of what is stored`)
  return { bytes, start: at + name.length, end }
}

const NULL = Buffer.from('null')

export function isNull({ bytes, start }: Span): boolean {
  return standsAt(bytes, NULL, start)
}

/** A number, or null, and where it ends. */
export interface FoundNumber {
  value: number | null
  end: number
}

/** The number that follows `name`, found in the same way. */
export function numberAfter(within: Span, name: Buffer, from: number): FoundNumber {
  const found = literalAfter(within, name, from)
  const { bytes, start, end } = found
  return { value: isNull(found) ? null : Number(bytes.toString('latin1', start, end)), end }
}

/** Where `name` begins (with what stands around it, so that no text can hold it); throws where it is not. */
export function placeOf({ bytes, start, end }: Span, name: Buffer): number {
  const at = bytes.indexOf(name, start)
  if (at < 0 || at + name.length > end)
    throw new Error(`no ${name} after byte ${start} of what is stored`)
  return at
}

/** Whether bytes hold a name at a place. */
export function standsAt(bytes: Buffer, name: Buffer, at: number): boolean {
  for (let i = 0; i < name.length; i++) {
    if (bytes[at + i] !== name[i]) return false
  }
  return true
}
