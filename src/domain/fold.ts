import { closeApostrophes, foldLetters, hasJoiningStop } from './letters.ts'
import type { ADDRESS_FIELDS } from './pharmacy.ts'
import { nameKey, namesIn, valueKey, withArticleFirst } from './places.ts'
import { provinceByCode, provinceByName } from './provinces.ts'
import { streetTypes, trailingStreetType } from './street-types.ts'

/**
 * The canonical form in which two texts are "the same" (decisions section 4), and the keys by which the API finds
 * and groups places. Values are stored as published; only comparisons and keys use what is here.
 */

/** The canonical form of any text: letters and digits, no case, marks, apostrophes, stops or other punctuation. */
export function foldText(text: string): string {
  return foldLetters(text, '')
}

interface Address {
  /** the street types its first word may stand for; empty when that word is none */
  readonly types: readonly string[]
  readonly rest: string
}

/**
 * An address with its leading street type and its `s/n` in one spelling. An abbreviation of several types keeps them all
 * ("c/" is `calle|carrer`): sameField compares them as sets, which one text cannot.
 */
export function canonicalAddress(text: string): string {
  const { types, rest } = addressOf(foldText(text))
  return [types.join('|'), rest].filter((part) => part !== '').join(' ')
}

/** The canonical address without its street type: the same for all its spellings, but also for a street and a square. */
export function addressWithoutType(text: string): string {
  return addressOf(foldText(text)).rest
}

/** A place compares by its names in any order; "Coruña, A" is "A Coruña". */
export function canonicalPlace(text: string): string {
  return valueKey(text, (name) => foldText(withArticleFirst(name)))
}

/** A province compares by what it is (its INE code), a text that names none by its spelling. */
export function canonicalProvince(text: string): string {
  const province = provinceByName(text)
  return province ? `ine:${province.code}` : canonicalPlace(text)
}

export type ComparedField = (typeof ADDRESS_FIELDS)[number] | 'owner_name'

const SAME: Readonly<Record<ComparedField, (a: string, b: string) => boolean>> = {
  address_line: sameAddress,
  postal_code: sameText,
  city: (a, b) => canonicalPlace(a) === canonicalPlace(b) || sameText(a, b),
  province: (a, b) => canonicalProvince(a) === canonicalProvince(b) || sameText(a, b),
  owner_name: (a, b) => sameText(a, b) || sameNames(a, b),
}

/**
 * Whether a field says the same on both sides, for events: a value that appears where there was none, or is lost,
 * counts as the same (decisions section 4, "relocated").
 */
export function sameField(field: ComparedField, a: string | null, b: string | null): boolean {
  if (a === null || b === null || a === b) return true
  if (foldText(a) === '' || foldText(b) === '') return true
  return SAME[field](closeApostrophes(a), closeApostrophes(b))
}

/**
 * Equal when full stops vanish, or when they are read as spaces: registers write both "COGNOM. NOM" and "COGNOM.NOM",
 * "S.A." and "SA".
 */
export function sameText(a: string, b: string): boolean {
  if (foldText(a) === foldText(b)) return true
  return (hasJoiningStop(a) || hasJoiningStop(b)) && foldLetters(a, ' ') === foldLetters(b, ' ')
}

function sameNames(a: string, b: string): boolean {
  if (!a.includes('/') || !b.includes('/')) return false
  const spaced = (name: string) => foldLetters(name, ' ')
  return (
    valueKey(a, foldText) === valueKey(b, foldText) || valueKey(a, spaced) === valueKey(b, spaced)
  )
}

function sameAddress(a: string, b: string): boolean {
  if (equalAddresses(addressOf(foldText(a)), addressOf(foldText(b)))) return true
  if (!hasJoiningStop(a) && !hasJoiningStop(b)) return false
  return equalAddresses(addressOf(foldLetters(a, ' ')), addressOf(foldLetters(b, ' ')))
}

function equalAddresses(a: Address, b: Address): boolean {
  if (a.rest !== b.rest) return false
  if (a.types.length === 0 || b.types.length === 0) return a.types.length === b.types.length
  return a.types.some((type) => b.types.includes(type))
}

const WITHOUT = new Set(['s', 'sin', 'sense', 'sen'])
const NUMBER = new Set(['n', 'no', 'num', 'numero'])

function addressOf(folded: string): Address {
  const words = oneWordPerIdea(folded.split(' '))
  const [first = ''] = words
  const types = streetTypes(first)
  if (types.length === 0) return { types, rest: words.join(' ') }
  return { types, rest: words.slice(1).join(' ') }
}

/** "s n" and "sin numero" become "sn", "gran via" and "g v" one type, "pol ind" its full name. */
function oneWordPerIdea(words: readonly string[]): string[] {
  const out: string[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    const both = oneOfTwo(word, words[i + 1] ?? '', i === 0)
    if (both !== null) i += 1
    out.push(both ?? (i === 0 ? word : trailingStreetType(word)))
  }
  return out
}

/** What two words next to each other are together, null when they are just two words. */
function oneOfTwo(word: string, next: string, isLeading: boolean): string | null {
  if (WITHOUT.has(word) && NUMBER.has(next)) return 'sn'
  if (!isLeading) return null
  const pair = `${word} ${next}`
  if (pair === 'gran via' || pair === 'g v') return 'granvia'
  const isEstate =
    streetTypes(word).includes('poligono') && (next === 'ind' || next === 'industrial')
  return isEstate || pair === 'p i' ? 'pi' : null
}

/**
 * The keys a published city is found by: the whole value with its names in any order, and each name, all without
 * surrounding articles. A question matches when `cityKey(asked)` is among them.
 */
export const cityKeys = remembered((published: string): string[] => {
  const names = namesIn(published)
  const keys = [valueKey(published), ...names.map((name) => nameKey(name))]
  const spaced = hasJoiningStop(published) ? names.map((name) => nameKey(name, ' ')) : []
  return [...new Set([...keys, ...spaced])].filter((key) => key !== '')
})

export function cityKey(asked: string): string {
  return valueKey(asked)
}

/** As `cityKeys`; a province that is known has one key, whatever it was called. */
export const provinceKeys = remembered((published: string): string[] => {
  const province = provinceByName(published)
  return province ? [`ine:${province.code}`] : cityKeys(published)
})

export function provinceKey(asked: string): string {
  const province = provinceByName(asked)
  return province ? `ine:${province.code}` : cityKey(asked)
}

/** What a summary counts together: one key per city, or province, in canonical form. */
export const cityGroup = remembered((published: string): string => valueKey(published))

export const provinceGroup = remembered((published: string): string => provinceKey(published))

/** How a summary shows a province: its official name when it is known, else as last spelt. */
export function provinceLabel(group: string, newestSpelling: string): string {
  if (!group.startsWith('ine:')) return newestSpelling
  return provinceByCode(group.slice('ine:'.length))?.name ?? newestSpelling
}

const REMEMBERED = 10_000

/** Registers repeat few cities and provinces over many rows: answers are kept, up to a bound, then started anew. */
function remembered<T>(answer: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const earlier = known.get(text)
    if (earlier !== undefined) return earlier
    if (known.size >= REMEMBERED) known.clear()
    const result = answer(text)
    known.set(text, result)
    return result
  }
}
