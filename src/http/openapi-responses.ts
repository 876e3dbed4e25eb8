// What the description of the API says of answers.

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json }

const header = (description: string, schema: Json): Json => ({ description, schema })

/** The headers of answers. */
export const RESPONSE_HEADERS: Record<string, Json> = {
  'X-Request-Id': header('Identifier of the request.', { type: 'string' }),
  ETag: header('Tag of this content, for If-None-Match.', { type: 'string' }),
  'RateLimit-Limit': header('Requests per minute; absent when rates are not limited.', {
    type: 'integer',
    minimum: 1,
  }),
  'RateLimit-Remaining': header('Requests left now.', { type: 'integer', minimum: 0 }),
  'RateLimit-Reset': header('Seconds until all of them are there again.', {
    type: 'integer',
    minimum: 0,
  }),
  'Retry-After': header('Seconds after which to try again.', { type: 'integer', minimum: 1 }),
  'Content-Disposition': header('The name under which to save the export.', { type: 'string' }),
  'X-Changes-Cursor': header(
    'The last change the export includes: pass it as cursor to the changes and nothing is missed.',
    { type: 'integer', minimum: 0 },
  ),
  Deprecation: header('From when on the address should not be used any more (RFC 9745).', {
    type: 'string',
  }),
  Sunset: header('When the address stops answering (RFC 8594).', { type: 'string' }),
  Link: header('Where to read about the deprecation and the successor.', { type: 'string' }),
}

/** What each status of a refusal means. */
export const EXPLAINED: Readonly<Record<number, string>> = {
  400: 'A parameter is unknown, repeated, malformed or out of bounds; errors lists all of them.',
  401: 'No key, or one that is not valid.',
  403: 'The key does not permit the territory.',
  404: 'There is no such resource, or nothing was recorded yet at that instant.',
  405: 'Only GET, HEAD and OPTIONS are possible.',
  408: 'The request did not arrive in time.',
  414: 'The URL is too long.',
  429: 'Too many requests; Retry-After says when to come back.',
  431: 'The headers of the request are too large.',
  500: 'A fault of the service.',
  503: 'The territory is not loaded yet, or the data store is away; Retry-After says when to come back.',
}
