import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { Fetch, SourceDefinition } from '../../../src/domain/definition.ts'
import type { Route, Stub } from '../../support/stub-server.ts'
import { aDefinition, aFile, aStub, failure, fetched, readAll } from './made-source.ts'

type Overrides = Parameters<typeof aDefinition>[0]

/** Ids in the order in which the pages gave them. */
async function ids(definition: SourceDefinition, field = 'id'): Promise<unknown[]> {
  const got = await fetched(definition)
  if (got.kind !== 'file') throw new Error('nothing was downloaded')
  const { rows } = await readAll(definition, got.path)
  return rows.map((row) => ('fields' in row ? row.fields[field] : row))
}

function paged(
  stub: Stub,
  fetch: Partial<Fetch> & Pick<Fetch, 'kind'>,
  more: Overrides = {},
): SourceDefinition {
  return aDefinition({
    fetch: { url: `${stub.url}/datos`, retries: 0, ...fetch },
    parse: { format: 'json' },
    ...more,
  })
}

const records = (...numbers: number[]) => numbers.map((id) => ({ id }))

/** Pages of an answer by the offset asked for. */
function pages(param: string, answers: Record<string, unknown>, path = '/datos'): Route[] {
  return Object.entries(answers).map(([offset, body]) => ({
    match: { path, query: { [param]: [offset] } },
    reply: { body: JSON.stringify(body) },
  }))
}

const metadata = { official_last_modified_at: { metadata: true as const } }
const map = {
  external_id: { from: 'id' },
  name: { from: 'id' },
  is_active: { const: true },
  ...metadata,
}

describe('socrata', () => {
  const count = (total: number): Route => ({
    match: { path: '/datos', query: { $select: ['count(*)'] } },
    reply: { body: JSON.stringify([{ count_1: String(total) }]) },
  })

  it('asks in a fixed order for as many pages as the total needs, and no more', async () => {
    const stub = await aStub([
      count(4),
      ...pages('$offset', { 0: records(1, 2), 2: records(3, 4), 4: [] }),
    ])
    const definition = paged(stub, {
      kind: 'socrata',
      page: { size: 2 },
      query: { $where: "tipo='F'" },
    })
    expect(await ids(definition)).toEqual([1, 2, 3, 4])
    expect(stub.requests.map(({ query }) => Object.fromEntries(query))).toEqual([
      { $where: "tipo='F'", $select: 'count(*)' },
      { $where: "tipo='F'", $order: ':id', $offset: '0', $limit: '2' },
      { $where: "tipo='F'", $order: ':id', $offset: '2', $limit: '2' },
    ])
  })

  it.each([
    ['a record comes twice', { 0: records(1, 2), 2: records(2, 3), 4: [] }],
    ['records are missing', { 0: records(1, 2), 2: records(3), 3: [] }],
    ['there are more than stated', { 0: records(1, 2), 2: records(3, 4, 5) }],
  ])('fails when %s', async (_, answers) => {
    const stub = await aStub([count(4), ...pages('$offset', answers)])
    expect(await failure(fetched(paged(stub, { kind: 'socrata', page: { size: 2 } })))).toBe(
      'paging_unstable',
    )
  })

  it('takes equal records of one page for what they are', async () => {
    const stub = await aStub([count(3), ...pages('$offset', { 0: records(1, 1), 2: records(2) })])
    expect(await ids(paged(stub, { kind: 'socrata', page: { size: 2 } }))).toEqual([1, 1, 2])
  })

  it('fails at max_pages', async () => {
    const stub = await aStub([
      count(9),
      ...pages('$offset', { 0: records(1, 2), 2: records(3, 4) }),
    ])
    const definition = paged(stub, { kind: 'socrata', page: { size: 2, max_pages: 2 } })
    expect(await failure(fetched(definition))).toBe('paging_unstable')
  })

  it('asks the view when the data changed, if the definition wants to know', async () => {
    const path = '/resource/abcd-1234.json'
    const stub = await aStub([
      {
        match: { path: '/api/views/abcd-1234.json' },
        reply: { body: '{"rowsUpdatedAt": 1704067200}' },
      },
      { match: { path, query: { $select: ['count(*)'] } }, reply: { body: '[{"count": 1}]' } },
      ...pages('$offset', { 0: records(1) }, path),
    ])
    const definition = paged(stub, { kind: 'socrata', url: `${stub.url}${path}` }, { map })
    expect(await fetched(definition)).toMatchObject({
      metadata_modified: '2024-01-01T00:00:00.000Z',
    })
  })
})

describe('ckan', () => {
  it('follows the page size and the total that the server states', async () => {
    const page = (...numbers: number[]) => ({
      success: true,
      result: { total: 5, limit: 2, records: records(...numbers) },
    })
    const show = { success: true, result: { last_modified: '2024-01-02T03:04:05.678' } }
    const url = '/api/action/datastore_search'
    const stub = await aStub([
      {
        match: { path: '/api/action/resource_show', query: { id: ['r-1'] } },
        reply: { body: JSON.stringify(show) },
      },
      ...pages('offset', { 0: page(1, 2), 2: page(3, 4), 4: page(5) }, url),
    ])
    const definition = paged(
      stub,
      { kind: 'ckan', url: `${stub.url}${url}?resource_id=r-1`, page: { size: 100 } },
      { map },
    )
    expect(await ids(definition)).toEqual([1, 2, 3, 4, 5])
    expect(
      stub.requests.slice(1).map(({ query }) => [query.get('sort'), query.get('limit')]),
    ).toEqual([
      ['_id', '100'],
      ['_id', '2'],
      ['_id', '2'],
    ])
    expect(await fetched(definition)).toMatchObject({
      metadata_modified: '2024-01-02T03:04:05.678Z',
    })
  })

  it('that was not successful is an error of the source', async () => {
    const stub = await aStub(
      pages('offset', { 0: { success: false, error: { message: 'Not found' } } }),
    )
    expect(await failure(fetched(paged(stub, { kind: 'ckan' })))).toBe('source_error')
  })
})

describe('opendatasoft', () => {
  it('asks for no more than the server gives, and stops at the total', async () => {
    const url = '/api/explore/v2.1/catalog/datasets/farmacias'
    const answer = (...numbers: number[]) => ({ total_count: 3, results: records(...numbers) })
    const about = { metas: { default: { modified: '2024-05-06T07:08:09+00:00' } } }
    const stub = await aStub([
      { match: { path: url }, reply: { body: JSON.stringify(about) } },
      ...pages('offset', { 0: answer(1, 2), 2: answer(3) }, `${url}/records`),
    ])
    const fetch: Fetch = {
      kind: 'opendatasoft',
      url: `${stub.url}${url}/records`,
      page: { size: 1000, order: 'id' },
    }
    expect(await ids(paged(stub, fetch, { map }))).toEqual([1, 2, 3])
    const [, first] = stub.requests
    expect(Object.fromEntries(first?.query ?? [])).toEqual({
      order_by: 'id',
      offset: '0',
      limit: '100',
    })
    expect(await fetched(paged(stub, fetch, { map }))).toMatchObject({
      metadata_modified: '2024-05-06T07:08:09.000Z',
    })
  })
})

describe('arcgis', () => {
  const layer = {
    objectIdField: 'FID',
    maxRecordCount: 2,
    editingInfo: { lastEditDate: 1704067200000 },
  }
  const features = (...numbers: number[]) =>
    numbers.map((FID) => ({ attributes: { FID }, geometry: { x: FID, y: 0 } }))
  const base = (total: number, about: object = layer): Route[] => [
    { match: { path: '/Layer/0' }, reply: { body: JSON.stringify(about) } },
    {
      match: { path: '/Layer/0/query', query: { returnCountOnly: ['true'] } },
      reply: { body: `{"count":${total}}` },
    },
  ]
  const query = (answers: Record<string, unknown>) =>
    pages('resultOffset', answers, '/Layer/0/query')
  const source = (stub: Stub, format: 'esri' | 'geojson' = 'esri') =>
    paged(
      stub,
      { kind: 'arcgis', url: `${stub.url}/Layer/0`, query: { outSR: 4326 } },
      { parse: { format }, map },
    )

  it('follows the transfer limit, in the order of the object ids', async () => {
    const stub = await aStub([
      ...base(3),
      ...query({
        0: { features: features(1, 2), exceededTransferLimit: true },
        2: { features: features(3) },
      }),
    ])
    expect(await ids(source(stub), 'FID')).toEqual([1, 2, 3])
    expect(Object.fromEntries(stub.requests.at(-1)?.query ?? [])).toEqual({
      where: '1=1',
      outFields: '*',
      outSR: '4326',
      f: 'json',
      orderByFields: 'FID',
      resultOffset: '2',
      resultRecordCount: '2',
    })
    expect(await fetched(source(stub))).toMatchObject({
      metadata_modified: '2024-01-01T00:00:00.000Z',
    })
  })

  it('goes past an empty page that announces more', async () => {
    const more = { exceededTransferLimit: true }
    const stub = await aStub([
      ...base(3),
      ...query({
        0: { features: features(1, 2), ...more },
        2: { features: [], ...more },
        4: { features: features(9) },
      }),
    ])
    expect(await ids(source(stub), 'FID')).toEqual([1, 2, 9])
  })

  it('reads the limit from the properties of GeoJSON too', async () => {
    const geo = (...numbers: number[]) =>
      numbers.map((FID) => ({ type: 'Feature', properties: { FID }, geometry: null }))
    const stub = await aStub([
      ...base(3),
      ...query({
        0: { features: geo(1, 2), properties: { exceededTransferLimit: true } },
        2: { features: geo(3) },
      }),
    ])
    expect(await ids(source(stub, 'geojson'), 'FID')).toEqual([1, 2, 3])
    expect(stub.requests.at(-1)?.query.get('f')).toBe('geojson')
  })

  it('fails when an object comes again with other content, or too few came', async () => {
    const moved = { attributes: { FID: 2 }, geometry: { x: 99, y: 0 } }
    const more = { exceededTransferLimit: true }
    const twice = await aStub([
      ...base(3),
      ...query({ 0: { features: features(1, 2), ...more }, 2: { features: [moved] } }),
    ])
    expect(await failure(fetched(source(twice)))).toBe('paging_unstable')
    const few = await aStub([...base(3), ...query({ 0: { features: features(1, 2) } })])
    expect(await failure(fetched(source(few)))).toBe('paging_unstable')
  })

  it.each(['/Layer/0', '/Layer/0/query'])('sees an error with status 200 at %s', async (path) => {
    const stub = await aStub([
      {
        match: { path, query: { returnCountOnly: [null] } },
        reply: { body: '{"error":{"code":400,"message":"Invalid"}}' },
      },
      ...base(1),
    ])
    expect(await failure(fetched(source(stub)))).toBe('source_error')
  })

  describe('a layer without pages', () => {
    const about = { ...layer, advancedQueryCapabilities: { supportsPagination: false } }
    const listed = (objectIds: unknown): Route => ({
      match: { path: '/Layer/0/query', query: { returnIdsOnly: ['true'] } },
      reply: { body: JSON.stringify({ objectIdFieldName: 'FID', objectIds }) },
    })
    const range = (where: string, ...numbers: number[]): Route => ({
      match: { path: '/Layer/0/query', query: { where: [where], resultOffset: [null] } },
      reply: { body: JSON.stringify({ features: features(...numbers) }) },
    })

    it('is read by ranges of its object ids, whatever their order and gaps', async () => {
      const stub = await aStub([
        ...base(5, about),
        listed([40, 3, 7, 12, 5]),
        range('(1=1) AND FID >= 3 AND FID <= 5', 3, 5),
        range('(1=1) AND FID >= 7 AND FID <= 12', 12, 7),
        range('(1=1) AND FID >= 40 AND FID <= 40', 40),
      ])
      expect(await ids(source(stub), 'FID')).toEqual([3, 5, 12, 7, 40])
    })

    it('that holds no more than it gives at once is asked once', async () => {
      const stub = await aStub([...base(2, about), ...query({ 0: { features: features(1, 2) } })])
      expect(await ids(source(stub), 'FID')).toEqual([1, 2])
    })

    it('fails when a listed object does not come, or nothing is listed', async () => {
      const gone = await aStub([
        ...base(3, about),
        listed([1, 2, 3]),
        range('(1=1) AND FID >= 1 AND FID <= 2', 1, 2),
        range('(1=1) AND FID >= 3 AND FID <= 3'),
      ])
      expect(await failure(fetched(source(gone)))).toBe('paging_unstable')
      const silent = await aStub([...base(3, about), listed(null)])
      expect(await failure(fetched(source(silent)))).toBe('source_error')
    })
  })
})

describe('paged JSON', () => {
  const page = { offset_param: 'start', limit_param: 'rows', size: 500 }
  const parse = { format: 'json', records_path: 'result' } as const

  it('advances by what it received and ends at the stated total', async () => {
    const answer = (...numbers: number[]) => ({ totalCount: '3', result: records(...numbers) })
    const stub = await aStub(pages('start', { 0: answer(1), 1: answer(2, 3) }))
    const definition = paged(
      stub,
      { kind: 'paged_json', page: { ...page, total_path: 'totalCount' } },
      { parse },
    )
    expect(await ids(definition)).toEqual([1, 2, 3])
    expect(stub.requests.map(({ query }) => query.get('rows'))).toEqual(['500', '500'])
  })

  it('without a stated total ends at the first empty page', async () => {
    const stub = await aStub(
      pages('start', {
        0: { result: records(1, 2) },
        2: { result: records(3) },
        3: { result: [] },
      }),
    )
    expect(await ids(paged(stub, { kind: 'paged_json', page }, { parse }))).toEqual([1, 2, 3])
  })

  it('fails on a page without its list, on a web page and on a cut one', async () => {
    const answers: [body: string, code: string][] = [
      ['{"totalCount":0}', 'records_path_missing'],
      ['<!doctype html><p>mantenimiento</p>', 'unexpected_content'],
      ['{"result":[{"id":1},{"i', 'incomplete_record'],
    ]
    for (const [body, code] of answers) {
      const stub = await aStub([{ match: { path: '/datos' }, reply: { body } }])
      expect(await failure(fetched(paged(stub, { kind: 'paged_json', page }, { parse })))).toBe(
        code,
      )
    }
  })

  it('bounds all pages together by max_bytes', async () => {
    const stub = await aStub(
      pages('start', { 0: { result: records(1, 2) }, 2: { result: records(3, 4) } }),
    )
    const definition = paged(stub, { kind: 'paged_json', page, max_bytes: 40 }, { parse })
    expect(await failure(fetched(definition))).toBe('too_large')
  })

  it('keeps the pages in one file, byte for byte, which a cut makes useless', async () => {
    const stub = await aStub(pages('start', { 0: { result: records(1) }, 1: { result: [] } }))
    const definition = paged(stub, { kind: 'paged_json', page }, { parse })
    const got = await fetched(definition)
    const kept = got.kind === 'file' ? await readFile(got.path, 'utf8') : ''
    expect(kept).toBe(
      'pharmacy-registry-pages 1\n21\n{"result":[{"id":1}]}\n13\n{"result":[]}\nend 2\n',
    )
    expect(await fetched(definition)).toMatchObject({ sha256: got.kind === 'file' && got.sha256 })
    expect(await failure(readAll(definition, await aFile(kept.slice(0, -9))))).toBe(
      'truncated_body',
    )
  })

  it('may be given as a single document by hand', async () => {
    const definition = aDefinition({
      fetch: { kind: 'paged_json', url: 'https://a.example/', page },
      parse,
    })
    const { rows } = await readAll(definition, await aFile('{"result":[{"id":"1"}]}'))
    expect(rows).toEqual([{ fields: { id: '1' } }])
  })
})
