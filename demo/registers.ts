import proj4 from 'proj4'
import type { DemoPharmacy, Story } from './history.ts'
import { BASQUE_COUNTRY, CATALONIA, MADRID, MURCIA, NAVARRE } from './municipalities.ts'
import type { Holder } from './people-and-streets.ts'

/** A register: its story, and how it writes a snapshot down. The formats are those that the real ones publish. */
export interface Register {
  slug: string
  extension: string
  story: Story
  /** minutes after 05:00 UTC at which it is fetched */
  minute: number
  write(pharmacies: readonly DemoPharmacy[]): Uint8Array
}

const UTM_30 = '+proj=utm +zone=30 +ellps=GRS80 +units=m +no_defs'

/** Semicolons, ISO-8859-1, CRLF, whole metres of UTM zone 30; neither postal code nor state. */
const madrid: Register = {
  slug: 'demo-es-md',
  extension: 'csv',
  story: { municipalities: MADRID, pharmacies: 260, hasState: false },
  minute: 15,
  write(pharmacies) {
    const header =
      'farmacia_nro_soe;titular_nombre;direccion_vial_tipo;direccion_vial_nombre;direccion_vial_nro;' +
      'municipio_nombre;localizacion_coordenada_x;localizacion_coordenada_y'
    const rows = pharmacies.map((pharmacy) => {
      const [x, y] = metres(pharmacy)
      const type = ['CALLE', 'AVDA', 'PLAZA', 'PASEO'][pharmacy.streetType]
      const street = pharmacy.isRespelt
        ? `DEL ${pharmacy.street.toUpperCase()}`
        : `del ${pharmacy.street}`
      const holder = pharmacy.holders
        .map(({ first, surnames }) => `${first} ${surnames}`)
        .join(' / ')
      return [
        pharmacy.number,
        holder,
        type,
        street,
        pharmacy.houseNumber,
        pharmacy.municipality.name,
        x,
        y,
      ].join(';')
    })
    return Buffer.from([header, ...rows, ''].join('\r\n'), 'latin1')
  },
}

/** Commas, UTF-8, CRLF, the street in three columns, capitals; no coordinates, no state. */
const catalonia: Register = {
  slug: 'demo-es-ct',
  extension: 'csv',
  story: { municipalities: CATALONIA, pharmacies: 220, hasState: false },
  minute: 30,
  write(pharmacies) {
    const header =
      'Codi farm,Oficina de farmàcia,Tipus via,Nom via,Núm. Via,Municipi,CP,ABS,Telèfon'
    const rows = pharmacies.map((pharmacy) => {
      const { municipality, postalCode, firstPostalCode, number } = pharmacy
      const type = ['CR', 'AV', 'PL', 'PG'][pharmacy.streetType]
      const street = pharmacy.isRespelt ? pharmacy.street : pharmacy.street.toUpperCase()
      const holder = pharmacy.holders
        .map(({ first, surnames }) => `${surnames}. ${first}`.toUpperCase())
        .join('/')
      const code = `F${firstPostalCode.slice(0, 2)}${String(number).padStart(6, '0')}`
      return [
        code,
        holder,
        type,
        street,
        pharmacy.houseNumber,
        municipality.name,
        postalCode,
        '',
        phone(number),
      ].join(',')
    })
    return Buffer.from([header, ...rows, ''].join('\r\n'), 'utf8')
  },
}

/** GeoJSON in degrees; keys that are absent instead of null, two-language names, a second holder; no state. */
const basqueCountry: Register = {
  slug: 'demo-es-pv',
  extension: 'geojson',
  story: { municipalities: BASQUE_COUNTRY, pharmacies: 140, hasState: false },
  minute: 45,
  write(pharmacies) {
    const features = pharmacies.map((pharmacy, index) => {
      const { latitude, longitude, municipality, postalCode, number } = pharmacy
      const type = ['Kalea/Calle', 'Etorbidea/Avenida', 'Plaza/Plaza', 'Pasealekua/Paseo'][
        pharmacy.streetType
      ]
      const street = pharmacy.isRespelt ? pharmacy.street.toUpperCase() : pharmacy.street
      const [titular1, titular2] = pharmacy.holders.map(surnamesFirst)
      return {
        id: index + 1,
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
        properties: {
          titular1,
          ...(titular2 && { titular2 }),
          idif: String(number).padStart(6, '0'),
          direccion: `${street} ${type} ${pharmacy.houseNumber}`,
          municipio: municipality.name,
          cp: postalCode,
          provincia: municipality.province,
          telefono: phone(number),
          longitude,
          latitude,
        },
      }
    })
    return json({ type: 'FeatureCollection', name: 'Euskadiko farmaziak', features })
  },
}

/** A CKAN data store's JSON: all values text, a column with dots, degrees and UTM metres in one pair of columns; a state. */
const murcia: Register = {
  slug: 'demo-es-mc',
  extension: 'json',
  story: { municipalities: MURCIA, pharmacies: 120, hasState: true },
  minute: 20,
  write(pharmacies) {
    const records = pharmacies.map((pharmacy, index) => {
      const { municipality, postalCode, number } = pharmacy
      const isMetres = number % 9 === 0
      const [x, y] = isMetres ? metres(pharmacy) : [pharmacy.longitude, pharmacy.latitude]
      const type = ['C/', 'Av.', 'Pza.', 'Paseo'][pharmacy.streetType]
      const street = pharmacy.isRespelt
        ? `${pharmacy.street.toUpperCase()},`
        : `${pharmacy.street},`
      const holders = pharmacy.holders
        .map(({ first, surnames }) => `${first} ${surnames}`)
        .join(' / ')
      return {
        _id: index + 1,
        Codigo: `MU-${String(number).padStart(4, '0')}`,
        Nombre: `FARMACIA ${pharmacy.holders[0]?.surnames.toUpperCase()}`,
        Titular: holders,
        Direccion: `${type} ${street} ${pharmacy.houseNumber}`,
        Municipio: municipality.name,
        'C.P.': postalCode,
        Latitud: String(y),
        Longitud: String(x),
        Estado: pharmacy.isActive ? 'Alta' : 'Baja temporal',
      }
    })
    return json({ success: true, result: { total: records.length, limit: 32_000, records } })
  },
}

/** An Esri feature set in UTM zone 30 with a one-letter state. */
const navarre: Register = {
  slug: 'demo-es-nc',
  extension: 'json',
  story: { municipalities: NAVARRE, pharmacies: 80, hasState: true },
  minute: 50,
  write(pharmacies) {
    const features = pharmacies.map((pharmacy, index) => {
      const [x, y] = metres(pharmacy)
      const type = ['CALLE', 'AVENIDA', 'PLAZA', 'PASEO'][pharmacy.streetType]
      const street = pharmacy.isRespelt ? pharmacy.street : pharmacy.street.toUpperCase()
      return {
        attributes: {
          FID: index + 1,
          IDFARMACIA: `NA${String(pharmacy.number).padStart(4, '0')}`,
          TITULAR: pharmacy.holders.map(surnamesFirst).join(' / '),
          DIRECCION: `${type} ${street} ${pharmacy.houseNumber}`,
          POBLACION: pharmacy.municipality.name,
          CODPOSTAL: pharmacy.postalCode,
          ESTADO: pharmacy.isActive ? 'A' : 'C',
        },
        geometry: { x, y },
      }
    })
    const spatialReference = { wkid: 25830, latestWkid: 25830 }
    return json({
      objectIdFieldName: 'FID',
      geometryType: 'esriGeometryPoint',
      spatialReference,
      features,
    })
  },
}

export const REGISTERS: readonly Register[] = [madrid, catalonia, basqueCountry, murcia, navarre]

function metres({ latitude, longitude }: DemoPharmacy): [number, number] {
  const [x, y] = proj4(UTM_30, [longitude, latitude])
  return [Math.round(x), Math.round(y)]
}

function surnamesFirst({ first, surnames }: Holder): string {
  return `${surnames}, ${first}`.toUpperCase()
}

/** 900 and six digits that no one has been given. */
function phone(number: number): string {
  return `900${String(number).padStart(6, '0')}`
}

function json(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`, 'utf8')
}
