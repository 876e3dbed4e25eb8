import { hash } from 'node:crypto'
import type { Pharmacy } from '../domain/pharmacy.ts'
import { bytesFor, grown, writeText } from './text-bytes.ts'

/** The last of 22 base64url characters holds two bits of a 128-bit value; the other four must be zero. */
const LAST = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].map(
    (char, i) => [char, 'AQgw'[i >> 4] ?? 'A'] as const,
  ),
)

/** After a field, and for a null: bytes that begin no character (text-bytes.ts). */
const END = 0xfe
const NULL = 0xfd

let buffer = new Uint8Array(4096)

/**
 * 128 bits of SHA-256 over a record's content, as 22 base64url characters. Content is everything but `observed_at`, and
 * but `official_last_modified_at` where that is one value for the whole dataset (decisions section 4, "Record content").
 * Fields are written so that no two records are written alike; a load does this for every row, hence by hand.
 */
export function contentHash(record: Pharmacy, includeModified: boolean): string {
  const source = sourceHash(record) // before anything is written: it uses the same buffer
  let at = put(source, 0)
  at = put(record.external_id, at)
  at = put(record.name, at)
  at = put(record.address_line, at)
  at = put(record.postal_code, at)
  at = put(record.city, at)
  at = put(record.province, at)
  at = put(record.latitude === null ? null : String(record.latitude), at)
  at = put(record.longitude === null ? null : String(record.longitude), at)
  at = put(record.coordinate_source, at)
  at = put(record.owner_name, at)
  at = put(record.cnn_code, at)
  at = put(includeModified ? record.official_last_modified_at : null, at)
  at = put(record.is_active ? '1' : '0', at)
  return hashOfBuffer(at)
}

type Source = Pick<
  Pharmacy,
  'territory_code' | 'source_slug' | 'official_source_name' | 'official_source_url'
>
let latest: { source: Source; hash: string } | undefined

/** The fields that are the same in all records of a territory, hashed once for the whole run of them. */
function sourceHash(record: Source): string {
  if (latest && isSameSource(latest.source, record)) return latest.hash
  let at = put(record.territory_code, 0)
  at = put(record.source_slug, at)
  at = put(record.official_source_name, at)
  at = put(record.official_source_url, at)
  latest = { source: record, hash: hashOfBuffer(at) }
  return latest.hash
}

function isSameSource(a: Source, b: Source): boolean {
  return (
    a.territory_code === b.territory_code &&
    a.source_slug === b.source_slug &&
    a.official_source_name === b.official_source_name &&
    a.official_source_url === b.official_source_url
  )
}

function hashOfBuffer(length: number): string {
  const digest = hash('sha256', buffer.subarray(0, length), 'base64url')
  return digest.slice(0, 21) + (LAST.get(digest.charAt(21)) ?? 'A')
}

/** Writes one field into the buffer; returns where the next one begins. There is always room for a null. */
function put(text: string | null, start: number): number {
  if (text === null) {
    buffer[start] = NULL
    return start + 1
  }
  const most = start + bytesFor(text.length) + 2
  if (most > buffer.length) buffer = grown(buffer, most * 2)
  const end = writeText(buffer, start, text)
  buffer[end] = END
  return end + 1
}
