import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SourceDefinition } from '../../../src/domain/definition.ts'
import { previewSource } from '../../../src/load/preview.ts'
import { readDefinitions } from '../../../src/sources/definitions.ts'
import { aDefinition, aFile, aFolder } from '../sources/made-source.ts'

const AT = '2024-05-01T06:00:00.000Z'

async function previewOf(text: string, definition: SourceDefinition = aDefinition()) {
  return previewSource(definition, {
    folder: await aFolder(),
    file: await aFile(text),
    observedAt: AT,
  })
}

describe('a preview', () => {
  it('shows the columns, the first twenty records and everything that a load would count', async () => {
    const rows = Array.from({ length: 150 }, (_, at) => `F${at};Farmacia ${at}`)
    const preview = await previewOf(`id;nombre\n${[...rows, ';sin código', rows[0]].join('\n')}\n`)
    expect(preview).toMatchObject({ columns: ['id', 'nombre'], filtered: 0, failure: null })
    expect(preview.records.map(({ external_id }) => external_id)).toEqual(
      rows.slice(0, 20).map((row) => row.split(';')[0]),
    )
    expect(preview.territories).toEqual([
      {
        territory_code: 'ES-ZZ',
        reasons: [],
        counts: {
          read: 152,
          rejected: 1,
          duplicates: 1,
          added: 150,
          updated: 0,
          removed: 0,
          unchanged: 0,
        },
      },
    ])
    expect(preview.warnings).toEqual([
      { code: 'row_rejected', count: 1, example: 'no external_id' },
    ])
  })

  it('says why a load would fail, with the columns where it came so far', async () => {
    expect(await previewOf('código;denominación\n1;Uno\n')).toMatchObject({
      columns: ['código', 'denominación'],
      records: [],
      failure: { code: 'missing_column' },
    })
    expect(await previewOf('<!doctype html><html></html>')).toMatchObject({
      columns: [],
      failure: { code: 'unexpected_content' },
    })
    const { territories } = await previewOf('id;nombre\n1;Uno\n;Dos\n')
    expect(territories[0]?.reasons.map(({ code }) => code)).toEqual(['too_many_rejected'])
  })

  it('keeps the first few rejected rows, each with its reason', async () => {
    const definition: SourceDefinition = {
      ...aDefinition(),
      map: {
        external_id: { from: 'id' },
        name: { from: 'nombre' },
        is_active: { from: 'nombre', true: ['A'], false: ['C'] },
      },
    }
    const rows = Array.from({ length: 7 }, (_, at) => `F${at};estado ${at}`)
    const { warnings } = await previewOf(`id;nombre\n${rows.join('\n')}\n`, definition)
    expect(warnings).toEqual([
      {
        code: 'row_rejected',
        count: 7,
        example: 'F0: unknown state "estado 0" in "nombre"',
        examples: [0, 1, 2, 3, 4].map((at) => `F${at}: unknown state "estado ${at}" in "nombre"`),
      },
    ])
  })

  it('judges the territories of one file apart', async () => {
    const { territory: _one, ...rest } = aDefinition()
    const definition: SourceDefinition = {
      ...rest,
      territory_from: { column: 'ca', map: { '7': 'ES-CL', '13': 'ES-MD' } },
      filter: [{ column: 'tipo', op: 'eq', value: 'E1' }],
      guards: { min_rows: 2 },
    }
    const preview = await previewOf(
      'id;nombre;ca;tipo\n1;Uno;07;E1\n2;Dos;13;E1\n3;Tres;13;E1\n4;Cuatro;13;E3\n',
      definition,
    )
    expect(preview.filtered).toBe(1)
    expect(
      preview.territories.map(({ territory_code, counts, reasons }) => [
        territory_code,
        counts.added,
        reasons.map(({ code }) => code),
      ]),
    ).toEqual([
      ['ES-CL', 1, ['below_min_rows']],
      ['ES-MD', 2, []],
    ])
  })
})

const REAL = join(import.meta.dirname, '../../../../shared/data/real')

describe.runIf(existsSync(REAL))('published registers', () => {
  const files = {
    'es-md-oficinas-farmacia': 'es-md_oficinas_farmacia.1.csv',
    'es-ct-catsalut-farmacies': 'es-ct_catsalut_farmacies.1.csv',
    'es-pv-farmacias': 'es-pv_farmaziak.1.geojson',
  }
  it.each(Object.entries(files))('%s shows 20 records without a warning', async (slug, file) => {
    const bundled = await readDefinitions(join(import.meta.dirname, '../../../sources'))
    const definition = bundled.find((one) => one.slug === slug) as SourceDefinition
    const preview = await previewSource(definition, {
      folder: await aFolder(),
      file: join(REAL, file),
      observedAt: AT,
    })
    expect(preview.records).toHaveLength(20)
    expect(preview.warnings).toEqual([])
    expect(preview.territories[0]?.reasons).toEqual([])
  })
})
