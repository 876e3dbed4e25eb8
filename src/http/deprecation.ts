import type { Deprecation } from './endpoint.ts'

/** The headers that announce the end of an endpoint; none for one that stays. */
export function deprecationHeaders(deprecation: Deprecation | undefined): Record<string, string> {
  if (!deprecation) return {}
  const { since, sunset, link } = deprecation
  return {
    // RFC 9745 writes an instant as a structured date, RFC 8594 as an HTTP date.
    Deprecation: `@${Math.floor(Date.parse(since) / 1000)}`,
    ...(sunset === undefined ? {} : { Sunset: new Date(sunset).toUTCString() }),
    Link: `<${link}>; rel="deprecation"; type="text/html"`,
  }
}
