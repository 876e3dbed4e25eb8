import { type Asker, openAsker, rateOf } from '../support/http.ts'
import type { Figure, Line } from '../support/line.ts'
import { alternate, type Pair, percentile, spreadsOf } from '../support/measure.ts'
import type { Question, Questions } from '../support/questions.ts'
import { questionsOf } from '../support/questions.ts'
import { filledRegistry } from '../support/registry.ts'

const RECORDS = 200_000
const QUESTIONS_PER_TURN = 300
const WARM_UP = 100
const CLIENTS = 32
const SECONDS_PER_TURN = 4

interface Sides {
  api: Asker
  raw: Asker
}

/** One client, and 32 of them, asking what nobody asked before, beside the same searches straight to Elasticsearch. */
export const reads: Line = {
  name: 'reads',
  title: 'Reads that nothing is remembered of',
  async run(setting) {
    const registry = await filledRegistry(setting, setting.size(RECORDS))
    const sides = {
      api: openAsker(registry.api.url, registry.api.headers),
      raw: openAsker(setting.url),
    }
    const figures: Figure[] = []
    try {
      const asked = questionsOf(registry.db, registry.state)
      for (const [name, questions] of Object.entries(asked)) {
        await latencies(sides, questions(0), WARM_UP)
        figures.push(...(await oneClient(setting.times, name, sides, questions)))
      }
      for (const [name, questions] of Object.entries(asked)) {
        figures.push(await manyClients(setting.times, name, sides, questions))
      }
    } finally {
      sides.api.close()
      sides.raw.close()
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
  const turns: { api: number[]; raw: number[] }[] = []
  for (let turn = 1; turn <= times; turn += 1) {
    turns.push(await latencies(sides, questions(turn), QUESTIONS_PER_TURN))
  }
  return [0.5, 0.99].map((share) => {
    const pairs: Pair[] = turns.map(({ api, raw }) => ({
      ours: percentile(api, share) * 1000,
      theirs: percentile(raw, share) * 1000,
    }))
    const { ours, theirs, ratio } = spreadsOf(pairs)
    return {
      what: `One client, ${name}, p${share * 100}`,
      ours,
      yardstick: { name: 'the same search straight to Elasticsearch', spread: theirs },
      unit: 'ms',
      judged: ratio,
      target: { holds: 'at most', value: 1.3 },
    }
  })
}

/** Both sides get the same question one after the other, each first every other time. */
async function latencies(
  { api, raw }: Sides,
  next: () => Question,
  count: number,
): Promise<{ api: number[]; raw: number[] }> {
  const seconds = { api: [] as number[], raw: [] as number[] }
  for (let n = 0; n < count; n += 1) {
    const question = next()
    const askApi = async () => seconds.api.push(await api.seconds(question.api))
    const askRaw = async () => seconds.raw.push(await raw.seconds(question.raw[0] as never))
    for (const ask of n % 2 === 0 ? [askApi, askRaw] : [askRaw, askApi]) await ask()
  }
  seconds.api.sort((a, b) => a - b)
  seconds.raw.sort((a, b) => a - b)
  return seconds
}

async function manyClients(
  times: number,
  name: string,
  { api, raw }: Sides,
  questions: Questions,
): Promise<Figure> {
  const load = { clients: CLIENTS, seconds: SECONDS_PER_TURN }
  // Seeds of its own: nothing asked before is asked again.
  const nextOf = (turn: number, side: 'api' | 'raw') => {
    const next = questions(1_000 + turn * 2 + (side === 'api' ? 0 : 1))
    return () => (side === 'api' ? next().api : (next().raw[0] as never))
  }
  const { ours, theirs, ratio } = spreadsOf(
    await alternate(times, {
      ours: (turn) => rateOf(api, nextOf(turn, 'api'), load),
      theirs: (turn) => rateOf(raw, nextOf(turn, 'raw'), load),
    }),
  )
  return {
    what: `${CLIENTS} clients, ${name}`,
    ours,
    yardstick: { name: 'the same searches straight to Elasticsearch', spread: theirs },
    unit: 'requests/s',
    judged: ratio,
    target: { holds: 'at least', value: 0.7 },
  }
}
