/**
 * The part of csv-writer that http/csv.ts uses. Its own types point at its TypeScript sources, which do not
 * compile under this project's strict settings.
 */
export interface ArrayCsvStringifier {
  getHeaderString(): string | null
  stringifyRecords(rows: readonly (readonly string[])[]): string
}

export function createArrayCsvStringifier(options: {
  header: readonly string[]
  recordDelimiter: '\n' | '\r\n'
  alwaysQuote?: boolean
}): ArrayCsvStringifier
