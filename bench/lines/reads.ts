import { serveBare } from '../support/api.ts'
import { type Asked, type Asker, openAsker, rateOf } from '../support/http.ts'
import type { Figure, Line } from '../support/line.ts'
import { alternate, type Pair, percentile, spreadsOf } from '../support/measure.ts'
import type { PageQuestion, Questions } from '../support/questions.ts'
import { questionsOf } from '../support/questions.ts'
import { filledRegistry } from '../support/registry.ts'

const RECORDS = 200_000
const WARM_UP = 1_000
const CLIENTS = 32
const SECONDS_PER_TURN = 4
const SEEDS_FROM = 1_000

/**
 * Who is asked: the API, Elasticsearch itself, the same for the very search that the API sends, and a route that only
 * passes the search and its answer on.
 */
const SIDES = ['api', 'raw', 'sent', 'bare'] as const
type SideName = (typeof SIDES)[number]
type Sides = Record<SideName, Asker>

const SAME = 'the same straight from Elasticsearch'

/** What is judged; the rest shows what the API itself costs, and what any program in between. */
const COMPARED = [
  { side: 'api', by: '', beside: 'raw', yardstick: SAME, isJudged: true },
  {
    side: 'api',
    by: ' beside the search it sends',
    beside: 'sent',
    yardstick: 'the search that the API sends, straight to Elasticsearch',
    isJudged: false,
  },
  { side: 'bare', by: ' by a bare route', beside: 'raw', yardstick: SAME, isJudged: false },
] as const

/** One client, and 32 of them, asking what nobody asked before, beside asking Elasticsearch for the same. */
export const reads: Line = {
  name: 'reads',
  title: 'Reads that nothing is remembered of',
  async run(setting) {
    const registry = await filledRegistry(setting, setting.size(RECORDS))
    const bare = await serveBare(setting)
    const sides = {
      api: openAsker(registry.api.url, registry.api.headers),
      raw: openAsker(setting.url),
      sent: openAsker(setting.url),
      bare: openAsker(bare.url),
    }
    const figures: Figure[] = []
    try {
      const asked = questionsOf(registry.db, registry.state)
      for (const [name, questions] of Object.entries(asked)) {
        figures.push(...(await oneClient(setting.times, name, sides, questions)))
      }
      for (const [name, questions] of Object.entries(asked)) {
        figures.push(...(await manyClients(setting.times, name, sides, questions)))
      }
    } finally {
      for (const side of SIDES) sides[side].close()
      await bare.stop()
      await registry.close()
    }
    return figures
  },
}

/** How many are asked in a turn: the slowest hundredth of what is judged must not rest on a handful of answers. */
const JUDGED = { count: 1_000, figure: { target: { holds: 'at most', value: 1.3 } } } as const
const SHOWN = { count: 300, figure: {} } as const

/** Each pair by itself: a third program in between would only push the others out of the processor's caches. */
async function oneClient(
  times: number,
  name: string,
  sides: Sides,
  questions: Questions,
): Promise<Figure[]> {
  const figures: Figure[] = []
  let seed = 0
  // What was asked before would be answered from memory.
  const asking = (pair: [SideName, SideName], count: number) =>
    latencies(sides, { pair, next: questions(seed++), count })
  for (const { side, by, beside, yardstick, isJudged } of COMPARED) {
    const { count, figure } = isJudged ? JUDGED : SHOWN
    // As in a service that has run for a while: what runs often is compiled for it by and by.
    await asking([side, beside], WARM_UP)
    const turns: Latencies[] = []
    for (let turn = 0; turn < times; turn += 1) {
      turns.push(await asking([side, beside], count))
    }
    for (const share of [0.5, 0.99]) {
      const pairs: Pair[] = turns.map(([ours, theirs]) => ({
        ours: percentile(ours, share) * 1000,
        theirs: percentile(theirs, share) * 1000,
      }))
      const { ours, theirs, ratio } = spreadsOf(pairs)
      figures.push({
        what: `One client, ${name}${by}, p${share * 100}`,
        ours,
        yardstick: { name: yardstick, spread: theirs },
        unit: 'ms',
        judged: ratio,
        ...figure,
      })
    }
  }
  return figures
}

function askedOf(question: PageQuestion, side: SideName): Asked {
  if (side === 'api' || side === 'sent') return question[side]
  return question.raw[0] as Asked
}

/** Seconds of each answer, ascending: of one side and of the other. */
type Latencies = [number[], number[]]

/** Both sides get the same question one after the other, each first in its turn. */
async function latencies(
  sides: Sides,
  { pair, next, count }: { pair: [SideName, SideName]; next: () => PageQuestion; count: number },
): Promise<Latencies> {
  const seconds: Latencies = [[], []]
  for (let n = 0; n < count; n += 1) {
    const question = next()
    for (const at of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const side = pair[at]
      seconds[at].push(await sides[side].seconds(askedOf(question, side)))
    }
  }
  for (const one of seconds) one.sort((a, b) => a - b)
  return seconds
}

async function manyClients(
  times: number,
  name: string,
  sides: Sides,
  questions: Questions,
): Promise<Figure[]> {
  const load = { clients: CLIENTS, seconds: SECONDS_PER_TURN }
  let seed = SEEDS_FROM
  // Seeds of its own: nothing asked before is asked again.
  const rate = (side: SideName) => {
    seed += 1
    const next = questions(seed)
    return rateOf(sides[side], () => askedOf(next(), side), load)
  }
  const figures: Figure[] = []
  for (const { side, by, beside, yardstick, isJudged } of COMPARED) {
    const pairs = await alternate(times, { ours: () => rate(side), theirs: () => rate(beside) })
    const { ours, theirs, ratio } = spreadsOf(pairs)
    figures.push({
      what: `${CLIENTS} clients, ${name}${by}`,
      ours,
      yardstick: { name: yardstick, spread: theirs },
      unit: 'requests/s',
      judged: ratio,
      ...(isJudged ? { target: { holds: 'at least', value: 0.7 } } : {}),
    })
  }
  return figures
}
