import type { Change, Pharmacy } from './pharmacy.ts'

/** How far a copy has come. */
export interface Position {
  /** everything up to this change was taken over; null before the first territory is complete */
  cursor: number | null
  /** per territory, the last change its records include */
  territories: ReadonlyMap<string, number>
}

/** Where a mirror keeps its records. Each of its writes happens as a whole or not at all, whenever it is interrupted. */
export interface Copy {
  position(): Position
  /** takes a whole territory over, as it was at a change; what it had of it before is gone */
  replace(
    territory: string,
    cursor: number,
    records: AsyncIterable<readonly Pharmacy[]>,
  ): Promise<void>
  /** applies changes in their order and moves on to `cursor`; those a territory has already are passed over */
  apply(changes: readonly Change[], cursor: number): void
  records(territory: string): Iterable<Pharmacy>
  close(): void
}

/** Goes on from the oldest territory when the feed was not followed yet, and never beyond what all of them have. */
export function startOf({ cursor, territories }: Position): number {
  const oldest = Math.min(...territories.values())
  return cursor ?? (Number.isFinite(oldest) ? oldest : 0)
}
