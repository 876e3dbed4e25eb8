/** Repeatable chance: the same seed gives the same data on every machine. */
export interface Random {
  /** from 0 up to, not including, 1 */
  number(): number
  /** from 0 up to, not including, `below` */
  integer(below: number): number
  chance(probability: number): boolean
  pick<T>(values: readonly T[]): T
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const number = () => {
    // mulberry32: small, well spread, and enough for test data.
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const integer = (below: number) => Math.floor(number() * below)
  return {
    number,
    integer,
    chance: (probability) => number() < probability,
    pick: (values) => {
      const value = values[integer(values.length)]
      if (value === undefined) throw new Error('nothing to pick from')
      return value
    },
  }
}
