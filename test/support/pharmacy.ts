import type { SourceDefinition } from '../../src/domain/definition.ts'
import type { Pharmacy } from '../../src/domain/pharmacy.ts'

/** A record of which a test states only what matters to it. */
export function aPharmacy(fields: Partial<Pharmacy> = {}): Pharmacy {
  return {
    external_id: 'P1',
    name: 'Farmacia Inventada',
    address_line: 'Calle Mayor, 5',
    postal_code: '42001',
    city: 'Soria',
    province: 'Soria',
    territory_code: 'ES-CL',
    latitude: 41.764,
    longitude: -2.468,
    coordinate_source: 'official',
    owner_name: 'Ana Inventada',
    cnn_code: null,
    source_slug: 'prueba',
    official_source_name: 'Registro inventado',
    official_source_url: 'https://registro.example/farmacias',
    official_last_modified_at: null,
    observed_at: '2024-01-02T06:00:00.000Z',
    is_active: true,
    ...fields,
  }
}

/** A definition of which a test states only what matters to it. */
export function aDefinition(fields: Partial<SourceDefinition> = {}): SourceDefinition {
  return {
    slug: 'prueba',
    territory: 'ES-CL',
    official: { name: 'Registro inventado', url: 'https://registro.example/farmacias' },
    schedule: '0 5 * * *',
    fetch: { kind: 'file', path: 'datos.csv' },
    decode: { encoding: 'utf-8' },
    parse: { format: 'csv', delimiter: ';' },
    map: { external_id: { from: 'id' }, name: { from: 'nombre' }, is_active: { const: true } },
    coordinates: null,
    version: 1,
    file: '/definitions/prueba.yaml',
    ...fields,
  }
}
