import { hash } from 'node:crypto'
import type { Pharmacy } from '../domain/pharmacy.ts'

/** The last of 22 base64url characters holds two bits of a 128-bit value; the other four must be zero. */
const LAST = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].map(
    (char, i) => [char, 'AQgw'[i >> 4] ?? 'A'] as const,
  ),
)

/** What separates fields, stands for null, and comes before a character beyond ASCII: bytes no ASCII text has. */
const END = 0xfe
const NULL = 0xfd
const MARK = 0xff

let buffer = new Uint8Array(4096)

/**
 * 128 bits of SHA-256 over a record's content, as 22 base64url characters. Content is everything but `observed_at`, and
 * but `official_last_modified_at` where that is one value for the whole dataset (decisions section 4, "Record content").
 * Fields are written so that no two records are written alike; a load does this for every row, hence by hand.
 */
export function contentHash(record: Pharmacy, includeModified: boolean): string {
  let at = put(record.external_id, 0)
  at = put(record.name, at)
  at = put(record.address_line, at)
  at = put(record.postal_code, at)
  at = put(record.city, at)
  at = put(record.province, at)
  at = put(record.territory_code, at)
  at = put(record.latitude === null ? null : String(record.latitude), at)
  at = put(record.longitude === null ? null : String(record.longitude), at)
  at = put(record.coordinate_source, at)
  at = put(record.owner_name, at)
  at = put(record.cnn_code, at)
  at = put(record.source_slug, at)
  at = put(record.official_source_name, at)
  at = put(record.official_source_url, at)
  at = put(includeModified ? record.official_last_modified_at : null, at)
  at = put(record.is_active ? '1' : '0', at)
  const digest = hash('sha256', buffer.subarray(0, at), 'base64url')
  return digest.slice(0, 21) + (LAST.get(digest.charAt(21)) ?? 'A')
}

/** Writes one field into the buffer; returns where the next one begins. */
function put(text: string | null, start: number): number {
  if (text === null) {
    buffer[start] = NULL
    return start + 1
  }
  makeRoom(start + text.length * 3 + 2)
  let at = start
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) {
      buffer[at++] = code
    } else {
      buffer[at++] = MARK
      buffer[at++] = code >> 8
      buffer[at++] = code & 0xff
    }
  }
  buffer[at] = END
  return at + 1
}

/** Always one byte more than asked for, so that a null needs no asking. */
function makeRoom(bytes: number): void {
  if (bytes < buffer.length) return
  const longer = new Uint8Array(bytes * 2)
  longer.set(buffer)
  buffer = longer
}
