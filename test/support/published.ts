import type { Pharmacy } from '../../src/domain/pharmacy.ts'
import type { Differences } from './made-records.ts'
import type { Random } from './random.ts'
import { aListed, type Listed } from './register.ts'

/**
 * An invented register as its publisher keeps it, and what its rows mean. Which spellings mean the same is written
 * here by hand, so that events can be foretold without the product's own folding.
 */

/** Each line is one value in several spellings. */
const ADDRESSES = [
  ['Calle Mayor, 5', 'C/ MAYOR 5', 'CL Mayor, 5.'],
  ['Avenida de Núñez, s/n', 'AVDA. DE NUNEZ S/N', 'Av de Nuñez, s/n'],
  ['Plaza del Sol, 12', 'PZA. DEL SOL 12'],
  ['Plaza del Sol, 14', 'pl. del sol, 14'],
  ['Carrer Major, 5', 'CARRER MAJOR 5'],
]
const CITIES = [
  ['Villaejemplo', 'VILLAEJEMPLO'],
  ['Donostia / San Sebastián', 'SAN SEBASTIAN/DONOSTIA'],
  ['A Coruña', 'Coruña, A'],
]
const OWNERS = [
  ['Ana Inventada', 'ANA INVENTADA'],
  ['Luis Ficticio / Marta Supuesta', 'Marta Supuesta / Luis Ficticio'],
  ['Ángel Ñú', 'angel nu'],
]
const PROVINCE_OF: Readonly<Record<string, string>> = {
  '28001': 'Madrid',
  '28013': 'Madrid',
  '15001': 'A Coruña',
  '': '',
}

const meanings = new Map(
  [ADDRESSES, CITIES, OWNERS].flatMap((values) =>
    values.flatMap((spellings) => spellings.map((text) => [text, spellings[0] as string] as const)),
  ),
)

export const EDITS = [
  'open',
  'open again',
  'close',
  'switch',
  'move',
  'sell',
  'move and sell',
  'respell',
  'lose',
  'jitter',
  'correct',
] as const
export type Edit = (typeof EDITS)[number]

/** The rows in publication, and every id there ever was. */
export interface Register {
  rows: ReadonlyMap<string, Listed>
  ids: readonly string[]
}

/** Ids of which some are beyond the basic plane: their code point order differs from that of UTF-16 units. */
function idOf(n: number): string {
  if (n % 7 === 3) return `\u{1F48A}${n}`
  return n % 7 === 5 ? `\uFF21${n}` : `P${n}`
}

export function newRegister(random: Random, size: number): Register {
  let register: Register = { rows: new Map(), ids: [] }
  for (let n = 0; n < size; n++) register = edited(random, register, 'open')
  return register
}

/** The register after one edit; the same when there is nothing to edit so. It never becomes empty. */
export function edited(random: Random, { rows, ids }: Register, edit: Edit): Register {
  const next = new Map(rows)
  if (edit === 'open') {
    const id = idOf(ids.length)
    return { rows: next.set(id, someListed(random, id)), ids: [...ids, id] }
  }
  if (edit === 'open again') {
    const gone = ids.filter((id) => !rows.has(id))
    if (gone.length === 0) return { rows, ids }
    const id = random.pick(gone)
    return { rows: next.set(id, someListed(random, id)), ids }
  }
  const row = random.pick([...rows.values()])
  if (edit === 'close') {
    if (rows.size > 1) next.delete(row.id)
    return { rows: next, ids }
  }
  return { rows: next.set(row.id, { ...row, ...CHANGES[edit](random, row) }), ids }
}

type Change = (random: Random, row: Listed) => Partial<Listed>

const move: Change = (random, row) => ({
  address: otherValue(random, ADDRESSES, row.address),
  ...(random.chance(0.5) ? { city: spelling(random, CITIES) } : {}),
  ...(random.chance(0.5) ? { postalCode: random.pick(Object.keys(PROVINCE_OF)) } : {}),
})
const sell: Change = (random, row) => ({ owner: otherValue(random, OWNERS, row.owner) })

const CHANGES: Readonly<Record<Exclude<Edit, 'open' | 'open again' | 'close'>, Change>> = {
  switch: (_random, { state }) => ({ state: state === 'A' ? 'C' : 'A' }),
  move,
  sell,
  'move and sell': (random, row) => ({ ...move(random, row), ...sell(random, row) }),
  respell: (random, row) => ({
    address: respelt(random, ADDRESSES, row.address),
    city: respelt(random, CITIES, row.city),
    owner: row.owner === '' ? '' : respelt(random, OWNERS, row.owner),
  }),
  // A value that is lost, or appears where there was none, is no event.
  lose: (random, row) =>
    random.chance(0.5)
      ? { owner: row.owner === '' ? spelling(random, OWNERS) : '' }
      : { postalCode: row.postalCode === '' ? '28013' : '' },
  // Beyond the sixth decimal: no change at all.
  jitter: (random, { latitude }) => ({
    latitude: latitude === null ? null : Number(latitude.toFixed(6)) + random.integer(5) * 1e-8,
  }),
  correct: (random, { latitude }) =>
    latitude === null || random.chance(0.7)
      ? { latitude: 40 + random.integer(1000) / 1000, longitude: -3.7 }
      : { latitude: null, longitude: null },
}

function someListed(random: Random, id: string): Listed {
  return aListed(id, {
    address: spelling(random, ADDRESSES),
    city: spelling(random, CITIES),
    owner: random.chance(0.1) ? '' : spelling(random, OWNERS),
    postalCode: random.pick(Object.keys(PROVINCE_OF)),
    state: random.chance(0.85) ? 'A' : 'C',
  })
}

function spelling(random: Random, values: readonly string[][]): string {
  return random.pick(random.pick(values))
}

function otherValue(random: Random, values: readonly string[][], text: string): string {
  return spelling(
    random,
    values.filter((spellings) => !spellings.includes(text)),
  )
}

function respelt(random: Random, values: readonly string[][], text: string): string {
  return random.pick(values.find((spellings) => spellings.includes(text)) ?? [text])
}

/** From its second version on, the definition writes its number behind every address. */
export function addressTemplate(version: number): string {
  return version === 1 ? '{direccion}' : `{direccion}, v${version}`
}

/** The record that a row must give; `observedAt` is the snapshot that showed this content first. */
export function recordOf(
  row: Listed,
  { territory, version, observedAt }: { territory: string; version: number; observedAt: string },
): Pharmacy {
  const isLocated = row.latitude !== null && row.longitude !== null
  return {
    external_id: row.id,
    name: row.name,
    address_line: addressTemplate(version).replace('{direccion}', row.address),
    postal_code: row.postalCode || null,
    city: row.city,
    province: PROVINCE_OF[row.postalCode] || null,
    territory_code: territory,
    latitude: row.latitude === null ? null : Number(row.latitude.toFixed(6)),
    longitude: row.longitude,
    coordinate_source: isLocated ? 'official' : null,
    owner_name: row.owner || null,
    cnn_code: null,
    source_slug: `registro-${territory.toLowerCase()}`,
    official_source_name: `Registro inventado ${territory}`,
    official_source_url: 'https://registro.example/farmacias',
    official_last_modified_at: null,
    observed_at: observedAt,
    is_active: row.state === 'A',
  }
}

/** Spec section 3 by meaning: spelt otherwise is not moved and not sold, and neither is a value lost or found. */
export const BY_MEANING: Differences = {
  moved: (before, now) =>
    (['address_line', 'postal_code', 'city', 'province'] as const).some((field) =>
      differ(before[field], now[field]),
    ),
  sold: (before, now) => differ(before.owner_name, now.owner_name),
}

function differ(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && meaningOf(a) !== meaningOf(b)
}

function meaningOf(text: string): string {
  const published = text.replace(/, v\d+$/, '')
  return meanings.get(published) ?? published
}
