import { serveBare } from '../support/api.ts'
import { type Asked, type Asker, openAsker, rateOf } from '../support/http.ts'
import type { Figure, Line } from '../support/line.ts'
import { alternate, type Pair, percentile, spreadsOf } from '../support/measure.ts'
import type { PageQuestion, Questions } from '../support/questions.ts'
import { questionsOf } from '../support/questions.ts'
import { filledRegistry } from '../support/registry.ts'

const RECORDS = 200_000
const QUESTIONS_PER_TURN = 300
const WARM_UP = 100
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

/** One client, and 32 of them, asking what nobody asked before, beside the same searches straight to Elasticsearch. */
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
        await latencies(sides, questions(0), WARM_UP)
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

async function oneClient(
  times: number,
  name: string,
  sides: Sides,
  questions: Questions,
): Promise<Figure[]> {
  const turns: Record<SideName, number[]>[] = []
  for (let turn = 1; turn <= times; turn += 1) {
    turns.push(await latencies(sides, questions(turn), QUESTIONS_PER_TURN))
  }
  return COMPARED.flatMap(({ side, by, beside, yardstick, isJudged }) =>
    [0.5, 0.99].map((share): Figure => {
      const pairs: Pair[] = turns.map((turn) => ({
        ours: percentile(turn[side], share) * 1000,
        theirs: percentile(turn[beside], share) * 1000,
      }))
      const { ours, theirs, ratio } = spreadsOf(pairs)
      return {
        what: `One client, ${name}${by}, p${share * 100}`,
        ours,
        yardstick: { name: yardstick, spread: theirs },
        unit: 'ms',
        judged: ratio,
        ...(isJudged ? { target: { holds: 'at most', value: 1.3 } } : {}),
      }
    }),
  )
}

function askedOf(question: PageQuestion, side: SideName): Asked {
  if (side === 'api' || side === 'sent') return question[side]
  return question.raw[0] as Asked
}

/** All sides get the same question one after the other, each first in its turn. */
async function latencies(
  sides: Sides,
  next: () => PageQuestion,
  count: number,
): Promise<Record<SideName, number[]>> {
  const seconds: Record<SideName, number[]> = { api: [], raw: [], sent: [], bare: [] }
  for (let n = 0; n < count; n += 1) {
    const question = next()
    for (let at = 0; at < SIDES.length; at += 1) {
      const side = SIDES[(n + at) % SIDES.length] as SideName
      seconds[side].push(await sides[side].seconds(askedOf(question, side)))
    }
  }
  for (const side of SIDES) seconds[side].sort((a, b) => a - b)
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
