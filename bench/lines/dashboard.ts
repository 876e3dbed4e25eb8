import { openAsker, rateOf } from '../support/http.ts'
import type { Figure, Line } from '../support/line.ts'
import { alternate, spreadsOf } from '../support/measure.ts'
import { dashboardOf, OVER } from '../support/questions.ts'
import { filledRegistry } from '../support/registry.ts'

const RECORDS = 200_000
const CLIENTS = 8
const SECONDS_PER_TURN = 4

/** What a dashboard asks again and again, beside the same aggregation straight from Elasticsearch. */
export const dashboard: Line = {
  name: 'dashboard',
  title: 'A dashboard, again and again',
  async run(setting) {
    const registry = await filledRegistry(setting, setting.size(RECORDS))
    const api = openAsker(registry.api.url, registry.api.headers)
    const raw = openAsker(setting.url)
    const load = { clients: CLIENTS, seconds: SECONDS_PER_TURN }
    const figures: Figure[] = []
    try {
      for (const [name, question] of Object.entries(dashboardOf(registry.db, registry.state))) {
        const searches = question.raw
        let asked = 0
        const pairs = await alternate(setting.times, {
          ours: () => rateOf(api, () => question.api, load),
          // An answer that takes several searches is as many requests.
          theirs: async () => {
            const rate = await rateOf(raw, () => searches[asked++ % searches.length] as never, load)
            return rate / searches.length
          },
        })
        const { ours, theirs, ratio } = spreadsOf(pairs)
        figures.push({
          what: `${CLIENTS} clients, ${name}, repeated`,
          ours,
          yardstick: { name: 'the same aggregation straight from Elasticsearch', spread: theirs },
          unit: 'requests/s',
          judged: ratio,
          // From memory on both sides, none can be five times the other.
          ...(name === OVER ? {} : { target: { holds: 'at least', value: 5 } }),
        })
      }
    } finally {
      api.close()
      raw.close()
      await registry.close()
    }
    return figures
  },
}
