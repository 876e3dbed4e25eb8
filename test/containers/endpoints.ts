import assert from 'node:assert/strict'
import { endpoints } from '../../src/http/routes.ts'

/** What an endpoint cannot be called without. */
const QUERIES: Record<string, string> = {
  '/v1/farmacias/changes': 'since=2020-01-01T00:00:00Z',
  '/v1/farmacias/business-events/summary': 'days=365',
  '/v1/farmacias/relocations': 'days=365',
}

export async function get(api: string, path: string, key: string): Promise<Response> {
  return fetch(`${api}${path}`, { headers: { 'X-API-Key': key } })
}

/** Calls every endpoint there is, and the documents and the dashboard; returns how many answered. */
export async function callEverything(api: string, key: string): Promise<number> {
  const listing = await get(api, '/v1/farmacias/pharmacies?territories=ES-MD&limit=1', key)
  const listed = (await listing.json()) as { items?: { external_id: string }[] }
  const id = listed.items?.[0]?.external_id
  assert.ok(id, `the listing of pharmacies answers ${listing.status} ${JSON.stringify(listed)}`)
  const paths = endpoints.map(({ path }) => {
    const filled = path.replace(':territory_code', 'ES-MD').replace(':external_id', id)
    const query = QUERIES[path]
    return query ? `${filled}?${query}` : filled
  })
  const open = ['/openapi.json', '/docs/', '/', '/health/live', '/health/ready']
  for (const path of [...paths, ...open]) {
    const answer = await get(api, path, key)
    const body = await answer.text()
    assert.equal(answer.status, 200, `${path}: ${body.slice(0, 300)}`)
    assert.ok(body.length > 0, path)
  }
  const refused = await fetch(`${api}/v1/farmacias/territories`)
  assert.equal(refused.status, 401, 'without a key')
  return paths.length + open.length
}
