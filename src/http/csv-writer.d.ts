/**
 * The part of csv-writer that http/csv.ts uses. Its own types point at its TypeScript sources, which do not
 * compile under this project's strict settings.
 */
export interface ObjectCsvStringifier<Row> {
  getHeaderString(): string | null
  stringifyRecords(rows: readonly Row[]): string
}

export function createObjectCsvStringifier<Row>(options: {
  header: readonly { id: keyof Row & string; title: string }[]
  recordDelimiter: '\n' | '\r\n'
  alwaysQuote?: boolean
}): ObjectCsvStringifier<Row>
