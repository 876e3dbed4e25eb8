import { EXPORT_COLUMNS, type Pharmacy } from './pharmacy.ts'

const MICRODEGREES = 1e6

/**
 * The one text of a record that its digest is made of: a JSON array of the 18 fields in column order, without blanks,
 * coordinates as whole millionths of a degree. So two programs in any language write the same bytes: no field names to
 * order, and no fractions, which languages print differently.
 */
export function canonicalRecord(record: Pharmacy): string {
  return JSON.stringify(
    EXPORT_COLUMNS.map((column) => {
      const value = record[column]
      return typeof value === 'number' ? Math.round(value * MICRODEGREES) : value
    }),
  )
}
