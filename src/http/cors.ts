/** CORS for browser dashboards: any origin, since a key is needed anyway and cookies are never used. */
const EXPOSED = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
  'ETag',
  'Content-Disposition',
  'X-Changes-Cursor',
  'Deprecation',
  'Sunset',
  'Link',
].join(', ')

/** On every answer, errors included. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** What may be loaded by an answer that is data and not a page: nothing. */
export const DATA_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'"

export const ALLOWED_METHODS = ['GET', 'HEAD', 'OPTIONS'] as const

/** The answer to OPTIONS, preflight or not. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  Allow: ALLOWED_METHODS.join(', '),
  'Access-Control-Allow-Methods': ALLOWED_METHODS.join(', '),
  'Access-Control-Allow-Headers': 'X-API-Key, If-None-Match, X-Request-Id, Accept, Content-Type',
  'Access-Control-Max-Age': '86400',
}
