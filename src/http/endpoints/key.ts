import Type from 'typebox'
import { TerritoryCode } from '../../domain/territory.ts'
import type { Endpoint } from '../endpoint.ts'
import { NoPath, nullableInstant } from '../response-parts.ts'

const NoQuery = Type.Object({})

const Response = Type.Object({
  id: Type.String({ description: 'Identifier of the key; not a secret.' }),
  name: Type.String({ description: 'Name the key was issued under.' }),
  territories: Type.Union([Type.Array(TerritoryCode), Type.Null()], {
    description: 'Territories the key may see; null for all.',
  }),
  expires_at: nullableInstant('When the key stops working, ISO 8601 UTC; null when never.'),
  rate_limit: Type.Union(
    [
      Type.Object({
        limit: Type.Integer({ minimum: 1, description: 'Requests per minute, and at once.' }),
        remaining: Type.Integer({ minimum: 0, description: 'Requests left at this moment.' }),
        reset_seconds: Type.Number({
          minimum: 0,
          description: 'Seconds until all are left again.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'Rate limit of the key on this process; null when rates are not limited.' },
  ),
})

export const key: Endpoint<typeof NoPath, typeof NoQuery> = {
  name: 'showKey',
  path: '/v1/key',
  tag: 'Registry',
  summary: 'Show the calling key',
  description: 'Scope, expiry and rate limit of the key that asks.',
  pathSchema: NoPath,
  querySchema: NoQuery,
  responseSchema: Response,
  contentType: 'application/json',

  async handle({ principal, rate }) {
    const body: Type.Static<typeof Response> = {
      id: principal.keyId,
      name: principal.name,
      territories: principal.scope === 'all' ? null : [...principal.scope],
      expires_at: principal.expiresAt,
      rate_limit: rate && {
        limit: rate.limit,
        remaining: rate.remaining,
        reset_seconds: rate.resetSeconds,
      },
    }
    return { kind: 'json', body }
  },
}
