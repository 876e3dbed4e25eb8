import { describe, expect, it } from 'vitest'
import { OperatorError } from '../../../src/domain/problem.ts'
import { checkDefinitions, readDefinitions } from '../../../src/sources/definitions.ts'
import { aFolder, writeFiles } from './made-source.ts'

const SOUND = `
slug: es-zz-inventado
territory: ES-ZZ
official: { name: Registro inventado, url: https://registro.example/ }
schedule: "0 5 * * *"
fetch: { kind: file, path: ../datos.csv }
decode: { encoding: utf-8 }
parse: { format: csv, delimiter: ";" }
map:
  external_id: { from: id }
  name: { from: nombre }
  is_active: { from: estado, true: ["A"], false: ["C"] }
coordinates: null
version: 1
`

/** The mistakes of one definition, made from the sound one by replacing lines. */
async function mistakesOf(...changes: [line: string, instead: string][]): Promise<string[]> {
  let text = SOUND
  for (const [line, instead] of changes) {
    if (!text.includes(line)) throw new Error(`no line ${line}`)
    text = text.replace(line, instead)
  }
  const folder = await aFolder()
  await writeFiles(folder, { 'datos.csv': 'id\n1\n', 'sources/a.yaml': text })
  const { mistakes } = await checkDefinitions(`${folder}/sources`)
  return mistakes.map(({ path, reason }) => `${path}: ${reason}`)
}

const FETCH = 'fetch: { kind: file, path: ../datos.csv }'
const PARSE = 'parse: { format: csv, delimiter: ";" }'
const NAME = 'name: { from: nombre }'
const COORDINATES = 'coordinates: null'

describe('a sound definition', () => {
  it('is read with its file, and true and false as keys need no quotes', async () => {
    const folder = await aFolder()
    await writeFiles(folder, {
      'datos.csv': 'id\n1\n',
      'sources/a.yaml': SOUND,
      'sources/notes.txt': 'x',
    })
    const [definition, ...others] = await readDefinitions(`${folder}/sources`)
    expect(others).toEqual([])
    expect(definition).toMatchObject({
      slug: 'es-zz-inventado',
      file: `${folder}/sources/a.yaml`,
      map: { is_active: { from: 'estado', true: ['A'], false: ['C'] } },
    })
  })

  it('keeps the keys of a territory map as they are written', async () => {
    const folder = await aFolder()
    const text = SOUND.replace(
      'territory: ES-ZZ',
      'territory_from: { column: CA, map: { 09: ES-CT, "13": ES-MD } }',
    )
    await writeFiles(folder, { 'datos.csv': '', 'sources/a.yml': text })
    const [definition] = await readDefinitions(`${folder}/sources`)
    expect(definition?.territory_from?.map).toEqual({ '09': 'ES-CT', '13': 'ES-MD' })
  })
})

describe('mistakes', () => {
  it('are all told at once, one line each with file, path and reason', async () => {
    const folder = await aFolder()
    await writeFiles(folder, {
      'sources/a.yaml': SOUND.replace('delimiter', 'delimeter').replace(
        'version: 1',
        'version: "1"',
      ),
      'sources/b.yaml': 'slug: [',
      'sources/c.yaml': SOUND.replace('ES-ZZ', 'ES-YY').replace('es-zz', 'es-yy'),
    })
    const reading = readDefinitions(`${folder}/sources`)
    await expect(reading).rejects.toBeInstanceOf(OperatorError)
    await expect(reading).rejects.toThrow(
      [
        `${folder}/sources/a.yaml: parse.delimeter: unknown option, did you mean delimiter?`,
        `${folder}/sources/a.yaml: version: must be a whole number, at least 1; it is "1"`,
        `${folder}/sources/b.yaml: line 1: Flow sequence in block collection must be sufficiently indented and end with a ]`,
        `${folder}/sources/c.yaml: fetch.path: there is no file ../datos.csv`,
      ].join('\n'),
    )
  })

  it('of a folder that is not there, or holds no definition', async () => {
    const folder = await aFolder()
    expect((await checkDefinitions(`${folder}/x`)).mistakes).toEqual([
      { file: `${folder}/x`, path: 'folder', reason: 'there is no such folder' },
    ])
    expect((await checkDefinitions(folder)).mistakes).toEqual([
      { file: folder, path: 'folder', reason: 'holds no source definition (*.yaml)' },
    ])
  })

  it('of definitions seen together: a slug and a territory may be taken once', async () => {
    const folder = await aFolder()
    const disabled = `${SOUND.replace('es-zz-inventado', 'es-zz-viejo')}enabled: false\n`
    await writeFiles(folder, {
      'datos.csv': '',
      'sources/a.yaml': SOUND,
      'sources/b.yaml': SOUND,
      'sources/c.yaml': disabled,
    })
    const { definitions, mistakes } = await checkDefinitions(`${folder}/sources`)
    expect(mistakes).toEqual([
      {
        file: `${folder}/sources/b.yaml`,
        path: 'slug',
        reason: 'es-zz-inventado is taken by a.yaml',
      },
      {
        file: `${folder}/sources/b.yaml`,
        path: 'territory',
        reason: 'ES-ZZ is covered by a.yaml too: enable one source for a territory',
      },
    ])
    expect(definitions.map(({ slug }) => slug)).toEqual(['es-zz-inventado', 'es-zz-viejo'])
  })

  it.each<[string, [string, string][], string[]]>([
    [
      'no territory',
      [['territory: ES-ZZ\n', '']],
      ['territory: needs exactly one of territory and territory_from'],
    ],
    [
      'a malformed territory',
      [['ES-ZZ', 'es-zz']],
      ['territory: must be text of the form ^ES-[A-Z]{2}$; it is "es-zz"'],
    ],
    ['a missing part', [['decode: { encoding: utf-8 }\n', '']], ['decode: is missing']],
    [
      'a misspelt value',
      [['encoding: utf-8', 'encoding: utf8']],
      [
        'decode.encoding: must be one of auto, utf-8, iso-8859-1, windows-1252, utf-16le; it is "utf8", did you mean utf-8?',
      ],
    ],
    [
      'a number for text',
      [['true: ["A"]', 'true: [1]']],
      ['map.is_active.true.0: must be text: put 1 in quotes'],
    ],
    [
      'a cron expression with seconds',
      [['"0 5 * * *"', '"0 0 5 * * *"']],
      ['schedule: must be a cron expression of five fields; it is 0 0 5 * * *'],
    ],
    [
      'a cron expression out of range',
      [['"0 5 * * *"', '"61 5 * * *"']],
      ['schedule: must be a cron expression of five fields; it is 61 5 * * *'],
    ],
    [
      'two ways to make a field',
      [[NAME, 'name: { from: nombre, const: Farmacia }']],
      [
        'map.name: needs exactly one of from, template, const, from_postal_code; it has from and const',
      ],
    ],
    [
      'no way to make a field',
      [[NAME, 'name: { upper: true }']],
      ['map.name: needs exactly one of from, template, const, from_postal_code; it has none'],
    ],
    [
      'an id that is not read',
      [['external_id: { from: id }', 'external_id: { from: null }']],
      [
        'map.external_id: must be read from the source: without it no record can be told from another',
      ],
    ],
    [
      'options in the wrong field',
      [[NAME, 'name: { from: nombre, join: "/", province_prefixes: ["28"] }']],
      [
        'map.name.join: needs a list of columns in from',
        'map.name.province_prefixes: makes sense for postal_code only',
      ],
    ],
    [
      'a template without a column',
      [[NAME, 'name: { template: "Farmacia {nombre" }']],
      ['map.name.template: needs columns in braces, as in "{street}, {number}", each pair closed'],
    ],
    [
      'a regular expression that does not compile',
      [[NAME, 'name: { from: nombre, replace: { regex: "(", to: "" } }']],
      ['map.name.replace.regex: Invalid regular expression: /(/u: Unterminated group'],
    ],
    [
      'a date format that is none',
      [
        [
          'is_active: { from: estado, true: ["A"], false: ["C"] }',
          'is_active: { end_date: baja, format: DD/MM/YYYY }',
        ],
      ],
      [
        'map.is_active.format: DD/MM/YYYY is no date format (iso, or yyyy, MM, dd, HH, mm, ss with what stands between)',
      ],
    ],
    [
      'a state rule without its values',
      [['false: ["C"]', 'other: ["C"]']],
      [
        'map.is_active.false: is missing',
        'map.is_active.other: unknown option; known are from, true, false',
      ],
    ],
    [
      'a portal time without a portal',
      [[NAME, `${NAME}\n  official_last_modified_at: { metadata: true }`]],
      ['map.official_last_modified_at.metadata: a source of kind file has no portal that tells it'],
    ],
    [
      'filters that cannot work',
      [
        [
          COORDINATES,
          `${COORDINATES}\nfilter: [ { column: a, op: in, value: x }, { column: a, op: eq }, { column: a, op: regex, value: "[" } ]`,
        ],
      ],
      [
        'filter.0.value: must be a list for in',
        'filter.1.value: is missing; eq needs it',
        'filter.2.value: Invalid regular expression: /[/u: Unterminated character class',
      ],
    ],
    [
      'coordinates without a second axis and with an unknown system',
      [[COORDINATES, 'coordinates: { crs: EPSG:25839, x: lon, bbox: [1, 2, -1, 3] }']],
      [
        expect.stringMatching(
          /^coordinates\.crs: EPSG:25839 is not known, did you mean EPSG:25829\?; known are /,
        ) as unknown as string,
        'coordinates: needs both x and y',
        'coordinates.bbox: must be west, south, east, north in degrees, the smaller before the larger',
      ],
    ],
    [
      'a geometry that the format does not have',
      [[COORDINATES, 'coordinates: { crs: EPSG:4326, geometry: wkt, decimal: ",", group: "," }']],
      [
        'coordinates.column: is missing; wkt must be read from a column where the format is csv',
        'coordinates.group: must differ from decimal',
      ],
    ],
    [
      'an address with a placeholder',
      [[FETCH, 'fetch: { kind: http, url: "{stub}/a.csv" }']],
      ['fetch.url: must be an http or https address; it is {stub}/a.csv'],
    ],
    [
      'another protocol',
      [[FETCH, 'fetch: { kind: http, url: "ftp://a.example/a.csv" }']],
      ['fetch.url: must be an http or https address; it is ftp://a.example/a.csv'],
    ],
    [
      'credentials in an address',
      [[FETCH, 'fetch: { kind: http, url: "https://a:b@c.example/" }']],
      ['fetch.url: must hold no credentials: put them in fetch.headers'],
    ],
    [
      'no place at all',
      [[FETCH, 'fetch: { kind: http }']],
      ['fetch.url: is missing; kind http needs url or discovery'],
    ],
    [
      'options that mean nothing for the kind',
      [
        [
          FETCH,
          'fetch: { kind: file, path: ../datos.csv, url: "https://a.example/", page: { size: 3 } }',
        ],
      ],
      ['fetch.url: makes no sense for kind file', 'fetch.page: makes no sense for kind file'],
    ],
    [
      'a paged source that is no JSON',
      [[FETCH, 'fetch: { kind: ckan, url: "https://a.example/" }']],
      ['parse.format: kind ckan gives JSON: json, geojson or esri, not csv'],
    ],
    [
      'options that mean nothing for the format',
      [[PARSE, 'parse: { format: xml, delimiter: ";", header_row: 2 }']],
      [
        'parse.delimiter: makes no sense for format xml',
        'parse.header_row: makes no sense for format xml',
        'parse.record_path: is missing; format xml needs it',
      ],
    ],
    [
      'a record path that is none',
      [[PARSE, 'parse: { format: xml, record_path: row }']],
      ['parse.record_path: must be //name or /root/…/name'],
    ],
    [
      'a delimiter that is the quote',
      [[PARSE, `parse: { format: csv, delimiter: '"' }`]],
      ['parse.delimiter: must differ from quote'],
    ],
    [
      'a callback around a table',
      [['encoding: utf-8', 'encoding: utf-8, jsonp: true']],
      ['decode.jsonp: makes no sense for format csv'],
    ],
    [
      'a file outside',
      [[FETCH, 'fetch: { kind: file, path: ../../datos.csv }']],
      ['fetch.path: leaves the folder of the definitions: ../../datos.csv'],
    ],
    [
      'an absolute file',
      [[FETCH, 'fetch: { kind: file, path: /etc/hosts }']],
      ['fetch.path: must be relative to the definition'],
    ],
    [
      'a certificate file that is not there',
      [[FETCH, 'fetch: { kind: http, url: "https://a.example/", ca_file: ../ca.pem }']],
      ['fetch.ca_file: there is no file ../ca.pem'],
    ],
    [
      'a repeated option',
      [['version: 1', 'version: 1\nversion: 2']],
      ['line 15: Map keys must be unique'],
    ],
  ])('%s', async (_, changes, expected) => {
    expect(await mistakesOf(...changes)).toEqual(expected)
  })
})
