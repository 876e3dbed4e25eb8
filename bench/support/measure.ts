/** Repeated measurements of one thing. */
export interface Spread {
  median: number
  least: number
  most: number
  times: number
}

export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('nothing was measured')
  const sorted = [...values].sort((a, b) => a - b)
  return {
    median: percentile(sorted, 0.5),
    least: sorted[0] as number,
    most: sorted.at(-1) as number,
    times: sorted.length,
  }
}

/** The value that a share of the sorted values does not exceed; between two values it is interpolated. */
export function percentile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1)
  const below = sorted[Math.floor(at)] as number
  const above = sorted[Math.ceil(at)] as number
  return below + (above - below) * (at - Math.floor(at))
}

export interface Pair {
  ours: number
  theirs: number
}

/** Ours and the yardstick's, again and again, each first in every other turn: what disturbs one disturbs both. */
export async function alternate(
  times: number,
  measure: { ours: (turn: number) => Promise<number>; theirs: (turn: number) => Promise<number> },
): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (let turn = 0; turn < times; turn += 1) {
    if (turn % 2 === 0) {
      const ours = await measure.ours(turn)
      pairs.push({ ours, theirs: await measure.theirs(turn) })
    } else {
      const theirs = await measure.theirs(turn)
      pairs.push({ ours: await measure.ours(turn), theirs })
    }
  }
  return pairs
}

/** The spreads of pairs: each side's, and that of the ratio within each turn. */
export function spreadsOf(pairs: readonly Pair[]): { ours: Spread; theirs: Spread; ratio: Spread } {
  return {
    ours: spreadOf(pairs.map(({ ours }) => ours)),
    theirs: spreadOf(pairs.map(({ theirs }) => theirs)),
    ratio: spreadOf(pairs.map(({ ours, theirs }) => ours / theirs)),
  }
}

export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}
