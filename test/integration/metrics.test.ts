import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { generateDemo } from '../../demo/generate.ts'
import type { SourceDefinition } from '../../src/domain/definition.ts'
import { buildLog } from '../../src/log.ts'
import { type Metrics, startMetrics } from '../../src/metrics/metrics.ts'
import { readDefinitions } from '../../src/sources/definitions.ts'
import { connect } from '../../src/store/client.ts'
import { openDb } from '../../src/store/db.ts'
import { takeLease } from '../../src/store/lease.ts'
import { openTestRegistry, registryForTest, type TestRegistry } from '../support/loading.ts'
import { alertRules, boardQueries } from '../support/monitoring.ts'
import { metricsIn } from '../support/promql.ts'
import { aListed, registerDefinition, writeRegister } from '../support/register.ts'
import { type Service, serveRegistry } from '../support/service.ts'

const log = buildLog({ level: 'silent' })
const ON = { METRICS_PORT: 0, METRICS_HOST: '127.0.0.1' }
const DEMO = ['ES-CT', 'ES-MC', 'ES-MD', 'ES-NC', 'ES-PV']

let folder: string
let registry: TestRegistry
let metrics: Metrics
let service: Service

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'metrics-'))
  registry = await openTestRegistry()
  metrics = await startMetrics(ON, { db: registry.db, log })
  await loadFirstOfDemo()
  service = await serveRegistry(registry.db, {
    ...(metrics.onAnswer ? { onAnswer: metrics.onAnswer } : {}),
  })
  await service.get('/v1/farmacias/territories')
  await service.get('/v1/farmacias/business-events?days=30')
  await service.get('/v1/farmacias/business-events?days=30&to=2020-01-01T00:00:00Z')
  await service.get('/v1/farmacias/business-events?days=30&to=2020-01-01T00:00:00Z')
  await service.get('/v1/nothing-here')
}, 240_000)
afterAll(async () => {
  await service.close()
  await metrics.close()
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The first two snapshots of each demo territory: a baseline, and what changed. */
async function loadFirstOfDemo(): Promise<void> {
  const plan = await generateDemo(folder, { now: new Date().toISOString(), seed: 1 })
  for (const definition of await readDefinitions(plan.sourcesDir)) {
    const own = plan.snapshots.filter(({ slug }) => slug === definition.slug).slice(0, 2)
    await registry.load(...own.map((each) => requestOf(definition, each)))
  }
}

function requestOf(
  definition: SourceDefinition,
  { file, observed_at }: { file: string; observed_at: string },
) {
  return { definition, file, observedAt: observed_at }
}

/** A scrape as series → value, as Prometheus would read it. */
async function scrape(from = metrics): Promise<Map<string, number>> {
  const answer = await fetch(from.url as string)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
  const series = new Map<string, number>()
  for (const line of (await answer.text()).split('\n')) {
    const [, name, value] = /^([a-z0-9_]+(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    if (name !== undefined) series.set(name, Number(value))
  }
  return series
}

/** The labels and values of one metric. */
function of(series: ReadonlyMap<string, number>, name: string): Record<string, number> {
  return Object.fromEntries(
    [...series].filter(([key]) => key === name || key.startsWith(`${name}{`)),
  )
}

test('after the demo load every metric of the rules and the board has a series', async () => {
  const series = await scrape()
  const names = new Set([...series.keys()].map((key) => key.split('{')[0] as string))
  const asked = [...alertRules(), ...boardQueries()].flatMap(({ expr }) => metricsIn(expr))
  const own = asked.filter((name) => name !== 'up' && name !== 'ALERTS')
  expect(own.filter((name) => !names.has(name))).toEqual([])
})

test('the registry itself is told: territories, feed, lease, health', async () => {
  const series = await scrape()
  const state = await registry.state()
  expect(of(series, 'pharmacy_registry_elasticsearch_up')).toEqual({
    pharmacy_registry_elasticsearch_up: 1,
  })
  expect(of(series, 'pharmacy_registry_elasticsearch_health')).toEqual({
    'pharmacy_registry_elasticsearch_health{status="green"}': 1,
    'pharmacy_registry_elasticsearch_health{status="yellow"}': 0,
    'pharmacy_registry_elasticsearch_health{status="red"}': 0,
  })
  expect(series.get('pharmacy_registry_last_change_id')).toBe(state.last_change_id)
  expect(series.get('pharmacy_registry_committed_run')).toBe(state.committed_run)
  expect(of(series, 'pharmacy_registry_lease_owner')).toEqual({
    'pharmacy_registry_lease_owner{owner="none"}': 1,
  })
  for (const code of DEMO) {
    const age = series.get(
      `pharmacy_registry_last_good_load_age_seconds{territory_code="${code}"}`,
    ) as number
    const observed = Date.parse(state.territories[code]?.confirmed_observed_at as string)
    expect(Math.abs(age - (Date.now() - observed) / 1000), code).toBeLessThan(5)
    expect(series.get(`pharmacy_registry_loads_failing{territory_code="${code}"}`)).toBe(0)
    expect(series.get(`pharmacy_registry_runs_waiting{territory_code="${code}"}`)).toBe(0)
    expect(
      series.get(`pharmacy_registry_pharmacies{territory_code="${code}",state="active"}`),
    ).toBe(state.territories[code]?.active)
    const committed = `pharmacy_registry_load_runs{territory_code="${code}",status="committed"}`
    expect(series.get(committed), code).toBeGreaterThan(0)
  }
})

test('this process is told: requests by route and status, calls, cache, event loop', async () => {
  const series = await scrape()
  const count = (labels: string) =>
    series.get(`pharmacy_registry_request_duration_seconds_count{${labels}}`)
  expect(count('method="GET",route="/v1/farmacias/territories",status="200"')).toBe(1)
  expect(count('method="GET",route="/v1/farmacias/business-events",status="200"')).toBe(3)
  expect(count('method="GET",route="none",status="404"')).toBe(1)
  const lookups = of(series, 'pharmacy_registry_answer_cache_lookups_total')
  expect(lookups['pharmacy_registry_answer_cache_lookups_total{outcome="hit"}']).toBe(1)
  const calls = of(series, 'pharmacy_registry_elasticsearch_call_duration_seconds_count')
  const name = 'pharmacy_registry_elasticsearch_call_duration_seconds_count'
  expect(calls[`${name}{operation="bulk",status="200"}`]).toBeGreaterThan(0)
  expect(calls[`${name}{operation="search",status="200"}`]).toBeGreaterThan(0)
  expect(series.has('nodejs_eventloop_lag_p99_seconds')).toBe(true)
})

test('a failed and a quarantined load show, and who holds the lease', async () => {
  const own = await registryForTest()
  const watched = await startMetrics(ON, { db: own.db, log })
  onTestFinished(() => watched.close())
  const register = Array.from({ length: 40 }, (_, at) => aListed(`F${at}`))
  const wary = registerDefinition(folder, {
    territory: 'ES-AR',
    guards: { max_removed_ratio: 0.05, floor: 10 },
  })
  const load = (name: string, rows: typeof register, day: number) =>
    own.load({
      definition: wary,
      file: writeRegister(folder, name, rows),
      observedAt: `2026-01-0${day}T05:00:00.000Z`,
    })
  const waiting = 'pharmacy_registry_runs_waiting{territory_code="ES-AR"}'
  const failing = 'pharmacy_registry_loads_failing{territory_code="ES-AR"}'

  await load('first', register, 1)
  const [removal] = await load('removal', register.slice(0, 20), 2)
  expect(removal?.status).toBe('quarantined')
  expect((await scrape(watched)).get(waiting)).toBe(1)
  const [empty] = await load('empty', [], 3)
  expect(empty?.status).toBe('failed')
  expect((await scrape(watched)).get(failing)).toBe(1)

  await load('good', register.slice(0, 39), 4)
  const lease = await takeLease(own.db, { owner: 'somebody process 1', waitMs: 0 })
  const after = await scrape(watched)
  await lease.release({ dirty: false })
  expect([after.get(waiting), after.get(failing)]).toEqual([0, 0])
  expect(of(after, 'pharmacy_registry_lease_owner')).toEqual({
    'pharmacy_registry_lease_owner{owner="somebody process 1"}': 1,
  })
  expect(of(after, 'pharmacy_registry_load_runs')).toEqual({
    'pharmacy_registry_load_runs{territory_code="ES-AR",status="committed"}': 2,
    'pharmacy_registry_load_runs{territory_code="ES-AR",status="failed"}': 1,
    'pharmacy_registry_load_runs{territory_code="ES-AR",status="quarantined"}': 1,
  })
})

test('while the store is away the scrape still answers, without old figures', async () => {
  const away = openDb(connect({ url: 'http://127.0.0.1:9' }), 'nowhere')
  const watched = await startMetrics(ON, { db: away, log })
  onTestFinished(() => watched.close())
  const series = await scrape(watched)
  expect(series.get('pharmacy_registry_elasticsearch_up')).toBe(0)
  expect(of(series, 'pharmacy_registry_last_change_id')).toEqual({})
  expect(of(series, 'pharmacy_registry_elasticsearch_health')).toEqual({})
  expect(
    Object.keys(of(series, 'pharmacy_registry_elasticsearch_call_duration_seconds_count')),
  ).toContain(
    'pharmacy_registry_elasticsearch_call_duration_seconds_count{operation="cluster",status="none"}',
  )
})

test('nothing but the metrics is served, and nothing at all without a port', async () => {
  const url = new URL('/', metrics.url as string)
  expect((await fetch(url)).status).toBe(404)
  expect((await fetch(metrics.url as string, { method: 'POST' })).status).toBe(404)
  const off = await startMetrics({ METRICS_HOST: '127.0.0.1' }, { db: registry.db, log })
  expect(off.url).toBeNull()
  expect(off.onAnswer).toBeUndefined()
  await off.close()
})
