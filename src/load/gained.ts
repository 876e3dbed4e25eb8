/** By how much the active and the inactive pharmacies of a territory become more. */
export interface Gained {
  active: number
  inactive: number
}

/** One pharmacy's share: whether it was active before and is after; null where it was not, or is not, there at all. */
export function gain(
  gained: Gained,
  { before, after }: { before: boolean | null; after: boolean | null },
): void {
  if (before !== null) gained[before ? 'active' : 'inactive'] -= 1
  if (after !== null) gained[after ? 'active' : 'inactive'] += 1
}
