import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const PREFIX = 'pharmacy_registry_'
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]
const CALL_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]

/** Every metric of this service, beside what Node.js tells of itself: event-loop delay, memory, processor time. */
export function createMeters() {
  const register = new Registry()
  collectDefaultMetrics({ register })
  return { register, ...processMeters([register]), ...registryMeters([register]) }
}

export type Meters = ReturnType<typeof createMeters>

/** What this process did. */
function processMeters(registers: Registry[]) {
  return {
    requests: new Histogram({
      name: `${PREFIX}request_duration_seconds`,
      help: 'Time from the arrival of a request to the last byte of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    storeCalls: new Histogram({
      name: `${PREFIX}elasticsearch_call_duration_seconds`,
      help: 'Calls to Elasticsearch, retries included; status is none when no answer came.',
      labelNames: ['operation', 'status'],
      buckets: CALL_BUCKETS,
      registers,
    }),
    cacheLookups: counted(registers, {
      name: 'answer_cache_lookups_total',
      help: 'Questions to the cache of answers: hit, shared (being computed already) or miss.',
      outcomes: ['hit', 'shared', 'miss'],
    }),
    alertDeliveries: counted(registers, {
      name: 'alert_deliveries_total',
      help: 'Runs told to the webhook: delivered, or lost after all tries.',
      outcomes: ['delivered', 'lost'],
    }),
  }
}

function counted(
  registers: Registry[],
  { name, help, outcomes }: { name: string; help: string; outcomes: readonly string[] },
) {
  const counter = new Counter({ name: PREFIX + name, help, labelNames: ['outcome'], registers })
  // There from the beginning: a rate over a series that appears with its first event misses that event.
  for (const outcome of outcomes) counter.inc({ outcome }, 0)
  return counter
}

/** How the registry is, whichever process is asked. */
function registryMeters(registers: Registry[]) {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: PREFIX + name, help, labelNames, registers })
  const T = 'territory_code'
  return {
    storeUp: gauge('elasticsearch_up', '1 while the state of the registry can be read.'),
    storeHealth: gauge(
      'elasticsearch_health',
      '1 for what the indices are: green, yellow or red.',
      'status',
    ),
    loadRuns: gauge('load_runs', 'Runs in the journal.', T, 'status'),
    loadsFailing: gauge('loads_failing', '1 when the newest run failed or was abandoned.', T),
    runsWaiting: gauge('runs_waiting', 'Quarantined runs that wait for an operator.', T),
    lastGoodLoadAge: gauge(
      'last_good_load_age_seconds',
      'Time since the newest snapshot known good was observed.',
      T,
    ),
    pharmacies: gauge('pharmacies', 'Pharmacies of the committed state.', T, 'state'),
    lastChangeId: gauge('last_change_id', 'Position of the change feed: the last committed id.'),
    committedRun: gauge('committed_run', 'The newest run that readers see.'),
    leaseOwner: gauge('lease_owner', '1 for who may write; none while nobody does.', 'owner'),
  }
}
