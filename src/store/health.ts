import type { Db } from './db.ts'

export const HEALTH_STATUSES = ['green', 'yellow', 'red'] as const
export type HealthStatus = (typeof HEALTH_STATUSES)[number]

/** How the indices of this registry are: red when a part of the data cannot be read. */
export async function storeHealth(db: Db): Promise<HealthStatus> {
  const { status } = await db.client.cluster.health(
    { index: `${db.prefix}-*`, expand_wildcards: 'open' },
    { maxRetries: 0 },
  )
  const known = HEALTH_STATUSES.find((each) => each === String(status).toLowerCase())
  if (known) return known
  throw new Error(`Elasticsearch reports a health of ${status}.`)
}
