import type { Guards, SourceDefinition } from '../domain/definition.ts'
import { addressWithoutType, foldText } from '../domain/fold.ts'
import type { Pharmacy } from '../domain/pharmacy.ts'
import type { Reason, RunCounts } from '../domain/run.ts'
import { grown } from './text-bytes.ts'

/** What is too implausible to publish (decisions section 4, "Guards"): pure judgements over counts. */

/** Over this share of rows in conflict over one id the file is broken. */
export const MAX_CONFLICT_RATIO = 0.01
const MAX_REJECTED_RATIO = 0.01
const MAX_REMOVED_RATIO = 0.05
const MAX_RELOCATED_RATIO = 0.05
const MAX_GROWTH_RATIO = 0.25
const FLOOR = 10

/** Over the share, not at it. */
export function isTooMany(count: number, of: number, ratio: number): boolean {
  return count > 0 && count / of > ratio
}

/**
 * Why a run fails because of its rows; empty when it does not. Rows that a filter left out count for nothing here:
 * they would hide rejected ones.
 */
export function judgeRows(
  {
    counts,
    conflicts,
    rejectedKnown,
  }: { counts: RunCounts; conflicts: number; rejectedKnown: number },
  definition: Pick<SourceDefinition, 'guards' | 'duplicates'>,
): Reason[] {
  const guards = definition.guards ?? {}
  const accepted =
    counts.duplicates + counts.added + counts.updated + counts.unchanged - rejectedKnown
  const rows = counts.rejected + accepted
  if (rows === 0) return [{ code: 'empty_dataset', detail: `no rows among ${counts.read} read` }]

  const reasons: Reason[] = []
  const maxRejected = guards.max_rejected_ratio ?? MAX_REJECTED_RATIO
  if (isTooMany(counts.rejected, rows, maxRejected)) {
    reasons.push({ code: 'too_many_rejected', detail: share(counts.rejected, rows, maxRejected) })
  }
  const minRows = guards.min_rows ?? 0
  if (accepted < minRows) {
    reasons.push({
      code: 'below_min_rows',
      detail: `${accepted} rows, at least ${minRows} expected`,
    })
  }
  const maxConflicts = conflictRatio(definition)
  if (isTooMany(conflicts, rows, maxConflicts)) {
    reasons.push({ code: 'too_many_conflicts', detail: share(conflicts, rows, maxConflicts) })
  }
  return reasons
}

function conflictRatio({ duplicates }: Pick<SourceDefinition, 'duplicates'>): number {
  const conflicting = duplicates?.conflicting ?? 'first'
  if (conflicting === 'error') return 0
  return typeof conflicting === 'object' ? Number.POSITIVE_INFINITY : MAX_CONFLICT_RATIO
}

/** How many records of a territory change in one run, by kind. */
export interface DeltaCounts {
  previousTotal: number
  removed: number
  softClosed: number
  relocated: number
  /** removed records that are there again under another id (createRekeyCounter) */
  rekeyed: number
  added: number
}

/** Why a run waits for an operator; empty when it does not, and for a baseline, which nothing preceded. */
export function judgeDelta(delta: DeltaCounts, guards: Guards = {}): Reason[] {
  const { previousTotal, removed, softClosed, relocated, rekeyed, added } = delta
  const floor = guards.floor ?? FLOOR
  const maxRemoved = guards.max_removed_ratio ?? MAX_REMOVED_RATIO
  const maxRelocated = guards.max_relocated_ratio ?? MAX_RELOCATED_RATIO
  const maxGrowth = guards.max_growth_ratio ?? MAX_GROWTH_RATIO
  const exceeds = (count: number, ratio: number) =>
    count > floor && isTooMany(count, previousTotal, ratio)

  // Records under new ids are no removals and no growth, once they are many enough to be judged as what they are.
  const isNewScheme = exceeds(rekeyed, maxRemoved)
  const apart = isNewScheme ? rekeyed : 0
  const kinds: [Reason['code'], count: number, ratio: number][] = [
    ['id_scheme_change', apart, maxRemoved],
    ['mass_removal', removed - apart, maxRemoved],
    ['mass_soft_close', softClosed, maxRemoved],
    ['mass_relocation', relocated, maxRelocated],
    ['mass_growth', added - apart, maxGrowth],
  ]
  return kinds
    .filter(([, count, ratio]) => exceeds(count, ratio))
    .map(([code, count, ratio]) => ({
      code,
      detail: `${share(count, previousTotal, ratio)} and over ${floor} records`,
    }))
}

function share(count: number, of: number, ratio: number): string {
  return `${count} of ${of} are over ${Number((ratio * 100).toFixed(4))} %`
}

/** Counts removed records that are there again under another id. */
export interface RekeyCounter {
  removed(record: Pharmacy): void
  added(record: Pharmacy): void
  count(): number
}

/**
 * Matches what went with what came by name, address and holder in canonical form, one to one. Keys are held as 53-bit
 * hashes, eight bytes a record, since a new id scheme may touch every record of a territory.
 */
export function createRekeyCounter(): RekeyCounter {
  const gone = createKeys()
  const come = createKeys()
  return {
    removed: (record) => gone.add(keyOf(record)),
    added: (record) => come.add(keyOf(record)),
    count: () => inBoth(gone.sorted(), come.sorted()),
  }
}

/** Null where there is too little to recognise a pharmacy by: a name alone is often just "Farmacia". */
function keyOf(record: Pharmacy): number | null {
  const { name, address_line: address, owner_name: owner, city } = record
  if (address === null && owner === null) return null
  const parts = [
    foldText(name ?? ''),
    addressWithoutType(address ?? ''),
    foldText(owner ?? ''),
    foldText(city ?? ''),
  ]
  return hash53(parts.join('\u0000'))
}

function createKeys() {
  let keys = new Float64Array(0)
  let size = 0
  return {
    add(key: number | null): void {
      if (key === null) return
      if (size === keys.length) keys = grown(keys, Math.max(64, size * 2))
      keys[size] = key
      size += 1
    },
    sorted: () => keys.slice(0, size).sort(),
  }
}

function inBoth(a: Float64Array, b: Float64Array): number {
  let matches = 0
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const left = a[i] ?? 0
    const right = b[j] ?? 0
    if (left === right) matches += 1
    if (left <= right) i += 1
    if (right <= left) j += 1
  }
  return matches
}

/** Two independent 32-bit hashes (FNV-1a, and a multiplicative one) as one number that stays exact. */
function hash53(text: string): number {
  let a = 0x811c9dc5
  let b = 0x9e3779b9
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b) + (b >>> 13)
  }
  return ((b >>> 0) & 0x1fffff) * 0x1_0000_0000 + ((a ^ (a >>> 15)) >>> 0)
}
