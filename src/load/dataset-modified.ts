import type { SourceDefinition } from '../domain/definition.ts'
import { instantOf } from '../domain/time.ts'

/** The dataset-wide modification time, when the definition maps one and the source gives a sound one. */
export function datasetModifiedAt(
  definition: SourceDefinition,
  answer: { headers: Record<string, string>; metadata_modified: string | null },
): string | null {
  const rule = definition.map.official_last_modified_at
  if (!rule || 'from' in rule) return null
  const text =
    'metadata' in rule ? answer.metadata_modified : answer.headers[rule.http_header.toLowerCase()]
  const ms = text ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? null : instantOf(ms)
}
