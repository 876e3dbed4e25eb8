import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Logger } from 'pino'
import { ANSWER_CACHE_CHANNEL, type CacheLookup } from '../store/answer-cache.ts'
import { watchCalls } from '../store/client-calls.ts'
import type { Db } from '../store/db.ts'
import { stateCollector } from './collect-state.ts'
import { listenForScrapes } from './listener.ts'
import type { Meters } from './meters.ts'

/** One answer of the API, as the server tells it. */
export interface AnsweredRequest {
  method: string
  /** path template; null for addresses that do not exist */
  route: string | null
  status: number
  ms: number
}

export interface Metrics {
  /** where they are served; null while they are off */
  url: string | null
  /** to be told about every answer; absent while metrics are off, so that nothing is measured in vain */
  onAnswer?: (answered: AnsweredRequest) => void
  /** to be told about every alert */
  onAlert?: (outcome: 'delivered' | 'lost') => void
  close(): Promise<void>
}

interface MetricsSettings {
  METRICS_PORT?: number
  METRICS_HOST: string
}

/** Starts measuring this process and serving the figures; without a port nothing is measured at all. */
export async function startMetrics(
  { METRICS_PORT: port, METRICS_HOST: host }: MetricsSettings,
  { db, log }: { db: Db; log: Logger },
): Promise<Metrics> {
  if (port === undefined) return { url: null, close: async () => undefined }
  // Read only when it is needed: it costs a start more than the rest of this folder.
  const { createMeters } = await import('./meters.ts')
  const meters = createMeters()
  const onLookup = (message: unknown) => {
    meters.cacheLookups.inc({ outcome: (message as CacheLookup).outcome })
  }
  const listener = await listenForScrapes(
    { port, host },
    { register: meters.register, collect: stateCollector({ db, log, now: Date.now }, meters) },
  )
  subscribe(ANSWER_CACHE_CHANNEL, onLookup)
  watchCalls(db.client, ({ operation, status, ms }) => {
    meters.storeCalls.observe({ operation, status: status ?? 'none' }, ms / 1000)
  })
  log.info({ url: listener.url }, 'metrics')
  return {
    url: listener.url,
    onAnswer: (answered) => observeAnswer(meters, answered),
    onAlert: (outcome) => meters.alertDeliveries.inc({ outcome }),
    async close() {
      unsubscribe(ANSWER_CACHE_CHANNEL, onLookup)
      await listener.close()
    },
  }
}

function observeAnswer(meters: Meters, { method, route, status, ms }: AnsweredRequest): void {
  meters.requests.observe({ method, route: route ?? 'none', status }, ms / 1000)
}
