import type { Random } from './random.ts'

/**
 * Places with the spellings that publishers use and the ones that callers ask by. What counts as the same place
 * is written here by hand, so that answers can be checked without the product's own folding.
 */
export interface MadePlace {
  /** what the place is; null stands for events without one */
  id: string
  spellings: readonly string[]
  asked: readonly string[]
}

export const CITIES: readonly MadePlace[] = [
  {
    id: 'alcala',
    spellings: ['Alcalá de Henares', 'ALCALA DE HENARES', 'Alcalá  de henares'],
    asked: ['Alcala de Henares', 'ALCALÁ DE HENARES', 'alcalá  de henares'],
  },
  {
    id: 'donostia',
    spellings: ['Donostia / San Sebastián', 'San Sebastián/Donostia'],
    asked: ['Donostia', 'san sebastian', 'Donostia / San Sebastián', 'San Sebastián / Donostia'],
  },
  {
    id: 'coruna',
    spellings: ['Coruña, A', 'A Coruña'],
    asked: ['A Coruña', 'coruna, a', 'Coruña'],
  },
  { id: 'hospitalet', spellings: ["L'Hospitalet", 'Hospitalet, L’'], asked: ['hospitalet'] },
  { id: 'soria', spellings: ['Soria'], asked: ['SORIA'] },
]

export const PROVINCES: readonly MadePlace[] = [
  { id: 'Madrid', spellings: ['Madrid', 'MADRID'], asked: ['madrid'] },
  {
    id: 'Alicante/Alacant',
    spellings: ['Alicante', 'Alacant', 'Alicante/Alacant'],
    asked: ['Alicante', 'alacant', 'Alicante / Alacant'],
  },
  { id: 'Bizkaia', spellings: ['Bizkaia', 'Vizcaya'], asked: ['Vizcaya', 'BIZKAIA'] },
  {
    id: 'comarca-inventada',
    spellings: ['Comarca Inventada', 'COMARCA INVENTADA'],
    asked: ['comarca inventada'],
  },
]

const cityIds = idsBySpelling(CITIES)
const provinceIds = idsBySpelling(PROVINCES)

/** Which place a published spelling is; towns made by `townName` are each a place of their own. */
export function cityIdOf(spelling: string | null | undefined): string | null {
  return spelling == null ? null : (cityIds.get(spelling) ?? spelling.toLowerCase())
}

export function provinceIdOf(spelling: string | null | undefined): string | null {
  return spelling == null ? null : (provinceIds.get(spelling) ?? spelling)
}

function idsBySpelling(places: readonly MadePlace[]): Map<string, string> {
  return new Map(places.flatMap(({ id, spellings }) => spellings.map((spelling) => [spelling, id])))
}

/** A city as some publisher would write it, now and then none at all. */
export function someCity(random: Random, towns: number): string | null {
  if (random.chance(0.05)) return null
  if (random.chance(0.5)) return `Villanueva ${random.integer(towns)}`
  return random.pick(random.pick(CITIES).spellings)
}

export function someProvince(random: Random): string | null {
  return random.chance(0.05) ? null : random.pick(random.pick(PROVINCES).spellings)
}
