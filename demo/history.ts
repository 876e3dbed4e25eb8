import type { Municipality } from './municipalities.ts'
import { type Holder, inventedHolder, inventedStreet } from './people-and-streets.ts'
import type { Random } from './random.ts'

/** An invented pharmacy as the story knows it, before a register writes it down in its own way. */
export interface DemoPharmacy {
  /** grows with every opening and is never used again */
  number: number
  /** the postal code it opened under, for registers whose ids begin with it */
  firstPostalCode: string
  holders: readonly Holder[]
  /** which of the register's street types; the register has the words */
  streetType: number
  street: string
  houseNumber: number
  municipality: Municipality
  postalCode: string
  latitude: number
  longitude: number
  isActive: boolean
  /** the register has edited the spelling once, which moves nothing */
  isRespelt: boolean
}

export interface Story {
  municipalities: readonly Municipality[]
  pharmacies: number
  /** the register keeps pharmacies that are closed for a while; otherwise none ever closes softly or reopens */
  hasState: boolean
}

/** Some of the pharmacies are closed when the story begins, so that the first months have some to reopen. */
const CLOSED_AT_FIRST = 4

/** What the register holds at each of `count` moments. In every step each kind of event happens at least once. */
export function tellStory(
  story: Story,
  { count, random }: { count: number; random: Random },
): DemoPharmacy[][] {
  let nextNumber = 1
  const open = (): DemoPharmacy => {
    const place = newPlace(story.municipalities, random)
    return {
      number: nextNumber++,
      firstPostalCode: place.postalCode,
      holders: newHolders(random),
      ...place,
      isActive: true,
      isRespelt: false,
    }
  }
  let current = Array.from({ length: story.pharmacies }, (_, index) => {
    const isActive = !story.hasState || index >= CLOSED_AT_FIRST
    return { ...open(), isActive }
  })
  const moments = [current]
  while (moments.length < count) {
    current = nextMoment(current, story, { random, open })
    moments.push(current)
  }
  return moments
}

function nextMoment(
  current: readonly DemoPharmacy[],
  story: Story,
  { random, open }: { random: Random; open: () => DemoPharmacy },
): DemoPharmacy[] {
  const untouched = new Set(current)
  const changed: DemoPharmacy[] = []
  /** Lets something happen to pharmacies that nothing else has happened to in this step. */
  const befall = (
    howMany: number,
    isFit: Fit,
    happen: (pharmacy: DemoPharmacy) => DemoPharmacy[],
  ) => {
    for (let nth = 0; nth < howMany; nth += 1) {
      const chosen = random.pick([...untouched].filter(isFit))
      untouched.delete(chosen)
      changed.push(...happen(chosen))
    }
  }
  const moved = (pharmacy: DemoPharmacy, within: readonly Municipality[]) => ({
    ...pharmacy,
    ...newPlace(within, random),
  })
  const sold = (pharmacy: DemoPharmacy) => ({ ...pharmacy, holders: newHolders(random) })

  befall(random.between(1, 2), isOpen, () => []) // closed for good: not in the next snapshot
  befall(random.between(1, 3), isOpen, (pharmacy) => [
    moved(pharmacy, nearby(pharmacy, story, random)),
  ])
  befall(random.between(1, 3), isOpen, (pharmacy) => [sold(pharmacy)])
  // Both at once, but in the same town: elsewhere too it would be taken for another pharmacy under an old id.
  befall(random.between(0, 1), isOpen, (pharmacy) => [
    moved(sold(pharmacy), [pharmacy.municipality]),
  ])
  befall(1, isSpeltAsAtFirst, (pharmacy) => [{ ...pharmacy, isRespelt: true }])
  if (story.hasState) {
    befall(1, isClosedForAWhile, (pharmacy) => [{ ...pharmacy, isActive: true }])
    befall(random.between(1, 2), isOpen, (pharmacy) => [{ ...pharmacy, isActive: false }])
  }
  const opened = Array.from({ length: random.between(1, 3) }, open)
  return [...untouched, ...changed, ...opened].sort((a, b) => a.number - b.number)
}

type Fit = (pharmacy: DemoPharmacy) => boolean
const isOpen: Fit = ({ isActive }) => isActive
const isClosedForAWhile: Fit = ({ isActive }) => !isActive
const isSpeltAsAtFirst: Fit = ({ isActive, isRespelt }) => isActive && !isRespelt

/** Most pharmacies that move stay in their municipality. */
function nearby(pharmacy: DemoPharmacy, story: Story, random: Random): readonly Municipality[] {
  return random.next() < 0.75 ? [pharmacy.municipality] : story.municipalities
}

function newHolders(random: Random): Holder[] {
  const howMany = random.next() < 0.12 ? 2 : 1
  return Array.from({ length: howMany }, () => inventedHolder(random))
}

/** About 1.1 km, and so much more the larger the town. */
const SPREAD_DEGREES = 0.01

function newPlace(municipalities: readonly Municipality[], random: Random) {
  const municipality = random.pick(
    municipalities.flatMap((each) => Array(each.weight).fill(each) as Municipality[]),
  )
  const spread = SPREAD_DEGREES * Math.sqrt(Math.min(municipality.weight, 16) / 2)
  const offset = () => (random.next() - 0.5) * 2 * spread
  const postalCode =
    Number(municipality.postalCode) + random.between(0, municipality.furtherPostalCodes)
  return {
    municipality,
    postalCode: String(postalCode).padStart(5, '0'),
    street: inventedStreet(random),
    streetType: random.between(0, 3),
    houseNumber: random.between(1, 190),
    latitude: round(municipality.latitude + offset()),
    longitude: round(municipality.longitude + offset()),
  }
}

function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}
