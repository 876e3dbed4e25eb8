import type { SourceDefinition } from '../domain/definition.ts'
import { LoadFailure } from '../domain/problem.ts'
import type { Fetcher } from './fetcher.ts'
import { asksModified, numberAt, type Portal, valueAt, withQuery } from './portal.ts'

const PAGE_SIZE = 1000

/** A layer of an ArcGIS FeatureServer or MapServer: its description says how it pages, a query how much there is. */
export async function arcgis(
  { fetch, map, parse }: SourceDefinition,
  fetcher: Fetcher,
): Promise<Portal> {
  const layerUrl = new URL(fetch.url ?? '')
  layerUrl.pathname = layerUrl.pathname.replace(/\/query\/?$/, '').replace(/\/$/, '')
  const layer = await ask(fetcher, withQuery(layerUrl, { f: 'json' }))
  const objectId = objectIdOf(layer)
  const size = Math.min(
    fetch.page?.size ?? PAGE_SIZE,
    numberAt(layer, 'maxRecordCount') ?? PAGE_SIZE,
  )

  const query = new URL(layerUrl)
  query.pathname += '/query'
  const f = parse.format === 'geojson' ? 'geojson' : 'json'
  const base = withQuery(query, { where: '1=1', outFields: '*', f, ...fetch.query })
  const total = numberAt(
    await ask(fetcher, withQuery(base, { returnCountOnly: 'true', f: 'json', outSR: undefined })),
    'count',
  )
  refuseUnpaged(layer, { total, size })
  const order = fetch.page?.order ?? objectId
  const { offset_param = 'resultOffset', limit_param = 'resultRecordCount' } = fetch.page ?? {}
  return {
    size,
    ...(total === undefined ? {} : { total }),
    pageUrl: (offset, count) =>
      withQuery(base, {
        orderByFields: order,
        [offset_param]: offset,
        [limit_param]: count,
      }),
    announcesMore: (facts) =>
      facts.get('exceededTransferLimit') === true ||
      facts.get('properties.exceededTransferLimit') === true,
    identity: (record) => identityOf(record, objectId),
    modified: asksModified(map) ? lastEdit(layer) : null,
  }
}

function refuseUnpaged(
  layer: unknown,
  { total = 0, size }: { total: number | undefined; size: number },
): void {
  const isPaged = valueAt(layer, 'advancedQueryCapabilities.supportsPagination') !== false
  if (isPaged || total <= size) return
  throw new LoadFailure(
    'source_error',
    `The layer gives no pages, and its ${total} records are more than the ${size} it gives at once.`,
  )
}

/** ArcGIS reports its errors with status 200. */
async function ask(fetcher: Fetcher, url: URL): Promise<unknown> {
  const answer = await fetcher.json(url)
  const error = valueAt(answer, 'error')
  if (error === undefined) return answer
  const said = [valueAt(error, 'code'), valueAt(error, 'message')].filter(
    (part) => part !== undefined,
  )
  throw new LoadFailure(
    'source_error',
    `The source answered with an error (${said.join(' ').slice(0, 300)}).`,
  )
}

function objectIdOf(layer: unknown): string | undefined {
  const named = valueAt(layer, 'objectIdField')
  if (typeof named === 'string' && named !== '') return named
  const fields = valueAt(layer, 'fields')
  if (!Array.isArray(fields)) return undefined
  const field: unknown = fields.find((item) => valueAt(item, 'type') === 'esriFieldTypeOID')
  const name = valueAt(field, 'name')
  return typeof name === 'string' ? name : undefined
}

function identityOf(record: unknown, objectId: string | undefined): string | undefined {
  if (objectId === undefined || typeof record !== 'object' || record === null) return undefined
  for (const group of ['attributes', 'properties']) {
    const values: unknown = Reflect.get(record, group)
    const id: unknown =
      typeof values === 'object' && values !== null ? Reflect.get(values, objectId) : undefined
    if (typeof id === 'number' || typeof id === 'string') return `id ${id}`
  }
  return undefined
}

function lastEdit(layer: unknown): string | null {
  const ms =
    numberAt(layer, 'editingInfo.dataLastEditDate') ?? numberAt(layer, 'editingInfo.lastEditDate')
  return ms === undefined ? null : new Date(ms).toISOString()
}
