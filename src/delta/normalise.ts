import type { SourceDefinition } from '../domain/definition.ts'
import type { Pharmacy } from '../domain/pharmacy.ts'
import type { LoadFailure } from '../domain/problem.ts'
import { provinceOfPostalCode } from '../domain/provinces.ts'
import type { Row, RowLayout } from '../domain/row.ts'
import type { WarningTally } from '../domain/run.ts'
import { isPlain } from './cells.ts'
import { type Columns, openColumns } from './columns.ts'
import { contentHash } from './content-hash.ts'
import { compileCoordinates, type Position } from './coordinates.ts'
import { compileField, type Field } from './field-rules.ts'
import { type NullTokens, nullTokens } from './null-tokens.ts'
import { readPostalCode } from './postal-code.ts'
import { compileFilters, compileTerritory } from './row-filters.ts'
import { compileRowShape } from './row-shape.ts'
import { type ActiveState, compileActive, compileModified } from './state-rules.ts'

/** What became of one row. */
export type Judged =
  | { kind: 'filtered'; territory_code: string | null }
  | { kind: 'rejected'; territory_code: string | null; external_id: string | null; reason: string }
  | { kind: 'record'; record: Pharmacy; hash: string; prefer: string | null }

export interface Normaliser {
  /** Judges one row. Rejections and odd cells are told to the tally; nothing is thrown for a bad row. */
  judge(row: Row, tally: WarningTally): Judged
  /** After all rows: the failure `missing_column` when a mapped column was in no record, else null. */
  missing(): LoadFailure | null
}

/** What rows do not say themselves. */
export interface SnapshotContext {
  observedAt: string
  /** when the whole dataset was last modified (HTTP header or portal metadata), ISO */
  datasetModifiedAt: string | null
}

/**
 * Compiles a definition for one file into a function from rows to records. Throws a LoadFailure when the header lacks a
 * mapped column or has it twice, an OperatorError when the definition asks for something that does not exist.
 */
export function compileNormaliser(
  definition: SourceDefinition,
  layout: RowLayout,
  context: SnapshotContext,
): Normaliser {
  const columns = openColumns(definition, layout)
  const tokens = nullTokens(definition)
  const rules = compileRules(definition, columns, tokens, context)
  const brokenShape = compileRowShape(definition, layout)
  const includeModified = isModifiedPerRow(definition)

  const judge = (row: Row, tally: WarningTally): Judged => {
    columns.load(row)
    const territory = rules.territory()
    if (!rules.passes()) return { kind: 'filtered', territory_code: territory }
    const id = rules.external_id()
    const active = rules.is_active()
    const fault = brokenShape(row) ?? faultOf({ id, active, territory })
    if (fault !== null || id === null || territory === null || typeof active === 'string') {
      return reject({ territory, id, reason: fault ?? 'unreadable' }, tally)
    }
    for (const cell of columns.garbled) tally.add('mojibake', `${id}: ${cell}`)
    const record = rules.record({ id, territory, active, row, tally })
    return {
      kind: 'record',
      record,
      hash: contentHash(record, includeModified),
      prefer: rules.prefer(),
    }
  }
  return { judge, missing: () => columns.missing() }
}

/** Whether official_last_modified_at is a fact of each row, and so part of its content. */
function isModifiedPerRow(definition: SourceDefinition): boolean {
  const rule = definition.map.official_last_modified_at
  return rule !== undefined && 'from' in rule
}

function compileRules(
  definition: SourceDefinition,
  columns: Columns,
  tokens: NullTokens,
  context: SnapshotContext,
) {
  const { map, official, slug } = definition
  const shared = { columns, tokens }
  const orPlaceless = { ...shared, also: ['S/N'] }
  const fields = {
    name: compileField(map.name, orPlaceless),
    address_line: compileField(map.address_line, shared),
    postal_code: compilePostalCode(definition, compileField(map.postal_code, shared)),
    city: compileField(map.city, orPlaceless),
    province: compileField(map.province, shared),
    owner_name: compileField(map.owner_name, orPlaceless),
    cnn_code: compileField(map.cnn_code, shared),
    modified: compileModified(map.official_last_modified_at, context.datasetModifiedAt, shared),
    position: compileCoordinates(definition.coordinates, shared),
  }
  const fromPostalCode = map.province?.from_postal_code === true
  const active: ActiveState = compileActive(map.is_active, context.observedAt, shared)

  return {
    passes: compileFilters(definition.filter ?? [], columns, tokens),
    territory: compileTerritory(definition, columns),
    external_id: compileField(map.external_id, shared),
    is_active: active,
    prefer: compilePrefer(definition, columns, tokens),
    record({ id, territory, active, row, tally }: Accepted): Pharmacy {
      const postalCode = fields.postal_code(id, tally)
      const position = fields.position(row)
      if (position.warning !== null) warnOfPosition(position, id, tally)
      return {
        external_id: id,
        name: fields.name(),
        address_line: fields.address_line(),
        postal_code: postalCode,
        city: fields.city(),
        province: fromPostalCode ? provinceNameOf(postalCode, fields.province) : fields.province(),
        territory_code: territory,
        latitude: position.latitude,
        longitude: position.longitude,
        coordinate_source: position.source,
        owner_name: fields.owner_name(),
        cnn_code: fields.cnn_code(),
        source_slug: slug,
        official_source_name: official.name,
        official_source_url: official.url,
        official_last_modified_at: fields.modified(),
        observed_at: context.observedAt,
        is_active: active,
      }
    },
  }
}

interface Accepted {
  id: string
  territory: string
  active: boolean
  row: Row
  tally: WarningTally
}

function compilePostalCode(definition: SourceDefinition, field: Field) {
  const prefixes = definition.map.postal_code?.province_prefixes
  return (id: string, tally: WarningTally): string | null => {
    const text = field()
    if (text === null) return null
    const code = readPostalCode(text, prefixes)
    if (code === null) tally.add('bad_postal_code', `${id}: ${text}`)
    return code
  }
}

function provinceNameOf(postalCode: string | null, otherwise: Field): string | null {
  return postalCode === null ? otherwise() : (provinceOfPostalCode(postalCode)?.name ?? null)
}

/** The column that says which of several rows of one id is meant, as text. */
function compilePrefer(definition: SourceDefinition, columns: Columns, tokens: NullTokens): Field {
  const conflicting = definition.duplicates?.conflicting
  if (typeof conflicting !== 'object') return () => null
  const slot = columns.slot(conflicting.prefer)
  return () => {
    const text = columns.cells[slot] ?? ''
    return tokens.cell(text) ? null : text
  }
}

function warnOfPosition({ warning }: Position, id: string, tally: WarningTally): void {
  if (warning !== null) tally.add(warning, id)
}

const MAX_ID_BYTES = 200
const CONTROL = /[\p{Cc}]/u

function faultOf(row: {
  id: string | null
  active: boolean | string
  territory: string | null
}): string | null {
  if (row.id === null) return 'no external_id'
  if (!isUsableId(row.id)) return 'external_id is too long or has control characters'
  if (row.territory === null) return 'unknown territory code'
  return typeof row.active === 'string' ? row.active : null
}

function isUsableId(id: string): boolean {
  if (id.length * 3 > MAX_ID_BYTES && new TextEncoder().encode(id).length > MAX_ID_BYTES)
    return false
  return isPlain(id) || !CONTROL.test(id)
}

function reject(
  { territory, id, reason }: { territory: string | null; id: string | null; reason: string },
  tally: WarningTally,
): Judged {
  const readable = id !== null && isUsableId(id) ? id : null
  tally.add('row_rejected', readable === null ? reason : `${readable}: ${reason}`)
  return { kind: 'rejected', territory_code: territory, external_id: readable, reason }
}
