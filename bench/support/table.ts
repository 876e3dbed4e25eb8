import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Setting } from './setting.ts'

/** A register as a CSV file, in two editions that differ in some rows, and the folder with its definition. */
export interface Table {
  sources: string
  slug: string
  territory: string
  records: number
  first: string
  second: string
  /** the second edition with the modification of nothing */
  changed: number
}

const CHANGED_SHARE = 0.002

/** Writes both editions; in the second, 0.2 % of the rows have another address. */
export async function writeTables(setting: Setting, records: number): Promise<Table> {
  const folder = join(setting.folder, `table-${records}`)
  const sources = join(folder, 'sources')
  await mkdir(sources, { recursive: true })
  const changed = Math.round(records * CHANGED_SHARE)
  const first = join(folder, 'first.csv')
  const second = join(folder, 'second.csv')
  await writeTable(first, records, 0)
  await writeTable(second, records, changed)
  await writeFile(join(sources, 'tabla.yaml'), DEFINITION)
  return { sources, slug: 'tabla', territory: 'ES-MD', records, first, second, changed }
}

/** What a load of the first edition is asked for. */
export function firstEdition(table: { sources: string; slug: string; first: string }) {
  const { sources, slug, first: file } = table
  return { sources, slug, file, observedAt: '2024-01-01T06:00:00Z' }
}

export const KEY_COLUMN = 'codigo'

async function writeTable(path: string, rows: number, moved: number): Promise<void> {
  const out = createWriteStream(path)
  out.write(
    `${KEY_COLUMN},nombre,via,numero,cp,municipio,provincia,titular,telefono,longitud,latitud\n`,
  )
  for (let n = 0; n < rows; n++) {
    if (!out.write(rowOf(n, n < moved))) await once(out, 'drain')
  }
  out.end()
  await once(out, 'close')
}

/** Rows of made-up pharmacies; those that differ lie all over the file. */
function rowOf(n: number, isMoved: boolean): string {
  const via = isMoved ? 'Avenida Trasladada' : 'Calle de la Inventada Señora'
  const code = `F${String((n * 7919) % 1_000_003).padStart(7, '0')}${String(Math.floor(n / 1_000_003)).padStart(2, '0')}`
  const longitude = (-3.9 + ((n % 20_000) / 20_000) * 0.5).toFixed(5)
  const latitude = (40.2 + ((n % 9_000) / 9_000) * 0.5).toFixed(5)
  return `${code},Farmacia Inventada ${n},${via},${n % 300},${28_001 + (n % 50)},Villaejemplo de la Sierra ${n % 900},Madrid,Titular Inventado Supuesto ${n},900${String(n).padStart(6, '0')},${longitude},${latitude}\n`
}

const DEFINITION = `slug: tabla
territory: ES-MD
official: { name: Tabla inventada, url: https://registro.example/ }
schedule: "0 5 * * *"
fetch: { kind: file, path: ../first.csv }
decode: { encoding: utf-8 }
parse: { format: csv, delimiter: "," }
map:
  external_id: { from: ${KEY_COLUMN} }
  name: { from: nombre }
  address_line: { template: "{via}, {numero}" }
  postal_code: { from: cp }
  city: { from: municipio }
  province: { from: provincia }
  owner_name: { from: [titular] }
  is_active: { const: true }
coordinates: { crs: EPSG:4326, x: longitud, y: latitud }
version: 1
`
