import type { Tag } from './endpoint.ts'

/**
 * The ETag header of a tag. Compressed bytes are another representation, so a strong tag becomes weak with
 * them; comparing is weak anyway, and a client that has the one gets its 304 for the other.
 */
export function entityTag(tag: Tag, options: { compressed: boolean }): string {
  return tag.weak || options.compressed ? `W/"${tag.value}"` : `"${tag.value}"`
}

/** Whether If-None-Match names this tag: weak comparison, lists and `*` (RFC 9110 section 13.1.2). */
export function isFresh(ifNoneMatch: string | undefined, tag: Tag | undefined): boolean {
  if (ifNoneMatch === undefined || tag === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  for (const [, value] of ifNoneMatch.matchAll(/(?:W\/)?"([^"]*)"/g)) {
    if (value === tag.value) return true
  }
  return false
}
