import { describe, expect, it } from 'vitest'
import { compileNormaliser } from '../../../src/delta/normalise.ts'
import type { SourceDefinition } from '../../../src/domain/definition.ts'
import { LoadFailure } from '../../../src/domain/problem.ts'
import type { Row } from '../../../src/domain/row.ts'
import { warningTally } from '../../../src/domain/run.ts'
import { aDefinition } from '../../support/pharmacy.ts'

const CONTEXT = {
  observedAt: '2024-06-01T06:00:00.000Z',
  datasetModifiedAt: '2024-05-31T00:00:00.000Z',
}

type Map = SourceDefinition['map']
const mapped = (map: Partial<Map>, more: Partial<SourceDefinition> = {}) =>
  aDefinition({ map: { ...aDefinition().map, ...map }, ...more })

/** Judges one row: cells by column name for a table. */
function judgeCells(definition: SourceDefinition, cells: Record<string, string>) {
  return judgeRow(definition, Object.values(cells), Object.keys(cells))
}

function judgeRow(definition: SourceDefinition, row: Row, header: readonly string[] | null) {
  const tally = warningTally()
  const normaliser = compileNormaliser(definition, { header }, CONTEXT)
  const judged = normaliser.judge(row, tally)
  return { judged, warnings: tally.list(), missing: normaliser.missing() }
}

function recordOf(definition: SourceDefinition, cells: Record<string, string>) {
  const { judged } = judgeCells(definition, cells)
  if (judged.kind !== 'record') throw new Error(JSON.stringify(judged))
  return judged.record
}

describe('a row of a table', () => {
  it('becomes a record with every field of the export', () => {
    const definition = mapped({
      address_line: { template: '{via} {calle}, {num}' },
      postal_code: { from: 'cp' },
      city: { from: 'municipio' },
      province: { from_postal_code: true },
      owner_name: { from: ['titular', 'titular2'], join: ' / ', sort: true },
      cnn_code: { from: 'cnn', pad: 6 },
      is_active: { from: 'estado', true: ['A'], false: ['B'] },
      official_last_modified_at: { from: 'fecha', format: 'dd/MM/yyyy' },
    })
    const cells = {
      id: ' 007 ',
      nombre: 'Farmacia\u00a0Uno',
      via: 'Calle',
      calle: 'Mayor',
      num: '5',
      cp: '1001',
      municipio: 'Vitoria-Gasteiz',
      titular: 'Luis',
      titular2: 'Ana',
      cnn: '42',
      estado: 'A',
      fecha: '02/05/2024',
    }
    expect(recordOf(definition, cells)).toEqual({
      external_id: '007',
      name: 'Farmacia Uno',
      address_line: 'Calle Mayor, 5',
      postal_code: '01001',
      city: 'Vitoria-Gasteiz',
      province: 'Araba/Álava',
      territory_code: 'ES-CL',
      latitude: null,
      longitude: null,
      coordinate_source: null,
      owner_name: 'Ana / Luis',
      cnn_code: '000042',
      source_slug: 'prueba',
      official_source_name: 'Registro inventado',
      official_source_url: 'https://registro.example/farmacias',
      official_last_modified_at: '2024-05-02T00:00:00.000Z',
      observed_at: CONTEXT.observedAt,
      is_active: true,
    })
  })

  it('without an id, with an unusable one or an unknown state is rejected, with its id where it can be read', () => {
    const definition = mapped({ is_active: { from: 'estado', true: ['A'], false: ['B'] } })
    const outcome = (id: string, estado: string) =>
      judgeCells(definition, { id, nombre: 'Uno', estado }).judged
    expect(outcome('-', 'A')).toMatchObject({
      kind: 'rejected',
      external_id: null,
      reason: 'no external_id',
    })
    expect(outcome('ñ'.repeat(101), 'A')).toMatchObject({ kind: 'rejected', external_id: null })
    expect(outcome('ñ'.repeat(100), 'A')).toMatchObject({ kind: 'record' })
    expect(outcome('a\u0001b', 'A')).toMatchObject({ kind: 'rejected', external_id: null })
    expect(outcome('7', 'P')).toEqual({
      kind: 'rejected',
      territory_code: 'ES-CL',
      external_id: '7',
      reason: 'unknown state "P" in "estado"',
    })
    expect(outcome('7', '')).toMatchObject({ kind: 'rejected', external_id: '7' })
  })

  it('that is longer than the header is rejected for a value, not for blanks; a short one is padded', () => {
    const header = ['id', 'nombre', 'municipio', '']
    const definition = mapped({ city: { from: 'municipio' } })
    expect(judgeRow(definition, ['1', 'Uno', 'Soria', '', 'sobra'], header).judged).toMatchObject({
      kind: 'rejected',
      external_id: '1',
      reason: '5 cells for 4 columns',
    })
    expect(judgeRow(definition, ['1', 'Uno', 'Soria', '', ' '], header).judged.kind).toBe('record')
    expect(judgeRow(definition, ['1', 'Uno'], header).judged).toMatchObject({
      record: { city: null },
    })
  })

  it('that is the header again is no pharmacy', () => {
    const header = ['id', 'nombre', '']
    expect(judgeRow(aDefinition(), header, header).judged).toMatchObject({
      kind: 'rejected',
      external_id: 'id',
      reason: 'the header again',
    })
    expect(judgeRow(aDefinition(), ['id', 'Farmacia', ''], header).judged.kind).toBe('record')
  })

  it('that is too short is rejected where the definition says so', () => {
    const definition = aDefinition({ parse: { format: 'csv', short_rows: 'reject' } })
    expect(judgeRow(definition, ['1'], ['id', 'nombre', '']).judged).toMatchObject({
      kind: 'rejected',
    })
    expect(judgeRow(definition, ['1', 'Uno'], ['id', 'nombre', '']).judged).toMatchObject({
      kind: 'record',
    })
  })

  it('passes when all filters hold', () => {
    const definition = aDefinition({
      filter: [
        { column: 'tipo', op: 'regex', value: '^E1\\b' },
        { column: 'ccaa', op: 'in', value: ['13', '09'] },
        { column: 'nombre', op: 'not_empty' },
      ],
    })
    const kind = (tipo: string, ccaa: string, nombre = 'Uno') =>
      judgeCells(definition, { id: '1', nombre, tipo, ccaa }).judged.kind
    expect([
      kind('E1 Farmacia', '13'),
      kind('E10', '13'),
      kind('E1', '1'),
      kind('E1', '09', '-'),
    ]).toEqual(['record', 'filtered', 'filtered', 'filtered'])
  })

  it('gets its territory from a code, which may have lost its zeros; an unknown one rejects it', () => {
    const { territory: _, ...rest } = aDefinition()
    const definition: SourceDefinition = {
      ...rest,
      territory_from: { column: 'ca', map: { '09': 'ES-CT', '13': 'ES-MD' } },
    }
    const territory = (ca: string) => judgeCells(definition, { id: '1', nombre: 'Uno', ca }).judged
    expect(territory('9')).toMatchObject({ record: { territory_code: 'ES-CT' } })
    expect(territory('13')).toMatchObject({ record: { territory_code: 'ES-MD' } })
    expect(territory('99')).toEqual({
      kind: 'rejected',
      territory_code: null,
      external_id: '1',
      reason: 'unknown territory code',
    })
  })
})

describe('columns', () => {
  it('are found after folding case, accents, white space and line breaks', () => {
    const definition = mapped({
      external_id: { from: 'Código de centro' },
      city: { from: ['poblacion', 'municipio'] },
    })
    expect(
      recordOf(definition, {
        '\ufeffCODIGO  DE\nCENTRO': '1',
        'NOMBRE ': 'Uno',
        Población: 'Soria',
      }),
    ).toMatchObject({
      external_id: '1',
      name: 'Uno',
      city: 'Soria',
    })
  })

  it('keep their dots and other punctuation', () => {
    expect(
      recordOf(mapped({ postal_code: { from: 'C.P.' } }), {
        id: '1',
        nombre: 'U',
        'C.P.': '42001',
        CP: 'x',
      }),
    ).toMatchObject({
      postal_code: '42001',
    })
  })

  it('that are missing, or there twice, fail the file', () => {
    const compile = (header: string[]) => () =>
      compileNormaliser(aDefinition(), { header }, CONTEXT)
    expect(compile(['id;nombre'])).toThrow(expect.objectContaining({ code: 'missing_column' }))
    expect(compile(['id', 'nombre', 'Nombre '])).not.toThrow()
    expect(compile(['id', 'nombre', 'nombre'])).toThrow(
      expect.objectContaining({ code: 'duplicate_column' }),
    )
    expect(compile(['id', 'Nombre', 'NOMBRE'])).toThrow(LoadFailure)
  })

  it('are read by position whatever they are called', () => {
    const definition = mapped({ name: { from: { index: 2 } } })
    expect(judgeRow(definition, ['1', 'no', 'sí'], ['id', 'n', 'n']).judged).toMatchObject({
      record: { name: 'sí' },
    })
    expect(() => compileNormaliser(definition, { header: ['id', 'n'] }, CONTEXT)).toThrow(
      LoadFailure,
    )
  })
})

describe('a field', () => {
  const name = (rule: Map['name'], cells: Record<string, string>) =>
    recordOf(mapped({ name: rule }), { id: '1', ...cells }).name

  it.each([
    ['{a}, {b}', { a: 'Mayor', b: '5' }, 'Mayor, 5'],
    ['{a}, {b}', { a: 'Mayor', b: '' }, 'Mayor'],
    ['{a}, {b}', { a: 'Mayor', b: '-' }, 'Mayor'],
    ['{a}, {b}', { a: 'Mayor', b: 'S/N' }, 'Mayor, S/N'],
    ['{a}, {b}', { a: 'Mayor', b: 'N/A' }, 'Mayor, N/A'],
    ['{a}, {b}', { a: '', b: '5' }, '5'],
    ['{a}, {b}', { a: '', b: 'null' }, null],
    ['Farmacia {a}', { a: 'Uno', b: '' }, 'Farmacia Uno'],
    ['Farmacia {a}', { a: '', b: '' }, null],
    ['{a} ({b})', { a: 'Mayor', b: '' }, 'Mayor'],
    ['{a} ({b})', { a: 'Mayor', b: 'bajo' }, 'Mayor (bajo)'],
  ])('of template %j with %j is %j', (template, cells, expected) => {
    expect(name({ template }, cells)).toBe(expected)
  })

  it.each([
    [{ from: 'a' }, 'N/A', null],
    [{ from: 'a' }, 'S/N', null],
    [{ from: 'a' }, 'n/a', 'n/a'],
    [{ from: 'a', null_tokens: ['sin datos'] }, 'sin datos', null],
    [{ from: 'a', fallback: { const: 'Farmacia' } }, '', 'Farmacia'],
    [{ template: 'F {a}', fallback: { from: 'a' } }, '-', null],
    [{ from: 'a', upper: true as const }, 'uno', 'UNO'],
    [
      { from: 'a', replace: { regex: '^FARM\\.?\\s*', to: 'Farmacia ' } },
      'FARM. Uno',
      'Farmacia Uno',
    ],
    [{ from: 'a', replace: { regex: '.*', to: '' } }, 'Uno', null],
    [{ from: 'a', pad: 5 }, '12', '00012'],
    [{ from: 'a', pad: 5 }, '-', null],
    [{ from: null }, 'Uno', null],
    [{ const: 'Farmacia' }, 'Uno', 'Farmacia'],
  ])('by %j of %j is %j', (rule, a, expected) => {
    expect(name(rule, { a })).toBe(expected)
  })

  it('takes the definition’s own null tokens instead of the usual ones', () => {
    const definition = mapped({ city: { from: 'c' } }, { null_tokens: ['?'] })
    expect([
      recordOf(definition, { id: '1', nombre: '?', c: 'N/D' }).name,
      recordOf(definition, { id: '1', nombre: '?', c: 'N/D' }).city,
      recordOf(definition, { id: '1', nombre: '?', c: '' }).city,
    ]).toEqual([null, 'N/D', null])
  })
})

describe('a postal code', () => {
  const definition = mapped({
    postal_code: { from: 'cp', null_tokens: ['0'], province_prefixes: ['28', '01'] },
  })
  it.each([
    ['28001', '28001', []],
    ['1001', '01001', []],
    ['0', null, []],
    ['null', null, []],
    ['280', null, ['bad_postal_code']],
    ['00000', null, ['bad_postal_code']],
    ['2800A', null, ['bad_postal_code']],
    ['08001', null, ['bad_postal_code']],
    ['99001', null, ['bad_postal_code']],
  ])('of %j is %j', (cp, postalCode, codes) => {
    const { judged, warnings } = judgeCells(definition, { id: '1', nombre: 'Uno', cp })
    expect(judged).toMatchObject({ record: { postal_code: postalCode } })
    expect(warnings.map(({ code }) => code)).toEqual(codes)
  })
})

describe('the state', () => {
  const active = (fin: string) =>
    judgeCells(mapped({ is_active: { end_date: 'fin', format: 'dd/MM/yyyy' } }), {
      id: '1',
      nombre: 'Uno',
      fin,
    }).judged

  it.each([
    ['', true],
    ['-', true],
    ['03/12/2024', true],
    ['16/02/2020', false],
    ['01/06/2024', false],
    ['02/06/2024', true],
  ])('with end date %j is %j at the snapshot’s instant', (fin, isActive) => {
    expect(active(fin)).toMatchObject({ record: { is_active: isActive } })
  })

  it('is unknown where the end date is none', () => {
    expect(active('pronto')).toMatchObject({
      kind: 'rejected',
      reason: 'end date "pronto" is not dd/MM/yyyy',
    })
  })

  it('may be told by an empty cell, when the definition says so', () => {
    const definition = mapped({ is_active: { from: 'baja', true: [''], false: ['S'] } })
    expect(recordOf(definition, { id: '1', nombre: 'Uno', baja: '-' }).is_active).toBe(true)
  })
})

describe('the date of the dataset', () => {
  it('is stored but is no content', () => {
    const definition = mapped({ official_last_modified_at: { http_header: 'last-modified' } })
    const judge = (datasetModifiedAt: string) => {
      const normaliser = compileNormaliser(
        definition,
        { header: ['id', 'nombre'] },
        { ...CONTEXT, datasetModifiedAt },
      )
      return normaliser.judge(['1', 'Uno'], warningTally())
    }
    const [one, other] = [judge('2024-01-01T00:00:00.000Z'), judge('2024-02-01T00:00:00.000Z')]
    if (one.kind !== 'record' || other.kind !== 'record') throw new Error('rejected')
    expect(one.record.official_last_modified_at).toBe('2024-01-01T00:00:00.000Z')
    expect(one.hash).toBe(other.hash)
  })
})

describe('a record', () => {
  const fields = (values: Record<string, unknown>) => ({ fields: values })

  it('may hold strings, numbers, lists and empty objects in one field', () => {
    const definition = mapped({ city: { from: 'c' } })
    const city = (c: unknown) =>
      judgeRow(definition, fields({ id: 7, nombre: 'Uno', c }), null).judged
    expect(city('Soria')).toMatchObject({ record: { external_id: '7', city: 'Soria' } })
    expect(city({})).toMatchObject({ record: { city: null } })
    expect(city(['Soria'])).toMatchObject({ record: { city: 'Soria' } })
    expect(city(['Donostia', {}, 'San Sebastián'])).toMatchObject({
      record: { city: 'Donostia / San Sebastián' },
    })
    expect(city(null)).toMatchObject({ record: { city: null } })
    expect(city(12)).toMatchObject({ record: { city: '12' } })
  })

  it('is read by path, with the first alternative that gives a value', () => {
    const definition = mapped({ city: { from: [{ path: 'lugar.0.nombre' }, { path: 'sitio' }] } })
    const city = (values: object) =>
      judgeRow(definition, fields({ id: '1', nombre: 'U', ...values }), null).judged
    expect(city({ lugar: [{ nombre: 'Soria' }], sitio: 'x' })).toMatchObject({
      record: { city: 'Soria' },
    })
    expect(city({ lugar: [{ nombre: '' }], sitio: 'Ólvega' })).toMatchObject({
      record: { city: 'Ólvega' },
    })
    expect(city({})).toMatchObject({ record: { city: null } })
  })

  it('may lack a mapped field; only when no record has it the file is refused', () => {
    const definition = mapped({ city: { from: 'Municipio' } })
    const normaliser = compileNormaliser(definition, { header: null }, CONTEXT)
    const tally = warningTally()
    expect(normaliser.missing()).toBeNull()
    normaliser.judge(fields({ id: '1', nombre: 'Uno' }), tally)
    expect(normaliser.missing()).toMatchObject({
      code: 'missing_column',
      message: 'No record has "Municipio"',
    })
    normaliser.judge(fields({ id: '2', NOMBRE: 'Dos', municipio: 'Soria' }), tally)
    expect(normaliser.missing()).toBeNull()
  })

  it('may lack some of the fields that are joined to one value, but not all', () => {
    const definition = mapped({ owner_name: { from: ['titular1', 'titular2'], join: ' / ' } })
    const missingIn = (cells: Record<string, unknown>) => {
      const normaliser = compileNormaliser(definition, { header: null }, CONTEXT)
      normaliser.judge(fields({ id: '1', nombre: 'Uno', ...cells }), warningTally())
      return normaliser.missing()?.message ?? null
    }
    expect(missingIn({ titular1: 'Ana' })).toBeNull()
    expect(missingIn({ titular2: null })).toBeNull()
    expect(missingIn({ titular: 'Ana' })).toBe('No record has "titular1" or "titular2"')
  })
})

describe('a cell that looks encoded twice', () => {
  const cells = { id: '1', nombre: 'FarmÃ¡cia PeÃ±a' }
  it('is kept and counted once', () => {
    const definition = mapped({ owner_name: { from: ['nombre'], join: ' / ' } })
    const { judged, warnings } = judgeCells(definition, cells)
    expect(judged).toMatchObject({ record: { name: 'FarmÃ¡cia PeÃ±a' } })
    expect(warnings).toEqual([{ code: 'mojibake', count: 1, example: '1: FarmÃ¡cia PeÃ±a' }])
  })

  it('is repaired when the definition asks for it', () => {
    const definition = aDefinition({ decode: { encoding: 'utf-8', repair_mojibake: true } })
    const { judged, warnings } = judgeCells(definition, cells)
    expect(judged).toMatchObject({ record: { name: 'Farmácia Peña' } })
    expect(warnings).toEqual([{ code: 'mojibake', count: 1, example: '1: FarmÃ¡cia PeÃ±a' }])
  })
})
