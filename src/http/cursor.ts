import { createHash } from 'node:crypto'
import { Problem } from '../domain/problem.ts'
import { instantOf, type Window } from '../domain/time.ts'
import { MAX_CURSOR } from './params.ts'

/**
 * The opaque cursor of listings: stateless and never expiring. It carries the resolved window, the committed run
 * the walk is pinned to, the sort values of the last item and a hash of the filters, so that a walk stays the
 * same while loads go on. A checksum makes any altered character an error; it is no signature, and need not be
 * one: nothing in a cursor widens what a key may see, since its scope is applied to every page anew.
 */
export interface Cursor {
  /** operation id of the endpoint that made it */
  endpoint: string
  filtersHash: string
  /** the resolved window; null for listings without one */
  window: Window | null
  /** the committed run the walk started from */
  run: number
  /** sort values of the last item, e.g. `[Date.parse(occurred_at), seq]` */
  last: readonly (string | number)[]
}

const VERSION = 1
const CHECKSUM_BYTES = 9

type Payload = [
  version: number,
  endpoint: string,
  filtersHash: string,
  from: number | null,
  to: number | null,
  run: number,
  ...last: (string | number)[],
]

export function encodeCursor(cursor: Cursor): string {
  const payload: Payload = [
    VERSION,
    cursor.endpoint,
    cursor.filtersHash,
    cursor.window === null ? null : Date.parse(cursor.window.from),
    cursor.window === null ? null : Date.parse(cursor.window.to),
    cursor.run,
    ...cursor.last,
  ]
  const bytes = Buffer.from(JSON.stringify(payload))
  return Buffer.concat([checksum(bytes), bytes]).toString('base64url')
}

/** Reads a cursor back; a malformed, altered or foreign one is a Problem that names `cursor`. */
export function decodeCursor(
  text: string,
  expected: { endpoint: string; filtersHash: string },
): Cursor {
  const payload = payloadOf(text)
  if (!payload) throw alteredCursor()
  const [, endpoint, filtersHash, from, to, run, ...last] = payload
  if (endpoint !== expected.endpoint) throw refused('belongs to another endpoint')
  if (filtersHash !== expected.filtersHash) throw refused('was made for other parameters')
  return {
    endpoint,
    filtersHash,
    window: from === null || to === null ? null : { from: instantOf(from), to: instantOf(to) },
    run,
    last,
  }
}

function payloadOf(text: string): Payload | null {
  if (text.length > MAX_CURSOR || !/^[A-Za-z0-9_-]+$/.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  // Unused bits of the last character decode to nothing: only the canonical spelling counts.
  if (bytes.toString('base64url') !== text || bytes.length <= CHECKSUM_BYTES) return null
  const body = bytes.subarray(CHECKSUM_BYTES)
  if (!checksum(body).equals(bytes.subarray(0, CHECKSUM_BYTES))) return null
  const payload = parsed(body.toString())
  return isPayload(payload) ? payload : null
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // Anybody can compute the checksum, so what it covers need not be JSON: refused like any other alteration.
    return null
  }
}

/** The last instant with a four-digit year; Date.parse of the first one is its counterpart. */
const MAX_MS = Date.parse('9999-12-31T23:59:59.999Z')
const MIN_MS = Date.parse('0000-01-01T00:00:00.000Z')

function isPayload(value: unknown): value is Payload {
  if (!Array.isArray(value) || value.length < 7 || value.length > 12) return false
  const [version, endpoint, filters, from, to, run, ...last] = value as unknown[]
  return (
    version === VERSION &&
    typeof endpoint === 'string' &&
    typeof filters === 'string' &&
    isBound(from) &&
    isBound(to) &&
    Number.isSafeInteger(run) &&
    last.every((part) => typeof part === 'string' || Number.isFinite(part))
  )
}

function isBound(value: unknown): boolean {
  if (value === null) return true
  return Number.isSafeInteger(value) && Number(value) >= MIN_MS && Number(value) <= MAX_MS
}

function checksum(bytes: Buffer): Buffer {
  return createHash('sha256')
    .update('pharmacy-cursor:')
    .update(bytes)
    .digest()
    .subarray(0, CHECKSUM_BYTES)
}

/** The refusal of a cursor that this service did not make, whatever its checksum says. */
export function alteredCursor(): Problem {
  return refused('is not a cursor of this service, or was altered')
}

function refused(reason: string): Problem {
  const advice = 'send the same parameters plus the cursor, exactly as next_cursor gave it'
  return new Problem('invalid_parameter', `cursor: ${reason}; ${advice}.`, {
    errors: [{ parameter: 'cursor', reason: `${reason}; ${advice}` }],
  })
}

/** Parameters that may differ between the pages of one walk. */
const FREE: ReadonlySet<string> = new Set(['cursor', 'limit'])

/**
 * A hash of the parameters as sent, window parameters included, after validation: the order of parameters and
 * of list elements does not count, nor whether a default was written out.
 */
export function filtersHash(params: Readonly<Record<string, unknown>>): string {
  const sent = Object.entries(params)
    .filter(([name, value]) => !FREE.has(name) && value !== undefined)
    .map(([name, value]): [string, unknown] => [
      name,
      Array.isArray(value) ? [...value].map(String).sort() : value,
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sent)).digest('base64url').slice(0, 16)
}
