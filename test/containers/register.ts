import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DEFINITION = `slug: registro-inventado
territory: ES-AR
official:
  name: Registro inventado
  url: https://registro.example/farmacias
schedule: "0 5 * * *"
fetch: { kind: file, path: ./register.csv }
decode: { encoding: utf-8 }
parse: { format: csv, delimiter: ";" }
map:
  external_id: { from: codigo }
  name: { from: nombre }
  city: { from: municipio }
  is_active: { from: estado, true: [A], false: [C] }
coordinates: { crs: "EPSG:4326", x: lon, y: lat }
version: 1
`
const REGISTER =
  'codigo;nombre;municipio;estado;lat;lon\n1;Farmacia Inventada;Villaejemplo;A;41.6;-0.9\n'

/** A register of one pharmacy, for the loader to find. */
export function placeRegister(folder: string): void {
  writeFileSync(join(folder, 'es-ar.yaml'), DEFINITION)
  writeFileSync(join(folder, 'register.csv'), REGISTER)
}
