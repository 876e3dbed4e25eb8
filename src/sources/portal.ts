import type { SourceDefinition } from '../domain/definition.ts'
import type { Facts } from './parse-json.ts'

/** How one kind of portal is asked for its records page by page. */
export interface Portal {
  /** records asked for at a time, before the server says how many it gives */
  size: number
  pageUrl(offset: number, size: number): URL
  /** number of records that the portal stated beforehand */
  total?: number
  /** where each page states the number of records */
  totalPath?: string
  /** the page size that the server really uses, from a page */
  cap?(facts: Facts): number | undefined
  /** whether the page announces more; undefined where the portal says no such thing */
  announcesMore?(facts: Facts): boolean
  /** what tells one record from another; the whole record where there is nothing better */
  identity?(record: unknown): string | undefined
  modified: string | null
}

/** An address with parameters added to those it has; an undefined one is taken away. */
export function withQuery(url: URL, query: Record<string, string | number | undefined> = {}): URL {
  const changed = new URL(url)
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) changed.searchParams.delete(name)
    else changed.searchParams.set(name, String(value))
  }
  return changed
}

/** Whether the definition wants the portal's own modification time, which costs a request. */
export function asksModified(map: SourceDefinition['map']): boolean {
  return map.official_last_modified_at !== undefined && 'metadata' in map.official_last_modified_at
}

/** The value at a dotted path of a JSON document. */
export function valueAt(value: unknown, path: string): unknown {
  let current = value
  for (const step of path.split('.')) {
    if (typeof current !== 'object' || current === null) return undefined
    current = Object.hasOwn(current, step) ? (current as Record<string, unknown>)[step] : undefined
  }
  return current ?? undefined
}

export function numberAt(value: unknown, path: string): number | undefined {
  const found = valueAt(value, path)
  return typeof found === 'number' ? found : undefined
}

/** Portals write UTC and leave the zone out. */
export function instantAt(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const ms = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}
