/**
 * One record as published, before it is normalised: cells in the header's order, or a nested object for
 * sources without a header row. GeoJSON and Esri features come as `{ properties, geometry }` flattened by the
 * parser to `FeatureRow`.
 */
export type TableRow = readonly string[]
export interface RecordRow {
  readonly fields: Readonly<Record<string, unknown>>
  /** GeoJSON or Esri geometry of the record, when the format has one. */
  readonly geometry?: unknown
}
export type Row = TableRow | RecordRow

/** How the rows of one file are laid out: a header for tables, null for records. */
export interface RowLayout {
  readonly header: readonly string[] | null
}

/** Rows of one file, in batches so that reading costs no promise per row. Opening again starts over. */
export interface RowReader {
  readonly layout: RowLayout
  readonly batches: AsyncIterable<readonly Row[]>
}
