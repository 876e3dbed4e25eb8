import { foldLetters } from '../../../src/domain/letters.ts'
import { provinceByCode } from '../../../src/domain/provinces.ts'

export interface Municipality {
  name: string
  province: string
  latitude: number
  longitude: number
}

const MAX_FOUND = 8
const MIN_LETTERS = 2

let loaded: Promise<{ key: string; place: Municipality }[]> | undefined

/** Municipalities whose name begins with the text, then those that contain it. */
export async function searchMunicipalities(typed: string): Promise<Municipality[]> {
  const wanted = foldLetters(typed, '')
  if (wanted.length < MIN_LETTERS) return []
  loaded ??= load()
  const all = await loaded
  const beginning = all.filter(({ key }) => key.startsWith(wanted))
  const containing = all.filter(({ key }) => !key.startsWith(wanted) && key.includes(wanted))
  return [...beginning, ...containing].slice(0, MAX_FOUND).map(({ place }) => place)
}

async function load() {
  const { lines } = await import('virtual:gazetteer')
  return lines
    .split('\n')
    .map((line) => {
      const [name = '', code = '', latitude = '', longitude = ''] = line.split('|')
      const province = provinceByCode(code)?.name ?? ''
      return {
        key: foldLetters(name, ''),
        place: { name, province, latitude: Number(latitude), longitude: Number(longitude) },
      }
    })
    .sort((a, b) => a.key.length - b.key.length)
}
