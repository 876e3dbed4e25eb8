import type { SourceDefinition } from '../domain/definition.ts'

/** Where the portals keep the list in their answers. */
const PORTAL_PATHS: Partial<Record<SourceDefinition['fetch']['kind'], string>> = {
  ckan: 'result.records',
  opendatasoft: 'results',
}

/** The path of the list in a JSON document of this source; `$` is the document itself. */
export function recordsPathOf({ fetch, parse }: Pick<SourceDefinition, 'fetch' | 'parse'>): string {
  if (parse.format === 'geojson' || parse.format === 'esri') return 'features'
  return parse.records_path ?? PORTAL_PATHS[fetch.kind] ?? '$'
}
