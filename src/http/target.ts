import { decodePercent, type RawParam } from './validate.ts'

/** Where a request goes: the path for the router, its segments for the path parameters, the raw query. */
export interface Target {
  /** always routable: what is not valid percent-encoding was escaped */
  path: string
  /** decoded; null where the percent-encoding is not valid UTF-8 */
  segments: readonly (string | null)[]
  query: string
}

/**
 * Reads a request target in origin form (`/a?b`) or absolute form (`http://host/a?b`). Dot segments are resolved
 * as every browser does. Null for anything else.
 */
export function readTarget(raw: string): Target | null {
  const origin = originForm(raw)
  if (origin === null) return null
  const [beforeHash = ''] = origin.split('#', 1)
  const mark = beforeHash.indexOf('?')
  const path = mark === -1 ? beforeHash : beforeHash.slice(0, mark)
  const query = mark === -1 ? '' : beforeHash.slice(mark + 1)
  if (PLAIN_PATH.test(path) && !path.includes('/.'))
    return { path, segments: path.split('/'), query }
  const url = URL.parse(`http://localhost${escapeRawBytes(path)}`)
  if (!url) return null
  const encoded = url.pathname.split('/')
  const segments = encoded.map(decodePercent)
  return {
    path: encoded
      .map((segment, index) =>
        segments[index] === null ? segment.replaceAll('%', '%25') : segment,
      )
      .join('/'),
    segments,
    query,
  }
}

/** Nothing to decode, escape or resolve: nearly every request. */
const PLAIN_PATH = /^[A-Za-z0-9_~/.-]+$/

function originForm(raw: string): string | null {
  if (raw.startsWith('/')) return raw
  const absolute = /^https?:\/\/[^/?#]*/i.exec(raw)
  if (!absolute) return null
  const rest = raw.slice(absolute[0].length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Node reads raw bytes of the request line as Latin-1; escaped one by one they are what the client sent. */
function escapeRawBytes(path: string): string {
  return path.replace(/[\u0080-\u00ff]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
}

/** The values of a template's parameters (`/export/:territory_code/csv`) in a path that matched it. */
export function pathParams(template: string, target: Target): RawParam[] {
  return template.split('/').flatMap((part, index) => {
    if (!part.startsWith(':')) return []
    const value = target.segments[index]
    return [{ name: part.slice(1), value: value === undefined ? '' : value }]
  })
}
