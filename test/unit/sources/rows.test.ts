import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Parse } from '../../../src/domain/definition.ts'
import { readDefinitions } from '../../../src/sources/definitions.ts'
import { columnsOf, openRows } from '../../../src/sources/rows.ts'
import { aDefinition, aFile, aZip, failure, failureText, readAll, readText } from './made-source.ts'

const csv = (parse: Partial<Parse> = {}): { parse: Parse } => ({
  parse: { format: 'csv', delimiter: ';', ...parse },
})

describe('csv', () => {
  it('reads quotes, escaped quotes, and line breaks inside them', async () => {
    const text = '"Código de\r\ncentro";nombre\r\n"1";"Calle ""Mayor""; 3"\r\n2;"dos\r\nlíneas"\r\n'
    expect(await readText(text)).toEqual({
      header: ['Código de\ncentro', 'nombre'],
      rows: [
        ['1', 'Calle "Mayor"; 3'],
        ['2', 'dos\nlíneas'],
      ],
    })
  })

  it('reads all line ends, also mixed, and skips blank lines', async () => {
    const { rows } = await readText('id;n\r\n1;a\r\r\n\n2;b\n   \n3;c')
    expect(rows).toEqual([
      ['1', 'a'],
      ['2', 'b'],
      ['3', 'c'],
    ])
  })

  it('passes short and long rows on, but no surplus blanks', async () => {
    const { header, rows } = await readText('id;n;x;\n1;a\n2;b;c;d\n3;b;c;\n4;b;c;;\n')
    expect(header).toEqual(['id', 'n', 'x'])
    expect(rows).toEqual([
      ['1', 'a'],
      ['2', 'b', 'c', 'd'],
      ['3', 'b', 'c'],
      ['4', 'b', 'c'],
    ])
  })

  it('leaves repeated names to whoever maps them', async () => {
    expect((await readText('id;n;n\n1;a;b\n')).header).toEqual(['id', 'n', 'n'])
  })

  it('takes its header from the definition, and leaves the first lines out', async () => {
    const text = 'Listado de farmacias\nFecha: hoy\n1;a\n2;b\n'
    expect(await readText(text, csv({ header: ['id', 'n'], skip_lines: 2 }))).toEqual({
      header: ['id', 'n'],
      rows: [
        ['1', 'a'],
        ['2', 'b'],
      ],
    })
    expect((await readText(`${text}`, csv({ skip_lines: 2 }))).header).toEqual(['1', 'a'])
  })

  it('takes a quote for a character like any other where there is no quoting', async () => {
    const { rows } = await readText('id;n\n1;"19" pulgadas\n2;"\n', csv({ quote: null }))
    expect(rows).toEqual([
      ['1', '"19" pulgadas'],
      ['2', '"'],
    ])
  })

  it('reads other delimiters and quotes', async () => {
    const { rows } = await readText("id\tn\n1\t'a\tb'\n", csv({ delimiter: '\t', quote: "'" }))
    expect(rows).toEqual([['1', 'a\tb']])
  })

  it('keeps quotes inside a cell that does not begin with one', async () => {
    expect((await readText('id;n\n1;Calle "X" 3\n')).rows).toEqual([['1', 'Calle "X" 3']])
  })

  it.each([
    ['never closed', 'id;n\n1;"abierta\n2;b\n3;c\n'],
    ['closed rows later, with the right number of cells', 'id;n;x\n1;"abierta;x\n2;b;x\n3;"b";x\n'],
  ])('fails when a quote is %s', async (_, text) => {
    expect(await failure(readText(text))).toBe('incomplete_record')
  })

  it('a last line without a line break that is shorter than all others is cut', async () => {
    const whole = 'id;nombre;ciudad;tel\n1;Uno;Villaejemplo;600\n2;Dos;Villaejemplo;'
    const cut = whole.slice(0, -3)
    expect(await failureText(readText(cut, csv({})))).toBe(
      'incomplete_record: The last line does not end in a line break and has 3 cells where all others have 4: the file is cut.',
    )
    expect((await readText(whole, csv({}))).rows).toHaveLength(2)
    expect((await readText(`${cut}\n`, csv({}))).rows).toHaveLength(2)
    // The publisher leaves empty cells at the end of a line out.
    expect((await readText(cut.replace(';600', ''), csv({}))).rows).toHaveLength(2)
    expect((await readText(cut, csv({ final_newline: 'optional' }))).rows).toHaveLength(2)
  })

  it('fails without its final line break only where that is required', async () => {
    const text = 'id;n\n1;a\n2;b'
    expect((await readText(text)).rows).toHaveLength(2)
    expect(await failure(readText(text, csv({ final_newline: 'required' })))).toBe(
      'incomplete_record',
    )
    expect((await readText(`${text}\r\n`, csv({ final_newline: 'required' }))).rows).toHaveLength(2)
  })

  it.each([
    ['nothing', '', 'empty_dataset'],
    ['a web page', '\n<!DOCTYPE html><html></html>', 'unexpected_content'],
    ['a web page without a document type', '<HTML><body>', 'unexpected_content'],
    ['an XHTML page', '<?xml version="1.0"?>\n<!-- x --><html/>', 'unexpected_content'],
    ['a PDF', '%PDF-1.7 …', 'unexpected_content'],
    ['an error object', '{"error":{"message":"no"}}', 'source_error'],
  ])('fails on %s', async (_, text, code) => {
    expect(await failure(readText(text))).toBe(code)
  })

  it('reads rows that lie across the borders of chunks', async () => {
    const lines = Array.from(
      { length: 30_000 },
      (_, id) => `${id};"Farmàcia ${id}";${'x'.repeat(id % 17)}\r\n`,
    )
    const { rows } = await readText(`id;n;x\r\n${lines.join('')}`)
    const wrong = rows.filter(
      (row, id) =>
        !('fields' in row) && row.join('|') !== `${id}|Farmàcia ${id}|${'x'.repeat(id % 17)}`,
    )
    expect([rows.length, wrong]).toEqual([30_000, []])
  })

  it('comes in batches, and leaves nothing open when left early', async () => {
    const file = await aFile(`id;n\n${'1;Farmacia Inventada\n'.repeat(20_000)}`)
    const reader = await openRows(aDefinition(), file)
    const sizes: number[] = []
    for await (const batch of reader.batches) sizes.push(batch.length)
    expect(sizes.reduce((sum, size) => sum + size)).toBe(20_000)
    expect(Math.max(...sizes)).toBeLessThan(10_000)
    for await (const _ of reader.batches) break
    await (await open(file, 'r+')).close()
    expect(await columnsOf(reader)).toEqual(['id', 'n'])
  })
})

describe('json', () => {
  const json = (parse: Partial<Parse> = {}): { parse: Parse } => ({
    parse: { format: 'json', ...parse },
  })
  const fields = (rows: readonly object[]) => rows.map((row) => 'fields' in row && row.fields)

  it('reads a list that is the document, or at a path', async () => {
    const whole = ' [{"id":"1"},{"id":"2"}]\n'
    expect(fields((await readText(whole, json())).rows)).toEqual([{ id: '1' }, { id: '2' }])
    expect(await readText(whole, json({ records_path: '$' }))).toEqual(
      await readText(whole, json()),
    )
    const text =
      '{"a":{"x":[{"id":"0"}],"b":[{"id":"1","n":{"m":[1,null]}}],"c":3},"b":[{"id":"9"}]}'
    expect(fields((await readText(text, json({ records_path: 'a.b' }))).rows)).toEqual([
      { id: '1', n: { m: [1, null] } },
    ])
  })

  it('never rounds a code, and leaves other numbers numbers', async () => {
    const text =
      '[{"id":12345678901234567890,"cp":1001,"alt":"007","x":-3.70,"big":1e3,"neg":-9007199254740993}]'
    expect(fields((await readText(text, json())).rows)).toEqual([
      {
        id: '12345678901234567890',
        cp: 1001,
        alt: '007',
        x: -3.7,
        big: 1000,
        neg: '-9007199254740993',
      },
    ])
  })

  it('takes every value from value_path, as SPARQL has it', async () => {
    const text =
      '{"results":{"bindings":[{"id":{"type":"literal","value":"1"},"n":{"type":"literal"}}]}}'
    const { rows } = await readText(
      text,
      json({ records_path: 'results.bindings', value_path: 'value' }),
    )
    expect(fields(rows)).toEqual([{ id: '1', n: null }])
  })

  it('passes on records that are no objects, for the rows to be judged', async () => {
    expect(fields((await readText('[["1","a"],null,"x"]', json())).rows)).toEqual([
      { 0: '1', 1: 'a' },
      {},
      {},
    ])
  })

  it('reads what a callback wraps, also where the name has dots and a comment stands first', async () => {
    const wrapped = { ...json(), decode: { jsonp: true } }
    for (const text of [
      'cb( [{"id":"(1);"}] );\n',
      '/**/a.b.c([{"id":"(1);"}])',
      '[{"id":"(1);"}]',
    ]) {
      expect(fields((await readText(text, wrapped)).rows)).toEqual([{ id: '(1);' }])
    }
    expect(await failure(readText('cb([{"id":"1"}]', wrapped))).toBe('incomplete_record')
  })

  it.each([
    ['a document cut in a record', '[{"id":"1"},{"id":', 'incomplete_record'],
    ['a document cut after a record', '[{"id":"1"}', 'incomplete_record'],
    ['nothing', '', 'incomplete_record'],
    ['text that is no JSON', '[{"id":1,,}]', 'unexpected_content'],
    ['more after the end', '[{"id":"1"}] y más', 'unexpected_content'],
    ['a web page', '<html><body>', 'unexpected_content'],
    ['an object instead of a list', '{"total":0}', 'records_path_missing'],
    ['an error object', '{"error":{"code":500,"message":"interno"}}', 'source_error'],
    ['an error flag', '{"error":true,"message":"interno"}', 'source_error'],
    ['a list of errors', '{"errors":[{"detail":"interno"}]}', 'source_error'],
    ['no success', '{"success":false}', 'source_error'],
  ])('fails on %s', async (_, text, code) => {
    expect(await failure(readText(text, json()))).toBe(code)
  })

  it('fails on an error that stands beside a list', async () => {
    const at = json({ records_path: 'r' })
    expect(await failure(readText('{"r":[{"id":"1"}],"error":"parcial"}', at))).toBe('source_error')
    expect(
      (await readText('{"error":null,"r":[{"id":"1"}],"error_code":0}', at)).rows,
    ).toHaveLength(1)
    expect(await failureText(readText('{"rows":[]}', at))).toBe(
      'records_path_missing: The answer has no list at r.',
    )
  })

  it('knows the fields of its records', async () => {
    const reader = await openRows(aDefinition(json()), await aFile('[{"a":1},{"b":2,"a":3}]'))
    expect(await columnsOf(reader)).toEqual(['a', 'b'])
  })

  it('knows the fields of the first thousand, however large they are', async () => {
    const filler = 'x'.repeat(200)
    const records = Array.from({ length: 1001 }, (_, n) => ({
      filler,
      ...(n === 999 ? { late: 1 } : {}),
      ...(n === 1000 ? { later: 1 } : {}),
    }))
    const reader = await openRows(aDefinition(json()), await aFile(JSON.stringify(records)))
    expect(await columnsOf(reader)).toEqual(['filler', 'late'])
  })
})

describe('features', () => {
  it('of GeoJSON become fields and a geometry', async () => {
    const text = JSON.stringify({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 1,
          properties: { id: '010073' },
          geometry: { type: 'Point', coordinates: [-2.5, 42.4] },
        },
        { type: 'Feature', properties: null, geometry: null },
      ],
    })
    expect((await readText(text, { parse: { format: 'geojson' } })).rows).toEqual([
      { fields: { id: '010073' }, geometry: { type: 'Point', coordinates: [-2.5, 42.4] } },
      { fields: {}, geometry: null },
    ])
  })

  it('of Esri become fields and a geometry', async () => {
    const text =
      '{"features":[{"attributes":{"ID":"1"},"geometry":{"points":[[-668000,4494000]]}}]}'
    expect((await readText(text, { parse: { format: 'esri' } })).rows).toEqual([
      { fields: { ID: '1' }, geometry: { points: [[-668000, 4494000]] } },
    ])
  })

  it('that are not there fail', async () => {
    expect(
      await failure(readText('{"type":"FeatureCollection"}', { parse: { format: 'geojson' } })),
    ).toBe('records_path_missing')
  })
})

describe('xml', () => {
  const xml = (record_path: string): { parse: Parse } => ({ parse: { format: 'xml', record_path } })

  it('reads elements, attributes, nested and repeated elements', async () => {
    const text = `<?xml version="1.0"?><x:raíz xmlns:x="urn:x"><row>fuera</row><lista>
      <x:row id="1" x:tipo="F"><nombre lang="es">A &amp; B &#241;</nombre><via><tipo>CL</tipo><num n="3"/></via>
      <titular>Uno</titular><titular>Dos</titular><nota><![CDATA[<b>]]></nota></x:row></lista></x:raíz>`
    expect((await readText(text, xml('/raíz/lista/row'))).rows).toEqual([
      {
        fields: {
          id: '1',
          tipo: 'F',
          nombre: 'A & B ñ',
          'nombre@lang': 'es',
          via: { tipo: 'CL', num: '', 'num@n': '3' },
          titular: ['Uno', 'Dos'],
          nota: '<b>',
        },
      },
    ])
  })

  it('finds records anywhere, at a path or below a parent', async () => {
    const text = '<a><b><row><id>1</id></row></b><c><row><id>2</id></row></c></a>'
    const ids = async (path: string) =>
      (await readText(text, xml(path))).rows.map((row) => 'fields' in row && row.fields.id)
    expect([await ids('//row'), await ids('/a/b/row'), await ids('//c/row')]).toEqual([
      ['1', '2'],
      ['1'],
      ['2'],
    ])
  })

  it.each([
    ['a document cut in an element', '<a><row><id>1</id></row><row><i', 'incomplete_record'],
    ['a document cut between elements', '<a><row><id>1</id></row>', 'incomplete_record'],
    ['elements that do not match', '<a><row></id></row></a>', 'unexpected_content'],
    [
      'a document type',
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hosts">]><a><row><id>&x;</id></row></a>',
      'unexpected_content',
    ],
    ['a web page', '<!DOCTYPE html><html></html>', 'unexpected_content'],
    ['JSON', '{"a":1}', 'unexpected_content'],
    ['no record', '<a><fila/></a>', 'records_path_missing'],
    ['an error document', '<ServiceExceptionReport><x/></ServiceExceptionReport>', 'source_error'],
  ])('fails on %s', async (_, text, code) => {
    expect(await failure(readText(text, xml('//row')))).toBe(code)
  })
})

describe('xlsx', () => {
  const cell = (reference: string, value: string, attributes = '') =>
    `<c r="${reference}" ${attributes}><v>${value}</v></c>`
  const inline = (reference: string, text: string) =>
    `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`
  const workbook = (rows: string, entries: Record<string, string> = {}) =>
    aZip({
      'xl/workbook.xml': `<workbook xmlns:r="r"><sheets><sheet name="Notas" r:id="rId2"/><sheet name="Listado" r:id="rId1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Target="worksheets/uno.xml"/><Relationship Id="rId2" Target="/xl/worksheets/dos.xml"/></Relationships>`,
      'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm"/><numFmt numFmtId="165" formatCode="0.0&quot;d&quot;"/></numFmts>
        <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
      'xl/sharedStrings.xml':
        '<sst><si><t>Calle</t></si><si><r><t>San</t></r><r><t xml:space="preserve"> José</t></r><rPh><t>no</t></rPh></si></sst>',
      'xl/worksheets/uno.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      'xl/worksheets/dos.xml': `<worksheet><sheetData><row r="1">${inline('A1', 'nota')}</row></sheetData></worksheet>`,
      ...entries,
    })
  const xlsx = (parse: Partial<Parse> = {}): { parse: Parse } => ({
    parse: { format: 'xlsx', sheet: 'Listado', ...parse },
  })
  const ROWS = `<row r="1">${inline('A1', 'Código\nde centro')}${inline('B1', 'vía')}${inline('D1', 'cp')}</row>
    <row r="2">${cell('A2', '1000000001')}${cell('B2', '0', 't="s"')}${cell('D2', '28001.0')}</row>
    <row r="3"/><row r="4">${cell('A4', '007', 't="str"')}${cell('B4', '1', 't="s"')}</row>`

  it('reads shared, inline and plain cells as text, in their columns', async () => {
    expect(await readText(workbook(ROWS), xlsx())).toEqual({
      header: ['Código\nde centro', 'vía', '', 'cp'],
      rows: [
        ['1000000001', 'Calle', '', '28001'],
        ['007', 'San José'],
      ],
    })
  })

  it('reads dates, truth values and errors as text', async () => {
    const rows = `<row>${inline('A1', 'x')}</row><row>${cell('A2', '45292', 's="1"')}</row><row>${cell('A3', '45292.5', 's="2"')}</row>
      <row>${cell('A4', '1.50', 's="3"')}</row><row>${cell('A5', '1', 't="b"')}</row><row><c t="e"><v>#N/A</v></c><c><v>1.0E3</v></c></row>
      <row>${cell('A7', '12345678901234567890')}</row>`
    expect((await readText(workbook(rows), xlsx())).rows).toEqual([
      ['2024-01-01'],
      ['2024-01-01T12:00:00'],
      ['1.5'],
      ['true'],
      ['', '1000'],
      ['12345678901234567890'],
    ])
  })

  it('chooses the sheet by number or name, and its header by row', async () => {
    expect((await readText(workbook(ROWS), { parse: { format: 'xlsx' } })).header).toEqual(['nota'])
    expect((await readText(workbook(ROWS), xlsx({ sheet: 1, header_row: 4 }))).header).toEqual([
      '007',
      'San José',
    ])
    expect(await failureText(readText(workbook(ROWS), xlsx({ sheet: 'Hoja3' })))).toBe(
      'records_path_missing: The workbook has no sheet Hoja3; it has Notas, Listado.',
    )
  })

  it('may come inside a zip', async () => {
    const outer = aZip({ 'leame.txt': 'x' })
    expect(await failure(readText(outer, xlsx()))).toBe('unexpected_content')
    const fetch = { kind: 'file', path: 'x', unzip: { entry: 'no.xlsx' } } as const
    expect(await failureText(readText(outer, { ...xlsx(), fetch }))).toBe(
      'unexpected_content: The zip archive has no entry no.xlsx; it has leame.txt.',
    )
    const wrapped = aZip({ 'leame.txt': 'x', 'no.xlsx': workbook(ROWS) })
    expect((await readText(wrapped, { ...xlsx(), fetch })).rows).toHaveLength(2)
    expect((await readText(gzipSync(workbook(ROWS)), xlsx())).rows).toHaveLength(2)
  })

  it.each([
    ['a cut one', workbook(ROWS).subarray(0, -40), 'truncated_body'],
    ['a web page', Buffer.from('<!doctype html><html>'), 'unexpected_content'],
    ['something else', Buffer.from('id;n\n1;a\n'), 'unexpected_content'],
    ['a cut sheet', workbook('<row r="1"><c'), 'unexpected_content'],
  ])('fails on %s', async (_, content, code) => {
    expect(await failure(readText(content, xlsx()))).toBe(code)
  })
})

describe('packed files', () => {
  const TEXT = `id;nombre\n${'1;Farmacia Inventada\n'.repeat(500)}`
  const unzip = { fetch: { kind: 'file', path: 'x', unzip: { entry: 'datos/a.csv' } } } as const

  it('are unpacked: gzip by itself, a zip by its entry', async () => {
    expect((await readText(gzipSync(TEXT))).rows).toHaveLength(500)
    expect(
      (await readText(aZip({ 'leame.txt': 'x', 'datos/a.csv': TEXT }), unzip)).rows,
    ).toHaveLength(500)
  })

  it('fail when cut, damaged, or not what they should be', async () => {
    expect(await failure(readText(gzipSync(TEXT).subarray(0, -5)))).toBe('truncated_body')
    const zip = aZip({ 'datos/a.csv': TEXT })
    expect(await failure(readText(zip.subarray(0, -30), unzip))).toBe('truncated_body')
    const damaged = Buffer.from(zip)
    damaged.writeUInt32LE(1, 14)
    damaged.writeUInt32LE(1, zip.length - 22 - 46 - 11 + 16)
    expect(await failure(readText(damaged, unzip))).toBe('truncated_body')
    expect(await failure(readText(TEXT, unzip))).toBe('unexpected_content')
    expect(await failureText(readText(zip))).toBe(
      'unexpected_content: A zip archive arrived: name one of its entries in fetch.unzip.entry (datos/a.csv).',
    )
  })

  it('may not unpack to more than max_bytes', async () => {
    const fetch = { kind: 'file', path: 'x', max_bytes: 5000 } as const
    expect(await failure(readText(gzipSync(TEXT), { fetch }))).toBe('too_large')
    expect(
      await failure(
        readText(aZip({ 'datos/a.csv': TEXT }), { fetch: { ...unzip.fetch, max_bytes: 5000 } }),
      ),
    ).toBe('too_large')
  })
})

const REAL = '../shared/data/real'
describe.runIf(existsSync(REAL))('published registers', () => {
  it.each([
    ['es-md-oficinas-farmacia', 2928],
    ['es-ct-catsalut-farmacies', 3257],
    ['es-pv-farmacias', 842],
  ])('%s has %i rows', async (slug, count) => {
    const definition = (await readDefinitions(`${REAL}/sources`)).find(
      (known) => known.slug === slug,
    )
    if (!definition) throw new Error(`no definition ${slug}`)
    const { rows } = await readAll(definition, `${REAL}/sources/${definition.fetch.path}`)
    expect(rows).toHaveLength(count)
  })
})
