import { createHash } from 'node:crypto'
import { COLUMNS, type Pharmacy } from './pharmacy.ts'

/**
 * The digest that `/v1/farmacias/territories/{territory_code}/digest` answers, of a copy: the sum modulo 2^128 of the
 * first 16 bytes of each record's SHA-256, the record written as a JSON array of its fields in column order with
 * coordinates in whole millionths of a degree. The order of the records does not count.
 */
export function digestOf(records: Iterable<Pharmacy>): { count: number; digest: string } {
  let count = 0
  let sum = 0n
  for (const record of records) {
    const bytes = createHash('sha256').update(canonical(record)).digest()
    sum += (bytes.readBigUInt64BE(0) << 64n) + bytes.readBigUInt64BE(8)
    count += 1
  }
  return { count, digest: BigInt.asUintN(128, sum).toString(16).padStart(32, '0') }
}

function canonical(record: Pharmacy): string {
  return JSON.stringify(
    COLUMNS.map((column) => {
      const value = record[column]
      return typeof value === 'number' ? Math.round(value * 1e6) : value
    }),
  )
}
