import { serve } from '../support/api.ts'
import { openAsker, rateOf } from '../support/http.ts'
import type { Figure, Line } from '../support/line.ts'
import { alternate, spreadsOf } from '../support/measure.ts'
import { dashboardOf, type Questions, questionsOf } from '../support/questions.ts'
import { filledRegistry } from '../support/registry.ts'

const RECORDS = 200_000
const WORKERS = 2
const CLIENTS = 32
const SECONDS_PER_TURN = 4

/** `serve --workers 2` beside one process: what is remembered, and what Elasticsearch is asked for. */
export const workers: Line = {
  name: 'workers',
  title: 'Several processes on one port',
  async run(setting) {
    const registry = await filledRegistry(setting, setting.size(RECORDS))
    const { db, state } = registry
    const several = await serve(setting, db, { args: ['--workers', String(WORKERS)] })
    const ours = openAsker(several.url, several.headers)
    const theirs = openAsker(registry.api.url, registry.api.headers)
    const load = { clients: CLIENTS, seconds: SECONDS_PER_TURN }
    const figures: Figure[] = []
    const figure = async (what: string, nextOf: (seed: number) => () => { path: string }) => {
      const pairs = await alternate(setting.times, {
        ours: (turn) => rateOf(ours, nextOf(2 * turn), load),
        theirs: (turn) => rateOf(theirs, nextOf(2 * turn + 1), load),
      })
      const spreads = spreadsOf(pairs)
      figures.push({
        what: `${WORKERS} workers, ${what}`,
        ours: spreads.ours,
        yardstick: { name: 'one process', spread: spreads.theirs },
        unit: 'requests/s',
        judged: spreads.ratio,
      })
    }
    try {
      const { summary } = dashboardOf(db, state)
      const listing = questionsOf(db, state).listing as Questions
      await figure('a repeated summary', () => () => summary?.api as never)
      await figure('listings, all different', (seed) => {
        const next = listing(5_000 + seed)
        return () => next().api
      })
    } finally {
      ours.close()
      theirs.close()
      await several.stop()
      await registry.close()
    }
    return figures
  },
}
