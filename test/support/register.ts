import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceDefinition } from '../../src/domain/definition.ts'

/** One pharmacy of an invented register, as its publisher would list it. */
export interface Listed {
  id: string
  name: string
  address: string
  postalCode: string
  city: string
  owner: string
  state: 'A' | 'C'
  latitude: number | null
  longitude: number | null
}

export function aListed(id: string, more: Partial<Listed> = {}): Listed {
  return {
    id,
    name: `Farmacia Inventada ${id}`,
    address: `Calle Inventada ${id}`,
    postalCode: '28001',
    city: 'Villaejemplo',
    owner: `Titular ${id}`,
    state: 'A',
    latitude: 40.4,
    longitude: -3.7,
    ...more,
  }
}

const HEADER = 'codigo;nombre;direccion;cp;municipio;titular;estado;lat;lon'

export function csvOf(register: Iterable<Listed>): string {
  const lines = [...register].map((listed) =>
    [
      listed.id,
      listed.name,
      listed.address,
      listed.postalCode,
      listed.city,
      listed.owner,
      listed.state,
      listed.latitude ?? '',
      listed.longitude ?? '',
    ].join(';'),
  )
  return `${[HEADER, ...lines].join('\n')}\n`
}

/** A definition that reads such files; guards wide open unless given, so that small histories may do anything. */
export function registerDefinition(
  folder: string,
  more: Partial<SourceDefinition> & { territory?: string } = {},
): SourceDefinition {
  const territory = more.territory ?? 'ES-MD'
  return {
    slug: `registro-${territory.toLowerCase()}`,
    territory,
    official: {
      name: `Registro inventado ${territory}`,
      url: 'https://registro.example/farmacias',
    },
    schedule: '0 5 * * *',
    fetch: { kind: 'file', path: './register.csv' },
    decode: { encoding: 'utf-8' },
    parse: { format: 'csv', delimiter: ';' },
    map: {
      external_id: { from: 'codigo' },
      name: { from: 'nombre' },
      address_line: { from: 'direccion' },
      postal_code: { from: 'cp' },
      city: { from: 'municipio' },
      province: { from_postal_code: true },
      owner_name: { from: ['titular'] },
      is_active: { from: 'estado', true: ['A'], false: ['C'] },
    },
    coordinates: { crs: 'EPSG:4326', x: 'lon', y: 'lat' },
    guards: {
      max_removed_ratio: 1,
      max_relocated_ratio: 1,
      max_growth_ratio: 1_000_000,
      floor: 1_000_000,
    },
    version: 1,
    file: join(folder, `${territory}.yaml`),
    ...more,
  }
}

/** Writes a snapshot of the register and returns its path. */
export function writeRegister(folder: string, name: string, register: Iterable<Listed>): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${name}.csv`)
  writeFileSync(path, csvOf(register))
  return path
}
