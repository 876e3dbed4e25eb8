import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMeters } from '../../src/metrics/meters.ts'
import { alertRules, boardQueries, readBoard, readRules } from '../support/monitoring.ts'
import { faultsIn, metricsIn } from '../support/promql.ts'

const ROOT = join(import.meta.dirname, '../..')
const DURATION = /^(\d+(ms|[smhdwy]))+$/

/** Every name that a scrape can show: a histogram is read under three names. */
async function scrapedNames(): Promise<Set<string>> {
  const { register } = createMeters()
  const all = await register.getMetricsAsJSON()
  return new Set(
    all.flatMap(({ name, type }) =>
      String(type) === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
}

test('the rules have the shape that Prometheus reads', () => {
  const { groups } = readRules()
  expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length)
  const names = alertRules().map(({ alert }) => alert)
  expect(new Set(names).size).toBe(names.length)
  for (const rule of alertRules()) {
    expect(Object.keys(rule).sort(), rule.alert).toEqual(
      ['alert', 'annotations', 'expr', 'labels', ...(rule.for ? ['for'] : [])].sort(),
    )
    if (rule.for) expect(rule.for, rule.alert).toMatch(DURATION)
    expect(['critical', 'warning'], rule.alert).toContain(rule.labels.severity)
    expect(rule.annotations.summary, rule.alert).toBeTruthy()
  }
})

test('what the issue of an operator calls for is watched', () => {
  expect(alertRules().map(({ alert }) => alert)).toEqual(
    expect.arrayContaining([
      'TerritoryStale',
      'RunQuarantined',
      'LoadsFailing',
      'ErrorRate',
      'ElasticsearchRed',
    ]),
  )
})

test('every query of the rules and the board is PromQL', () => {
  const queries = [
    ...alertRules().map(({ alert, expr }) => ({ at: alert, expr })),
    ...boardQueries().map(({ panel, expr }) => ({ at: panel, expr })),
  ]
  expect(
    queries.flatMap(({ at, expr }) => faultsIn(expr).map((fault) => `${at}: ${fault}`)),
  ).toEqual([])
  // A parser that finds no fault in anything would prove nothing.
  expect(faultsIn('sum by (le (rate(x[5m]))')).not.toEqual([])
})

test('every metric that is asked for is one of this service, and none of them is forgotten', async () => {
  const known = await scrapedNames()
  const asked = [...alertRules(), ...boardQueries()].flatMap(({ expr }) => metricsIn(expr))
  expect(asked.filter((name) => name !== 'up' && !known.has(name))).toEqual([])
  const own = [...known].filter((name) => name.startsWith('pharmacy_registry_'))
  const shown = (name: string) => asked.some((each) => each === name)
  const idle = own.filter((name) => !shown(name) && !/_(bucket|sum|count)$/.test(name))
  expect(idle).toEqual(['pharmacy_registry_committed_run'])
})

test('every label that a query reads is one of its metric', async () => {
  const { register } = createMeters()
  const unknown = [...alertRules(), ...boardQueries()].flatMap(({ expr }) =>
    [...expr.matchAll(/(pharmacy_registry_[a-z_]+?)(?:_bucket|_sum|_count)?\{([^}]*)\}/g)].flatMap(
      ([, name, matchers]) => {
        const metric = register.getSingleMetric(name as string) as
          | { labelNames?: readonly string[] }
          | undefined
        const labels = [...(matchers ?? '').matchAll(/([a-z_]+)\s*[!=]/g)].map(([, label]) => label)
        return labels
          .filter((label) => !metric?.labelNames?.includes(label as string))
          .map((label) => `${name}{${label}}`)
      },
    ),
  )
  expect(unknown).toEqual([])
})

test('every alert leads to its paragraph in the operations guide', () => {
  const operations = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
  const headings = [...operations.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading)
  for (const { alert, annotations } of alertRules()) {
    expect(headings, alert).toContain(alert)
    expect(annotations.runbook, alert).toBe(`docs/operations.md#${alert.toLowerCase()}`)
  }
})

test('the board reads the data source that is provisioned, and its panels do not overlap', () => {
  const provisioned = parse(
    readFileSync(join(ROOT, 'deploy/grafana/provisioning/datasources/prometheus.yml'), 'utf8'),
  ) as { datasources: { uid: string }[] }
  const { panels } = readBoard()
  expect(new Set(panels.map(({ datasource }) => datasource.uid))).toEqual(
    new Set(provisioned.datasources.map(({ uid }) => uid)),
  )
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([])
})

test('Prometheus scrapes every part that has metrics, on the port that the containers open', () => {
  const scraped = parse(readFileSync(join(ROOT, 'deploy/prometheus/prometheus.yml'), 'utf8')) as {
    scrape_configs: { static_configs: { targets: string[] }[] }[]
  }
  const targets = scraped.scrape_configs.flatMap(({ static_configs }) =>
    static_configs.flatMap((each) => each.targets),
  )
  expect(targets).toEqual(['api-1:9464', 'api-2:9464', 'loader:9464'])
})
