import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { EXPORT_COLUMNS, type Pharmacy } from '../../../src/domain/pharmacy.ts'
import { csvChunks } from '../../../src/http/csv.ts'
import type { RecordJson } from '../../../src/store/dataset.ts'
import { aPharmacy } from '../../support/pharmacy.ts'

const jsonOf = (record: Pharmacy): RecordJson => {
  const bytes = Buffer.from(JSON.stringify(record))
  return { bytes, start: 0, end: bytes.length }
}

async function* batchesOf(...batches: Pharmacy[][]): AsyncGenerator<RecordJson[]> {
  for (const batch of batches) yield batch.map(jsonOf)
}

async function csvOf(batches: Pharmacy[][], spreadsheet = false): Promise<string> {
  const chunks: string[] = []
  for await (const chunk of csvChunks(batchesOf(...batches), { spreadsheet })) {
    chunks.push(chunk.toString())
    // As its memory is used again.
    chunk.fill(0)
  }
  return chunks.join('')
}

const HEADER =
  'external_id,name,address_line,postal_code,city,province,territory_code,latitude,longitude,' +
  'coordinate_source,owner_name,cnn_code,source_slug,official_source_name,official_source_url,' +
  'official_last_modified_at,observed_at,is_active\r\n'

describe('CSV', () => {
  test('api.md row 43: the first line is the columns of spec 2.1 in order, also when nothing follows', async () => {
    expect(await csvOf([])).toBe(HEADER)
    expect(await csvOf([[], []])).toBe(HEADER)
    expect(await csvOf([], true)).toBe(`\uFEFF${HEADER}`)
  })

  test('api.md row 42, 45: a row is verbatim, CRLF, null empty, booleans and zeros as they are', async () => {
    const row = aPharmacy({ external_id: '0071', postal_code: '01001', name: 'Núñez "La Ñ", 24 h' })
    expect(await csvOf([[row]])).toBe(
      `${HEADER}0071,"Núñez ""La Ñ"", 24 h","Calle Mayor, 5",01001,Soria,Soria,ES-CL,41.764,-2.468,` +
        'official,Ana Inventada,,prueba,Registro inventado,https://registro.example/farmacias,,' +
        '2024-01-02T06:00:00.000Z,true\r\n',
    )
  })

  test('a strict reader gets back what went in, line breaks of every kind included', async () => {
    const names = ['a\rb', 'a\nb', 'a\r\nb', '"', ',', ' padded ', '\r', 'tab\there', 'ñ€😀']
    const rows = names.map((name, i) =>
      aPharmacy({ external_id: `P${i}`, name, is_active: i % 2 === 0 }),
    )
    const read: string[][] = parse(await csvOf([rows.slice(0, 4), rows.slice(4)]), {
      record_delimiter: '\r\n',
    })
    expect(read[0]).toEqual([...EXPORT_COLUMNS])
    expect(read.slice(1)).toEqual(
      rows.map((row) => EXPORT_COLUMNS.map((column) => String(row[column] ?? ''))),
    )
  })

  describe('api.md row 44: cells that a spreadsheet would run', () => {
    const dangerous = ['=1+1', '+34 900', '-x', '@SUM(A1)', '\tx', '\rx']

    test('are verbatim by default', async () => {
      for (const name of dangerous) {
        const [, row] = parse(await csvOf([[aPharmacy({ name })]]), { record_delimiter: '\r\n' })
        expect(row?.[1]).toBe(name)
      }
    })

    test('get an apostrophe with spreadsheet=true; numbers never do', async () => {
      for (const name of dangerous) {
        const text = await csvOf([[aPharmacy({ name, longitude: -3.707293 })]], true)
        expect(text.startsWith('\uFEFFexternal_id,')).toBe(true)
        const [, row] = parse(text, { bom: true, record_delimiter: '\r\n' })
        expect(row?.[1]).toBe(`'${name}`)
        expect(row?.[8]).toBe('-3.707293')
      }
    })

    test('harmless text stays as it is', async () => {
      const [, row] = parse(await csvOf([[aPharmacy({ name: "L'Hospitalet =2" })]], true), {
        bom: true,
      })
      expect(row?.[1]).toBe("L'Hospitalet =2")
    })
  })

  test('rows are pulled batch by batch, never ahead of the reader', async () => {
    let pulled = 0
    const batch = Array.from({ length: 100 }, () => jsonOf(aPharmacy()))
    async function* counted(): AsyncGenerator<RecordJson[]> {
      for (;;) {
        pulled += 1
        yield batch
      }
    }
    const chunks = csvChunks(counted(), { spreadsheet: false })
    expect(pulled).toBe(0)
    const { length } = (await chunks.next()).value as Uint8Array
    const forOne = pulled
    expect(length).toBeLessThan(1_000_000)
    await new Promise(setImmediate)
    expect(pulled).toBe(forOne)
    await chunks.next()
    expect(pulled).toBe(2 * forOne)
    await chunks.return(undefined)
  })
})
