import { nameKey, namesIn, valueKey } from './places.ts'

export interface Province {
  /** two digits of the national statistics institute (INE); also the prefix of its postal codes */
  readonly code: string
  readonly postal_prefix: string
  /** official name, article first */
  readonly name: string
  /** other official spellings, older names and names of the single-province territories */
  readonly other_names: readonly string[]
  readonly territory_code: string
}

type Entry = readonly [code: string, territory: string, name: string, ...otherNames: string[]]

const ENTRIES: readonly Entry[] = [
  ['01', 'ES-PV', 'Araba/Álava', 'Araba-Álava'],
  ['02', 'ES-CM', 'Albacete'],
  ['03', 'ES-VC', 'Alicante/Alacant', 'Alicante-Alacant'],
  ['04', 'ES-AN', 'Almería'],
  ['05', 'ES-CL', 'Ávila'],
  ['06', 'ES-EX', 'Badajoz'],
  [
    '07',
    'ES-IB',
    'Illes Balears',
    'Islas Baleares',
    'Baleares',
    'Balears',
    'Balears, Illes',
    'Baleares, Islas',
  ],
  ['08', 'ES-CT', 'Barcelona'],
  ['09', 'ES-CL', 'Burgos'],
  ['10', 'ES-EX', 'Cáceres'],
  ['11', 'ES-AN', 'Cádiz'],
  [
    '12',
    'ES-VC',
    'Castellón/Castelló',
    'Castellón-Castelló',
    'Castellón de la Plana',
    'Castelló de la Plana',
  ],
  ['13', 'ES-CM', 'Ciudad Real'],
  ['14', 'ES-AN', 'Córdoba'],
  ['15', 'ES-GA', 'A Coruña', 'La Coruña', 'Coruña A'],
  ['16', 'ES-CM', 'Cuenca'],
  ['17', 'ES-CT', 'Girona', 'Gerona'],
  ['18', 'ES-AN', 'Granada'],
  ['19', 'ES-CM', 'Guadalajara'],
  ['20', 'ES-PV', 'Gipuzkoa', 'Guipúzcoa', 'Guipuzkoa'],
  ['21', 'ES-AN', 'Huelva'],
  ['22', 'ES-AR', 'Huesca', 'Uesca'],
  ['23', 'ES-AN', 'Jaén'],
  ['24', 'ES-CL', 'León'],
  ['25', 'ES-CT', 'Lleida', 'Lérida'],
  ['26', 'ES-RI', 'La Rioja', 'Logroño', 'Rioja La'],
  ['27', 'ES-GA', 'Lugo'],
  ['28', 'ES-MD', 'Madrid', 'Comunidad de Madrid'],
  ['29', 'ES-AN', 'Málaga'],
  ['30', 'ES-MC', 'Murcia', 'Región de Murcia', 'Murcia, Región de'],
  [
    '31',
    'ES-NC',
    'Navarra',
    'Nafarroa',
    'Comunidad Foral de Navarra',
    'Navarra, Comunidad Foral de',
  ],
  ['32', 'ES-GA', 'Ourense', 'Orense'],
  [
    '33',
    'ES-AS',
    'Asturias',
    'Principado de Asturias',
    'Asturias, Principado de',
    'Asturies',
    'Oviedo',
  ],
  ['34', 'ES-CL', 'Palencia'],
  [
    '35',
    'ES-CN',
    'Las Palmas',
    'Las Palmas de Gran Canaria',
    'Palmas de Gran Canaria, Las',
    'Palmas Las',
  ],
  ['36', 'ES-GA', 'Pontevedra'],
  ['37', 'ES-CL', 'Salamanca'],
  ['38', 'ES-CN', 'Santa Cruz de Tenerife', 'Sta. Cruz de Tenerife', 'S.C. Tenerife', 'Tenerife'],
  ['39', 'ES-CB', 'Cantabria', 'Santander'],
  ['40', 'ES-CL', 'Segovia'],
  ['41', 'ES-AN', 'Sevilla'],
  ['42', 'ES-CL', 'Soria'],
  ['43', 'ES-CT', 'Tarragona'],
  ['44', 'ES-AR', 'Teruel'],
  ['45', 'ES-CM', 'Toledo'],
  ['46', 'ES-VC', 'Valencia/València', 'Valencia-València'],
  ['47', 'ES-CL', 'Valladolid'],
  ['48', 'ES-PV', 'Bizkaia', 'Vizcaya', 'Biscaia'],
  ['49', 'ES-CL', 'Zamora'],
  ['50', 'ES-AR', 'Zaragoza'],
  ['51', 'ES-CE', 'Ceuta', 'Ciudad de Ceuta'],
  ['52', 'ES-ML', 'Melilla', 'Ciudad de Melilla'],
]

/** The 52 provinces (the two autonomous cities included), by INE code. */
export const PROVINCES: readonly Province[] = ENTRIES.map(([code, territory, name, ...others]) => ({
  code,
  postal_prefix: code,
  name,
  other_names: others,
  territory_code: territory,
}))

const BY_CODE = new Map(PROVINCES.map((province) => [province.code, province]))
const BY_NAME = new Map(
  PROVINCES.flatMap((province) =>
    [province.name, ...province.other_names]
      .flatMap((name) => [name, ...namesIn(name)])
      .flatMap((name) => [valueKey(name), spacedKey(name)].map((key) => [key, province] as const)),
  ),
)

/** The reading in which a full stop parts words: "STA.CRUZ DE TENERIFE". */
function spacedKey(text: string): string {
  return valueKey(text, (name) => nameKey(name, ' '))
}

/** The province of a five-character postal code; null when its first two digits are no province. */
export function provinceOfPostalCode(postalCode: string): Province | null {
  return BY_CODE.get(postalCode.slice(0, 2)) ?? null
}

export function provinceByCode(code: string): Province | null {
  return BY_CODE.get(code) ?? null
}

/**
 * The province a text names, in any official, older or inverted spelling ("Rioja, La", "Vizcaya", "ALACANT / ALICANTE",
 * "Bizkaia-Vizcaya", "Provincia de Soria"); null when it names none, or two different ones.
 */
export function provinceByName(text: string): Province | null {
  const whole = BY_NAME.get(valueKey(text)) ?? BY_NAME.get(spacedKey(text))
  if (whole) return whole
  // Only here is a hyphen what a slash is: of a province two names are known to be one.
  const names = namesIn(text.replaceAll('-', '/'))
  const named = names.map((name) => BY_NAME.get(withoutKind(nameKey(name))) ?? null)
  const [first = null] = named
  return named.every((province) => province === first) ? first : null
}

function withoutKind(key: string): string {
  return key.replace(/^prov(?:incia)? (?:de )?(?:la )?/, '')
}
