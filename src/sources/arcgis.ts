import type { SourceDefinition } from '../domain/definition.ts'
import { LoadFailure } from '../domain/problem.ts'
import type { Fetcher } from './fetcher.ts'
import { asksModified, numberAt, type Portal, valueAt, withQuery } from './portal.ts'

const PAGE_SIZE = 1000
/** The condition that every record meets. */
const ALL = '1=1'

/**
 * A layer of an ArcGIS FeatureServer or MapServer: its description says how it pages, a query how much there is.
 * Where a layer gives no pages, its records are asked for by ranges of their object ids.
 */
export async function arcgis(definition: SourceDefinition, fetcher: Fetcher): Promise<Portal> {
  const { fetch, map, parse } = definition
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
  const base = withQuery(query, { where: ALL, outFields: '*', f, ...fetch.query })
  const total = numberAt(
    await ask(fetcher, withQuery(base, { returnCountOnly: 'true', f: 'json', outSR: undefined })),
    'count',
  )
  const isPaged = valueAt(layer, 'advancedQueryCapabilities.supportsPagination') !== false
  const paging =
    isPaged || (total ?? Number.POSITIVE_INFINITY) <= size
      ? pagesByOffset(definition, { base, objectId, total })
      : await pagesByObjectId(fetcher, { base, objectId })
  return {
    ...paging,
    size,
    identity: (record) => identityOf(record, objectId),
    modified: asksModified(map) ? lastEdit(layer) : null,
  }
}

type Paging = Pick<Portal, 'pageUrl' | 'announcesMore' | 'total'>

interface Layer {
  /** the query for everything, without a page */
  base: URL
  objectId: string | undefined
}

function pagesByOffset(
  { fetch: { page = {} } }: SourceDefinition,
  { base, objectId, total }: Layer & { total: number | undefined },
): Paging {
  const { offset_param = 'resultOffset', limit_param = 'resultRecordCount' } = page
  return {
    ...(total === undefined ? {} : { total }),
    pageUrl: (offset, count) =>
      withQuery(base, {
        orderByFields: page.order ?? objectId,
        [offset_param]: offset,
        [limit_param]: count,
      }),
    announcesMore: (facts) =>
      facts.get('exceededTransferLimit') === true ||
      facts.get('properties.exceededTransferLimit') === true,
  }
}

async function pagesByObjectId(fetcher: Fetcher, { base, objectId }: Layer): Promise<Paging> {
  const answer = await ask(
    fetcher,
    withQuery(base, { returnIdsOnly: 'true', f: 'json', outSR: undefined }),
  )
  const field = textAt(answer, 'objectIdFieldName') ?? objectId
  const listed = valueAt(answer, 'objectIds')
  if (field === undefined || !Array.isArray(listed)) {
    throw new LoadFailure('source_error', 'The layer gives neither pages nor a list of its ids.')
  }
  const ids = listed.map(Number).sort((a, b) => a - b)
  const where = base.searchParams.get('where') ?? ALL
  return {
    total: ids.length,
    pageUrl: (offset, count) =>
      withQuery(base, {
        where: `(${where}) AND ${rangeOf(field, ids.slice(offset, offset + count))}`,
      }),
  }
}

/** Ranges rather than lists: a list of a thousand ids is too long for an address. */
function rangeOf(field: string, ids: readonly number[]): string {
  return ids.length === 0 ? '1=0' : `${field} >= ${ids[0]} AND ${field} <= ${ids.at(-1)}`
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
  const named = textAt(layer, 'objectIdField')
  if (named !== undefined) return named
  const fields = valueAt(layer, 'fields')
  if (!Array.isArray(fields)) return undefined
  const field: unknown = fields.find((item) => valueAt(item, 'type') === 'esriFieldTypeOID')
  return textAt(field, 'name')
}

function textAt(value: unknown, path: string): string | undefined {
  const found = valueAt(value, path)
  return typeof found === 'string' && found !== '' ? found : undefined
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
