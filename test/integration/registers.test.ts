import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import iconv from 'iconv-lite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { SourceDefinition } from '../../src/domain/definition.ts'
import type { Pharmacy } from '../../src/domain/pharmacy.ts'
import { readDefinitions } from '../../src/sources/definitions.ts'
import { openTestRegistry, registryForTest, type TestRegistry } from '../support/loading.ts'
import { type Route, type SeenRequest, startStub } from '../support/stub-server.ts'
import { workbookOf } from '../support/workbook.ts'

/**
 * Every published shape, loaded by the definition that ships for it. Only the host of its addresses is replaced: a
 * local server answers with an invented file. Where no address is certain, the template of the manual is loaded.
 */
const folderOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const bundled = await readDefinitions(folderOf('sources'))
const templates = await readDefinitions(folderOf('docs/source-templates'))

interface Loaded {
  registry: TestRegistry
  counts: { added: number; rejected: number }
  warnings: Record<string, number>
  /** the fields of a record that are asked for */
  record(id: string, ...fields: (keyof Pharmacy)[]): Promise<Partial<Pharmacy>>
  requests: readonly SeenRequest[]
}

const OBSERVED = '2024-05-01T06:00:00.000Z'

/** One registry for all territories; a second source of one of them gets its own. */
let shared: TestRegistry
beforeAll(async () => {
  shared = await openTestRegistry()
})
afterAll(async () => {
  expect(await shared.broken()).toEqual([])
  await shared.close()
})

async function load(
  slug: string,
  routes: Route[],
  { files = {}, isOlder = false }: { files?: Record<string, Buffer>; isOlder?: boolean } = {},
): Promise<Loaded> {
  const definition = [...bundled, ...templates].find((one) => one.slug === slug)
  if (!definition?.territory) throw new Error(`no definition ${slug} of one territory`)
  const { territory } = definition
  const stub = await stubWith(routes, files)
  const opened = isOlder ? await registryForTest() : shared
  const [run] = await opened.load({ definition: at(stub.url, definition), observedAt: OBSERVED })
  if (run?.status !== 'committed') throw new Error(`${slug}: ${run?.status} ${run?.error}`)
  return {
    registry: opened,
    counts: { added: run.counts.added, rejected: run.counts.rejected },
    warnings: Object.fromEntries(run.warnings.map(({ code, count }) => [code, count])),
    async record(id, ...fields) {
      const record = (await opened.current(territory)).get(id)
      if (!record) throw new Error(`${slug} has no ${id}`)
      return Object.fromEntries(fields.map((field) => [field, record[field]]))
    },
    requests: stub.requests,
  }
}

async function stubWith(routes: Route[], files: Record<string, Buffer>) {
  const folder = mkdtempSync(join(tmpdir(), 'pharmacy-registry-stub-'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const stub = await startStub({ steps: [{ routes }] }, { folder })
  onTestFinished(async () => {
    await stub.close()
    await rm(folder, { recursive: true, force: true })
  })
  return stub
}

/** The definition with its addresses on another host. */
function at(host: string, definition: SourceDefinition): SourceDefinition {
  const moved = (url: string) => url.replace(new URL(url).origin, host)
  const { fetch } = definition
  return {
    ...definition,
    fetch: {
      ...fetch,
      ...(fetch.url === undefined ? {} : { url: moved(fetch.url) }),
      ...(fetch.discovery
        ? { discovery: { ...fetch.discovery, url: moved(fetch.discovery.url) } }
        : {}),
    },
  }
}

const path = (slug: string) => {
  const { fetch } = [...bundled, ...templates].find((one) => one.slug === slug) as SourceDefinition
  return new URL(fetch.discovery?.url ?? fetch.url ?? '').pathname
}

const json = (value: unknown) => ({ reply: { body: JSON.stringify(value) } })
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('tables', () => {
  test('ES-MD: a dated file behind a page, ISO-8859-1, UTM, no name', async () => {
    const rows = range(2600).map(
      (n) =>
        `${n};Titular Inventado ${n};CALLE;de Peñalver;${n};Villaejemplo;${440_000 + n};4475000`,
    )
    const header =
      'farmacia_nro_soe;titular_nombre;direccion_vial_tipo;direccion_vial_nombre;direccion_vial_nro;municipio_nombre;localizacion_coordenada_x;localizacion_coordenada_y'
    const loaded = await load(
      'es-md-oficinas-farmacia',
      [
        {
          match: { path: path('es-md-oficinas-farmacia') },
          reply: {
            body: '<a href="/catalogo/dataset/1f/resource/2e/download/oficinas_farmacia.csv">oficinas_farmacia.csv</a>',
          },
        },
        {
          match: { path: '/catalogo/dataset/1f/resource/2e/download/oficinas_farmacia.csv' },
          reply: {
            body_file: 'md.csv',
            headers: { 'last-modified': 'Tue, 30 Apr 2024 22:00:00 GMT' },
          },
        },
      ],
      { files: { 'md.csv': iconv.encode([header, ...rows, ''].join('\r\n'), 'iso-8859-1') } },
    )
    expect(loaded.counts).toEqual({ added: 2600, rejected: 0 })
    expect(loaded.warnings).toEqual({})
    const fields = ['name', 'address_line', 'postal_code', 'province', 'owner_name'] as const
    expect(
      await loaded.record('7', ...fields, 'coordinate_source', 'official_last_modified_at'),
    ).toEqual({
      name: 'Farmacia Titular Inventado 7',
      address_line: 'CALLE de Peñalver, 7',
      postal_code: null,
      province: 'Madrid',
      owner_name: 'Titular Inventado 7',
      coordinate_source: 'official',
      official_last_modified_at: '2024-04-30T22:00:00.000Z',
    })
    const { latitude, longitude } = await loaded.record('7', 'latitude', 'longitude')
    expect([latitude, longitude]).toEqual([
      expect.closeTo(40.423469, 4),
      expect.closeTo(-3.70721, 4),
    ])
  })

  test('ES-CT: split street, a zero for no postal code, the province from it', async () => {
    const rows = range(3100).map(
      (n) =>
        `F${String(8_000_000 + n).padStart(8, '0')},"COGNOM, INVENTAT ${n}",PG,Arriassa,${n},VILAEXEMPLE,${n === 5 ? 0 : '08911'},1 BARRI,900000000`,
    )
    const loaded = await load('es-ct-catsalut-farmacies', [
      {
        match: { path: path('es-ct-catsalut-farmacies') },
        reply: { body: '<a href="/web/.content/2024/farmacies-abril.csv">Llista</a>' },
      },
      {
        match: { path: '/web/.content/2024/farmacies-abril.csv' },
        reply: {
          body: [
            'Codi farm,Oficina de farmàcia,Tipus via,Nom via,Núm. Via,Municipi,CP,ABS,Telèfon',
            ...rows,
            '',
          ].join('\r\n'),
        },
      },
    ])
    expect(loaded.counts).toEqual({ added: 3100, rejected: 0 })
    expect(loaded.warnings).toEqual({})
    const fields = ['address_line', 'postal_code', 'province', 'owner_name', 'latitude'] as const
    expect(await loaded.record('F08000004', ...fields)).toEqual({
      address_line: 'PG Arriassa, 4',
      postal_code: '08911',
      province: 'Barcelona',
      owner_name: 'COGNOM, INVENTAT 4',
      latitude: null,
    })
    expect(await loaded.record('F08000005', 'postal_code', 'province')).toEqual({
      postal_code: null,
      province: null,
    })
  })

  test('ES-CL: an Opendatasoft export with a byte-order mark, null as text, lost zeros', async () => {
    const slug = 'es-cl-establecimientos-farmaceuticos'
    const rows = range(1300).map((n) =>
      [
        n,
        `FARMACIA INVENTADA ${n}`,
        'CALLE REAL',
        n === 2 ? 'null' : n,
        n % 2 === 0 ? 5001 : 47_001,
        'Localidad',
        'Villaejemplo',
        n % 2 === 0 ? 'ÁVILA' : 'VALLADOLID',
        '900000000',
      ].join(';'),
    )
    const header =
      'num_reg;nombre_comercial;calle;numero;codigo_postal;localidad;municipio;provincia;telefono'
    const loaded = await load(slug, [
      {
        match: { path: path(slug), query: { delimiter: [';'] } },
        reply: { body: `\uFEFF${[header, ...rows, ''].join('\r\n')}` },
      },
    ])
    expect(loaded.counts).toEqual({ added: 1300, rejected: 0 })
    expect(loaded.warnings).toEqual({})
    const fields = ['name', 'address_line', 'postal_code', 'city', 'province'] as const
    expect(await loaded.record('2', ...fields)).toEqual({
      name: 'FARMACIA INVENTADA 2',
      address_line: 'CALLE REAL',
      postal_code: '05001',
      city: 'Villaejemplo',
      province: 'ÁVILA',
    })
  })
})

describe('ES-PV', () => {
  const published = (n: number) => ({
    ...(n === 1 ? {} : { titular1: `TITULAR INVENTADO, ${n}` }),
    ...(n === 3 ? { titular2: 'INVENTADA, ANA' } : {}),
    idif: String(10_000 + n).padStart(6, '0'),
    direccion: `Kale Nagusia/Calle Mayor ${n}`,
    municipio: 'DONOSTIA / SAN SEBASTIÁN',
    cp: '20001',
    provincia: 'GIPUZKOA',
    longitude: -1.98,
    latitude: 43.32,
  })
  const fields = ['name', 'address_line', 'postal_code', 'city', 'owner_name', 'longitude'] as const
  const third = {
    name: 'Farmacia TITULAR INVENTADO, 3',
    address_line: 'Kale Nagusia/Calle Mayor 3',
    postal_code: '20001',
    city: 'DONOSTIA / SAN SEBASTIÁN',
    owner_name: 'INVENTADA, ANA / TITULAR INVENTADO, 3',
    longitude: -1.98,
  }

  test('GeoJSON with absent keys', async () => {
    const features = range(760).map((n) => {
      const { longitude, latitude, ...properties } = published(n)
      return {
        id: n,
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
        properties,
      }
    })
    const loaded = await load('es-pv-farmacias', [
      {
        match: { path: path('es-pv-farmacias') },
        ...json({ type: 'FeatureCollection', features }),
      },
    ])
    expect(loaded.counts).toEqual({ added: 760, rejected: 0 })
    expect(await loaded.record('010003', ...fields)).toEqual(third)
    expect(await loaded.record('010001', 'name', 'owner_name')).toEqual({
      name: 'Farmacia',
      owner_name: null,
    })
  })

  test('the older JSONP feed', async () => {
    const loaded = await load(
      'es-pv-farmacias-jsonp',
      [
        {
          match: { path: path('es-pv-farmacias-jsonp') },
          reply: { body: `jsonCallback(${JSON.stringify(range(3).map(published))});` },
        },
      ],
      { isOlder: true },
    )
    expect(loaded.counts).toEqual({ added: 3, rejected: 0 })
    expect(await loaded.record('010003', ...fields)).toEqual(third)
  })

  test('the older XML feed, in the encoding that it declares', async () => {
    const rows = range(3).map((n) => {
      const cells = Object.entries(published(n)).map(([k, v]) => `<${k}><![CDATA[${v}]]></${k}>`)
      return `<row num="${n}">${cells.join('')}</row>`
    })
    const text = `<?xml version="1.0" encoding="ISO-8859-1"?>\n<rows>${rows.join('')}</rows>`
    const loaded = await load(
      'es-pv-farmacias-xml',
      [{ match: { path: path('es-pv-farmacias-xml') }, reply: { body_file: 'pv.xml' } }],
      { isOlder: true, files: { 'pv.xml': iconv.encode(text, 'iso-8859-1') } },
    )
    expect(loaded.counts).toEqual({ added: 3, rejected: 0 })
    expect(await loaded.record('010003', ...fields)).toEqual(third)
  })
})

test('ES-MC: CKAN in pages smaller than asked, columns with dots, three kinds of coordinates', async () => {
  const records = range(410).map((n) => ({
    _id: n,
    Codigo: `MU-${n}-F`,
    Nombre: `Farmacia Inventada ${n}`,
    Direccion: `C/ Inventada, ${n}`,
    'C.P.': 30_001,
    Municipio: 'Villaejemplo',
    ...[
      { Latitud: '37.98', Longitud: '-1.13' },
      { Latitud: '4205000', Longitud: '664000' },
      { Latitud: '-1.13', Longitud: '37.98' },
    ][n % 3],
  }))
  const page = (offset: number) => ({
    match: {
      path: path('es-mc-farmacias'),
      query: { offset: offset === 0 ? ['0', null] : [String(offset)] },
    },
    ...json({
      success: true,
      result: { total: 410, limit: 100, records: records.slice(offset, offset + 100) },
    }),
  })
  const loaded = await load('es-mc-farmacias', [0, 100, 200, 300, 400].map(page))
  expect(loaded.counts).toEqual({ added: 410, rejected: 0 })
  expect(loaded.requests.map(({ query }) => query.get('resource_id'))).toEqual(
    range(5).map(() => '459b23f1-b239-49f5-a4b9-c325d66e2799'),
  )
  const where = ['latitude', 'longitude', 'coordinate_source'] as const
  const degrees = { latitude: 37.98, longitude: -1.13 }
  expect(await loaded.record('MU-3-F', ...where, 'postal_code')).toEqual({
    ...degrees,
    coordinate_source: 'official',
    postal_code: '30001',
  })
  expect(await loaded.record('MU-1-F', ...where)).toEqual({
    latitude: expect.closeTo(37.977, 2),
    longitude: expect.closeTo(-1.132, 2),
    coordinate_source: 'official',
  })
  expect(await loaded.record('MU-2-F', ...where)).toEqual({
    ...degrees,
    coordinate_source: 'official_swapped',
  })
})

describe('ArcGIS', () => {
  const layer = (slug: string, about: object, total: number): Route[] => {
    const base = path(slug).replace(/\/query$/, '')
    return [
      { match: { path: base }, ...json({ name: 'Farmacias', ...about }) },
      {
        match: { path: `${base}/query`, query: { returnCountOnly: ['true'] } },
        ...json({ count: total }),
      },
    ]
  }
  const page = (slug: string, query: Record<string, (string | null)[]>, answer: object): Route => ({
    match: { path: `${path(slug).replace(/\/query$/, '')}/query`, query },
    ...json(answer),
  })

  test('ES-NC: points, the transfer limit, an empty page in the middle', async () => {
    const slug = 'es-nc-farmacias'
    const feature = (FID: number) => ({
      attributes: {
        FID,
        IDFARMACIA: `NA${FID}`,
        TITULAR: `TITULAR ${FID}`,
        DIRECCION: `CALLE FALSA ${FID}`,
        POBLACION: 'PAMPLONA',
      },
      geometry: { x: -1.65, y: 42.81 },
    })
    const more = { exceededTransferLimit: true }
    const about = {
      objectIdField: 'FID',
      maxRecordCount: 2,
      editingInfo: { lastEditDate: 1_704_067_200_000 },
    }
    const loaded = await load(slug, [
      ...layer(slug, about, 3),
      page(slug, { resultOffset: ['0'] }, { features: [1, 2].map(feature), ...more }),
      page(slug, { resultOffset: ['2'] }, { features: [], ...more }),
      page(slug, { resultOffset: ['4'] }, { features: [feature(9)] }),
    ])
    expect(loaded.counts).toEqual({ added: 3, rejected: 0 })
    const fields = ['name', 'address_line', 'latitude', 'longitude', 'province'] as const
    expect(await loaded.record('NA9', ...fields, 'official_last_modified_at')).toEqual({
      name: 'Farmacia TITULAR 9',
      address_line: 'CALLE FALSA 9',
      latitude: 42.81,
      longitude: -1.65,
      province: 'Navarra',
      official_last_modified_at: '2024-01-01T00:00:00.000Z',
    })
  })

  test('ES-VC: GeoJSON, one of two holders never given, a state', async () => {
    const slug = 'es-vc-farmacias'
    const feature = (codigo: string, estado: string) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [-0.37, 39.47] },
      properties: {
        OBJECTID: Number(codigo),
        codigo,
        titular: 'Titular Inventado',
        tipo_via: 'Carrer',
        via: 'de la Mar',
        numero: null,
        cp: 3001,
        municipio: 'Vilaexemple',
        estado,
      },
    })
    const loaded = await load(slug, [
      ...layer(slug, { objectIdField: 'OBJECTID', maxRecordCount: 2000 }, 2),
      page(
        slug,
        { f: ['geojson'] },
        {
          type: 'FeatureCollection',
          features: [feature('1', 'Abierta'), feature('2', 'Cerrada')],
        },
      ),
    ])
    expect(loaded.counts).toEqual({ added: 2, rejected: 0 })
    const fields = ['address_line', 'postal_code', 'province', 'owner_name', 'is_active'] as const
    expect(await loaded.record('2', ...fields)).toEqual({
      address_line: 'Carrer de la Mar',
      postal_code: '03001',
      province: 'Alicante/Alacant',
      owner_name: 'Titular Inventado',
      is_active: false,
    })
  })

  test('ES-AN: multipoints in web metres; an error with status 200 does no harm', async () => {
    const slug = 'es-an-farmacias'
    const features = [
      {
        attributes: {
          OBJECTID: 1,
          NICA: 'A1',
          NOMBRE: 'Inventada',
          DIRECCION: 'C/ Sol',
          CP: '41001',
          MUNICIPIO: 'Sevilla',
        },
        geometry: {
          points: [
            [-666_000, 4_490_000],
            [0, 0],
          ],
        },
      },
    ]
    const about = { objectIdField: 'OBJECTID', maxRecordCount: 1000 }
    const loaded = await load(slug, [
      ...layer(slug, about, 1),
      page(slug, { resultOffset: ['0'] }, { geometryType: 'esriGeometryMultipoint', features }),
    ])
    expect(await loaded.record('A1', 'latitude', 'longitude', 'province')).toEqual({
      latitude: 37.364244,
      longitude: -5.98278,
      province: 'Sevilla',
    })

    const definition = templates.find((one) => one.slug === slug) as SourceDefinition
    const failing = await stubWith(
      [
        ...layer(slug, about, 1),
        page(slug, {}, { error: { code: 500, message: 'Error performing query operation' } }),
      ],
      {},
    )
    const [run] = await loaded.registry.load({ definition: at(failing.url, definition) })
    expect(run).toMatchObject({ status: 'failed', reasons: [{ code: 'source_error' }] })
    expect((await loaded.registry.current('ES-AN')).size).toBe(1)
  })

  test('ES-CN: a layer without pages, in the system of the islands', async () => {
    const slug = 'es-cn-farmacias'
    const feature = (OBJECTID: number) => ({
      attributes: {
        OBJECTID,
        codigo: `CN${OBJECTID}`,
        nombre: `Farmacia Inventada ${OBJECTID}`,
        direccion: `Avda. del Mar, ${OBJECTID}`,
        cp: '35001',
        municipio: 'Villaejemplo',
      },
      geometry: { x: 458_000, y: 3_109_000 },
    })
    const about = {
      objectIdField: 'OBJECTID',
      maxRecordCount: 2,
      advancedQueryCapabilities: { supportsPagination: false },
    }
    const loaded = await load(slug, [
      ...layer(slug, about, 3),
      page(
        slug,
        { returnIdsOnly: ['true'] },
        { objectIdFieldName: 'OBJECTID', objectIds: [8, 3, 5] },
      ),
      page(
        slug,
        { where: ['(1=1) AND OBJECTID >= 3 AND OBJECTID <= 5'] },
        { features: [3, 5].map(feature) },
      ),
      page(
        slug,
        { where: ['(1=1) AND OBJECTID >= 8 AND OBJECTID <= 8'] },
        { features: [feature(8)] },
      ),
    ])
    expect(loaded.counts).toEqual({ added: 3, rejected: 0 })
    expect(await loaded.record('CN8', 'latitude', 'longitude', 'province')).toEqual({
      latitude: 28.105833,
      longitude: -15.427582,
      province: 'Las Palmas',
    })
  })
})

test('ES-AR: pages by start and rows, from a server that gives fewer than asked', async () => {
  const slug = 'es-ar-farmacias'
  const item = (n: number) => ({
    id: n,
    title: `Farmacia Inventada ${n}`,
    streetAddress: `Calle Inventada, ${n}`,
    postalCode: '50001',
    locality: 'Villaejemplo',
    lastUpdated: '2024-04-03T10:00:00Z',
    geometry: { type: 'Point', coordinates: [-0.88, 41.65] },
  })
  const page = (start: number, ...ids: number[]): Route => ({
    match: { path: path(slug), query: { start: [String(start)], rows: ['500'] } },
    ...json({ totalCount: 5, start, rows: 2, result: ids.map(item) }),
  })
  const loaded = await load(slug, [page(0, 1, 2), page(2, 3, 4), page(4, 5)])
  expect(loaded.counts).toEqual({ added: 5, rejected: 0 })
  const fields = ['name', 'province', 'latitude', 'longitude', 'official_last_modified_at'] as const
  expect(await loaded.record('5', ...fields)).toEqual({
    name: 'Farmacia Inventada 5',
    province: 'Zaragoza',
    latitude: 41.65,
    longitude: -0.88,
    official_last_modified_at: '2024-04-03T10:00:00.000Z',
  })
})

test('ES-EX: SPARQL results, each value inside an object', async () => {
  const slug = 'es-ex-farmacias'
  const binding = (n: number) => ({
    uri: { type: 'uri', value: `https://portal.example/recurso/Farmacia/${n}-inventada` },
    nombre: { type: 'literal', 'xml:lang': 'es', value: `Farmacia Inventada ${n}` },
    via: { type: 'literal', value: `Calle Inventada, ${n}` },
    cp: { type: 'typed-literal', value: '6001' },
    localidad: { type: 'literal', value: 'Villaejemplo' },
    ...(n === 2
      ? {}
      : {
          lat: { type: 'typed-literal', value: '39.47' },
          long: { type: 'typed-literal', value: '-6.37' },
        }),
  })
  const loaded = await load(slug, [
    {
      match: { path: path(slug), query: { format: ['application/sparql-results+json'] } },
      ...json({ head: { vars: ['uri'] }, results: { bindings: [1, 2].map(binding) } }),
    },
  ])
  expect(loaded.counts).toEqual({ added: 2, rejected: 0 })
  const fields = ['postal_code', 'province', 'latitude', 'longitude'] as const
  expect(await loaded.record('1-inventada', ...fields)).toEqual({
    postal_code: '06001',
    province: 'Badajoz',
    latitude: 39.47,
    longitude: -6.37,
  })
  expect(await loaded.record('2-inventada', 'latitude', 'coordinate_source')).toEqual({
    latitude: null,
    coordinate_source: null,
  })
})

test('ES-AS: JSON made from XML, with strings, lists and empty objects, and entities', async () => {
  const slug = 'es-as-farmacias'
  const farmacia = [
    {
      codigo: 'AS1',
      titular: 'Mar&#237;a Inventada',
      direccion: { calle: 'C/ Ur&iacute;a, 1', cp: '33001' },
      concejo: 'Oviedo',
    },
    {
      codigo: 'AS2',
      titular: ['Ana Inventada', 'Luis Inventado'],
      direccion: { calle: 'Plaza Mayor', cp: {} },
      concejo: 'Gij&#243;n',
    },
    { codigo: 'AS3', titular: {}, direccion: { calle: {}, cp: '33003' }, concejo: {} },
  ]
  const loaded = await load(slug, [
    { match: { path: path(slug) }, ...json({ farmacias: { farmacia } }) },
  ])
  expect(loaded.counts).toEqual({ added: 3, rejected: 0 })
  const fields = ['name', 'address_line', 'postal_code', 'city', 'owner_name'] as const
  expect(await loaded.record('AS1', ...fields)).toEqual({
    name: 'Farmacia María Inventada',
    address_line: 'C/ Uría, 1',
    postal_code: '33001',
    city: 'Oviedo',
    owner_name: 'María Inventada',
  })
  expect(await loaded.record('AS2', ...fields)).toEqual({
    name: 'Farmacia Ana Inventada / Luis Inventado',
    address_line: 'Plaza Mayor',
    postal_code: null,
    city: 'Gijón',
    owner_name: 'Ana Inventada / Luis Inventado',
  })
  expect(await loaded.record('AS3', ...fields)).toEqual({
    name: 'Farmacia',
    address_line: null,
    postal_code: '33003',
    city: null,
    owner_name: null,
  })
})

describe('REGCESS', () => {
  const HEADER = [
    'Tipo\ncentro',
    'Código de Centro Normalizado\nREGCESS (CCN)',
    'Nombre Centro',
    'Código  Comunidad Autónoma',
    'Comunidad Autónoma',
    'Provincia',
    'Municipio',
    'Código tipo\nvía',
    'Nombre de la vía',
    'Número vía',
    'Código Postal',
    'Teléfono',
  ]
  const PER_TERRITORY = 12
  const centre = (type: string, community: number, n: number) => [
    type,
    String(1_000_000_000 + community * 1000 + n),
    `TITULAR INVENTADO ${community}.${n}`,
    community < 10 ? `0${community}` : community,
    'Comunidad',
    'Provincia',
    'Villaejemplo',
    'CL',
    'FALSA',
    n === 1 ? 0 : n,
    28_001,
    '900000000',
  ]
  const book = () =>
    workbookOf([
      HEADER,
      ...range(19).flatMap((community) => [
        ...range(PER_TERRITORY).map((n) => centre('E1 - Farmacias', community, n)),
        centre('E3 - Ópticas', community, 900),
      ]),
    ])
  const national = (slug: string) => bundled.find((one) => one.slug === slug) as SourceDefinition

  test('one workbook serves all 19 territories from one download', async () => {
    const definition = national('regcess')
    const stub = await stubWith(
      [
        {
          match: { path: path('regcess'), query: { tipoListado: ['E'] } },
          reply: { body_file: 'e.xlsx' },
        },
      ],
      { 'e.xlsx': book() },
    )
    const registry = await registryForTest()
    const runs = await registry.load({ definition: at(stub.url, definition), observedAt: OBSERVED })
    expect(runs.map(({ status, counts }) => [status, counts.added])).toEqual(
      range(19).map(() => ['committed', PER_TERRITORY]),
    )
    expect(new Set(runs.map(({ territory_code }) => territory_code)).size).toBe(19)
    expect(stub.requests).toHaveLength(1)
    expect((await registry.current('ES-AN')).get('1000001001')).toMatchObject({
      name: 'Farmacia TITULAR INVENTADO 1.1',
      address_line: 'CL FALSA',
      postal_code: '28001',
      owner_name: 'TITULAR INVENTADO 1.1',
      cnn_code: '1000001001',
    })
    expect(await registry.broken()).toEqual([])
  })

  test('the rest leaves those alone that have a register of their own', async () => {
    const definition = national('regcess-rest')
    const stub = await stubWith(
      [{ match: { path: path('regcess') }, reply: { body_file: 'e.xlsx' } }],
      {
        'e.xlsx': book(),
      },
    )
    const registry = await registryForTest()
    const runs = await registry.load({ definition: at(stub.url, definition), observedAt: OBSERVED })
    expect(runs.map(({ status, counts }) => [status, counts.added, counts.rejected])).toEqual(
      range(15).map(() => ['committed', PER_TERRITORY, 0]),
    )
    const covered = bundled.flatMap(({ enabled, territory }) => (enabled ? (territory ?? []) : []))
    const taken = [...runs.map(({ territory_code }) => territory_code), ...covered]
    expect(new Set(taken).size).toBe(19)
    expect(taken).toHaveLength(19)
  })
})
