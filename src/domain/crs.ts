/**
 * The coordinate systems a definition may name, as proj4 strings; none of them but WGS84 is built into the library.
 * A geographic system counts in degrees and needs no projection: ETRS89 and WGS84 agree to less than a metre in Spain.
 */
const utm = (zone: number, datum: string) => `+proj=utm +zone=${zone} ${datum} +units=m +no_defs`
const GRS80 = '+ellps=GRS80 +towgs84=0,0,0,0,0,0,0'
const ED50 = '+ellps=intl +towgs84=-87,-98,-121,0,0,0,0'
const WEB_MERCATOR =
  '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +no_defs'

const PROJECTIONS: Readonly<Record<string, string | 'degrees'>> = {
  'EPSG:4326': 'degrees',
  'EPSG:4258': 'degrees',
  'EPSG:4081': 'degrees',
  'EPSG:25828': utm(28, GRS80),
  'EPSG:25829': utm(29, GRS80),
  'EPSG:25830': utm(30, GRS80),
  'EPSG:25831': utm(31, GRS80),
  'EPSG:4083': utm(28, GRS80),
  'EPSG:32628': utm(28, '+datum=WGS84'),
  'EPSG:32629': utm(29, '+datum=WGS84'),
  'EPSG:32630': utm(30, '+datum=WGS84'),
  'EPSG:32631': utm(31, '+datum=WGS84'),
  'EPSG:23030': utm(30, ED50),
  'EPSG:3857': WEB_MERCATOR,
  'EPSG:102100': WEB_MERCATOR,
  'EPSG:2154':
    '+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m +no_defs',
}

/** The codes a definition may use. */
export const KNOWN_CRS: readonly string[] = Object.keys(PROJECTIONS)

/** The proj4 string of a system, `'degrees'` for a geographic one, null when it is not known here. */
export function projectionOf(crs: string): string | null {
  return PROJECTIONS[crs] ?? null
}
