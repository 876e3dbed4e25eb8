import type { Fetch, SourceDefinition } from '../domain/definition.ts'
import { arcgis } from './arcgis.ts'
import type { Fetcher } from './fetcher.ts'
import { asksModified, instantAt, numberAt, type Portal, valueAt, withQuery } from './portal.ts'

type Make = (definition: SourceDefinition, fetcher: Fetcher) => Promise<Portal>

const PORTALS: Record<Exclude<Fetch['kind'], 'file' | 'http'>, Make> = {
  socrata,
  opendatasoft,
  ckan,
  arcgis,
  paged_json: pagedJson,
}

/** The portal that a definition names, asked for what it says of itself and its data. */
export function portalOf(definition: SourceDefinition, fetcher: Fetcher): Promise<Portal> {
  const { kind } = definition.fetch
  if (kind === 'file' || kind === 'http') throw new Error(`a source of kind ${kind} has no pages`)
  return PORTALS[kind](definition, fetcher)
}

const PAGE_SIZE = 1000
/** The records endpoint of Opendatasoft refuses to give more. */
const OPENDATASOFT_MAX = 100

async function socrata({ fetch, map }: SourceDefinition, fetcher: Fetcher): Promise<Portal> {
  const base = withQuery(new URL(fetch.url ?? ''), fetch.query)
  const { order = ':id', offset_param = '$offset', limit_param = '$limit' } = fetch.page ?? {}
  const counting = {
    $select: 'count(*)',
    $order: undefined,
    [offset_param]: undefined,
    [limit_param]: undefined,
  }
  const total = countOf(await fetcher.json(withQuery(base, counting)))
  const id = /\/resource\/([\w-]+)/.exec(base.pathname)?.[1]
  const view = id ? new URL(`/api/views/${id}.json`, base) : null
  const about = asksModified(map) && view ? await fetcher.json(view) : null
  const seconds = numberAt(about, 'rowsUpdatedAt')
  return {
    size: fetch.page?.size ?? PAGE_SIZE,
    pageUrl: (offset, size) =>
      withQuery(base, { $order: order, [offset_param]: offset, [limit_param]: size }),
    ...(total === undefined ? {} : { total }),
    ...(fetch.page?.total_path === undefined ? {} : { totalPath: fetch.page.total_path }),
    modified: seconds === undefined ? null : new Date(seconds * 1000).toISOString(),
  }
}

/** `[{ "count": "6" }]`, whatever the column is called. */
function countOf(answer: unknown): number | undefined {
  const [row] = Array.isArray(answer) ? (answer as unknown[]) : []
  const [value] = typeof row === 'object' && row !== null ? Object.values(row) : []
  const count = Number(value)
  return value !== undefined && Number.isInteger(count) ? count : undefined
}

async function opendatasoft({ fetch, map }: SourceDefinition, fetcher: Fetcher): Promise<Portal> {
  const base = withQuery(new URL(fetch.url ?? ''), fetch.query)
  const {
    order,
    offset_param = 'offset',
    limit_param = 'limit',
    total_path = 'total_count',
  } = fetch.page ?? {}
  const dataset = new URL(base.pathname.replace(/\/(records|exports)(\/.*)?$/, ''), base)
  const about = asksModified(map) ? await fetcher.json(dataset) : null
  return {
    size: Math.min(fetch.page?.size ?? OPENDATASOFT_MAX, OPENDATASOFT_MAX),
    pageUrl: (offset, size) =>
      withQuery(base, {
        order_by: order,
        [offset_param]: offset,
        [limit_param]: size,
      }),
    totalPath: total_path,
    modified: instantAt(
      valueAt(about, 'metas.default.modified') ?? valueAt(about, 'metas.default.data_processed'),
    ),
  }
}

async function ckan({ fetch, map }: SourceDefinition, fetcher: Fetcher): Promise<Portal> {
  const base = withQuery(new URL(fetch.url ?? ''), fetch.query)
  const {
    order = '_id',
    offset_param = 'offset',
    limit_param = 'limit',
    total_path = 'result.total',
  } = fetch.page ?? {}
  const id = base.searchParams.get('resource_id')
  const show = id ? withQuery(new URL('resource_show', base), { id }) : null
  const about = asksModified(map) && show ? await fetcher.json(show) : null
  return {
    size: fetch.page?.size ?? PAGE_SIZE,
    pageUrl: (offset, size) =>
      withQuery(base, { sort: order, [offset_param]: offset, [limit_param]: size }),
    totalPath: total_path,
    cap: (facts) => Number(facts.get('result.limit')) || undefined,
    modified: instantAt(
      valueAt(about, 'result.last_modified') ?? valueAt(about, 'result.metadata_modified'),
    ),
  }
}

async function pagedJson({ fetch }: SourceDefinition): Promise<Portal> {
  const base = withQuery(new URL(fetch.url ?? ''), fetch.query)
  const { offset_param = 'offset', limit_param = 'limit', total_path } = fetch.page ?? {}
  return {
    size: fetch.page?.size ?? PAGE_SIZE,
    pageUrl: (offset, size) => withQuery(base, { [offset_param]: offset, [limit_param]: size }),
    ...(total_path === undefined ? {} : { totalPath: total_path }),
    modified: null,
  }
}
