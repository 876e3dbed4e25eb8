import { setTimeout as sleep } from 'node:timers/promises'
import type { RunDocument } from '../../src/store/runs.ts'
import type { Service } from '../support/service.ts'
import type { Histories } from './support/histories.ts'
import type { BreakableNode } from './support/node.ts'
import type { Place } from './support/over-wire.ts'
import type { Readers } from './support/readers.ts'
import type { Registry } from './support/registry.ts'
import type { Scene } from './support/scenario.ts'

/** What can go wrong with Elasticsearch and on the way to it, and what a load may come to then. */

/** In production half a minute; here short enough to be overrun by purpose. */
export const REQUEST_TIMEOUT_MS = 4_000

export interface Stage extends Place {
  scene: Scene
  registry: Registry
  histories: Histories
  service: Service
  readers: Readers
  label: string
}

/** One fault: brought about while a load is under way and clients read; gives what the load came to. */
export interface Fault {
  name: string
  times: { short: number; long: number }
  /** what the load may end as; whatever it is, the next one must succeed */
  mayEnd: readonly string[]
  /** the reasons a failed load may name */
  codes: readonly string[]
  during(stage: Stage, load: () => Promise<RunDocument | Error>): Promise<RunDocument | Error>
}

const GOOD = ['committed']
const ANY = ['committed', 'failed', 'refused']

export const FAULTS: readonly Fault[] = [
  {
    name: 'bulks answered 429, then accepted',
    times: { short: 2, long: 10 },
    mayEnd: GOOD,
    codes: [],
    async during({ wire }, load) {
      let refusals = 0
      wire.decide(({ path }) => {
        if (!path.includes('_bulk') || refusals >= 3) return 'pass'
        refusals += 1
        return 'refuse'
      })
      return load()
    },
  },
  {
    name: 'every third item of the bulks answered 429, twice',
    times: { short: 2, long: 10 },
    mayEnd: GOOD,
    codes: [],
    async during({ wire }, load) {
      let refusals = 0
      wire.decide(({ path }) => {
        if (!path.includes('_bulk') || refusals >= 2) return 'pass'
        refusals += 1
        return { statusOf: (at) => (at % 3 === 1 ? 429 : null) }
      })
      return load()
    },
  },
  {
    name: 'bulks answered 429 for ever',
    times: { short: 1, long: 5 },
    mayEnd: ['failed'],
    codes: ['store_unavailable'],
    async during({ wire }, load) {
      wire.decide(({ path }) => (path.includes('_bulk') ? 'refuse' : 'pass'))
      return load()
    },
  },
  {
    name: 'one item refused for good (400)',
    times: { short: 1, long: 5 },
    mayEnd: ['failed'],
    codes: ['internal'],
    async during({ wire }, load) {
      wire.decide(({ path }) =>
        path.includes('_bulk') ? { statusOf: (at) => (at === 0 ? 400 : null) } : 'pass',
      )
      return load()
    },
  },
  {
    name: 'connections refused for a second',
    times: { short: 1, long: 5 },
    mayEnd: ANY,
    codes: ['store_unavailable'],
    async during({ wire }, load) {
      wire.decide(() => 'drop')
      const loading = load()
      await sleep(1_000)
      wire.decide(() => 'pass')
      return loading
    },
  },
  {
    name: 'every answer slow (400 ms)',
    times: { short: 1, long: 5 },
    mayEnd: GOOD,
    codes: [],
    async during({ wire }, load) {
      wire.decide(() => sleep(400, 'pass' as const))
      return load()
    },
  },
  {
    name: 'disk watermark: indices read-only, then freed',
    times: { short: 1, long: 5 },
    // Elasticsearch takes such a block away by itself once it sees that there is room.
    mayEnd: ANY,
    codes: ['store_unavailable'],
    async during({ registry }, load) {
      const { client, prefix } = registry.db
      const block = (isOn: boolean | null) =>
        client.indices.putSettings({
          index: `${prefix}-*`,
          settings: { 'index.blocks.read_only_allow_delete': isOn },
        })
      await block(true)
      const run = await load()
      await block(null)
      return run
    },
  },
  outage('Elasticsearch paused (SIGSTOP) past the time-outs', 400, async (node) => {
    node.pause()
    await sleep(2 * REQUEST_TIMEOUT_MS)
    node.resume()
  }),
  outage('Elasticsearch killed (SIGKILL) and started again', 500, async (node) => {
    await node.kill()
    await node.start()
  }),
]

/** The node is hurt at some moment of a load's first milliseconds, and is well again afterwards. */
function outage(
  name: string,
  withinMs: number,
  hurt: (node: BreakableNode) => Promise<void>,
): Fault {
  return {
    name,
    times: { short: 1, long: 6 },
    mayEnd: ANY,
    codes: ['store_unavailable', 'lease_lost'],
    async during({ node }, load) {
      const loading = load()
      await sleep(Math.random() * withinMs)
      await hurt(node)
      return loading
    },
  }
}
