import { sameField, sameText } from '../domain/fold.ts'
import { ADDRESS_FIELDS, EXPORT_COLUMNS, type Pharmacy } from '../domain/pharmacy.ts'

/** One pharmacy in two states: what of it differs, and what that means (spec section 3, decisions section 4). */

/** Everything but `observed_at`, which says when this content was first seen. */
const CONTENT_FIELDS = EXPORT_COLUMNS.filter((field) => field !== 'observed_at')

/**
 * Whether two records say exactly the same. Without `includeModified` the date of the dataset counts for nothing, as
 * in content-hash.ts.
 */
export function sameContent(a: Pharmacy, b: Pharmacy, includeModified = true): boolean {
  return CONTENT_FIELDS.every(
    (field) => a[field] === b[field] || (!includeModified && field === 'official_last_modified_at'),
  )
}

export function hasMoved(previous: Pharmacy, current: Pharmacy): boolean {
  return ADDRESS_FIELDS.some((field) => !sameField(field, previous[field], current[field]))
}

export function hasNewOwner(previous: Pharmacy, current: Pharmacy): boolean {
  return !sameField('owner_name', previous.owner_name, current.owner_name)
}

/** An id that moves to another city, with another holder and another name at once, was probably given to another pharmacy. */
export function identityReuseSuspected(previous: Pharmacy, current: Pharmacy): boolean {
  return (
    !sameField('city', previous.city, current.city) &&
    hasNewOwner(previous, current) &&
    previous.name !== null &&
    current.name !== null &&
    !sameText(previous.name, current.name)
  )
}
