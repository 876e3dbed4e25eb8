import { loadAll } from '../../src/load/load-all.ts'
import { connect } from '../../src/store/client.ts'
import { isUnavailable, openDb } from '../../src/store/db.ts'
import type { RunDocument } from '../../src/store/runs.ts'
import { serveRegistry } from '../support/service.ts'
import { FAULTS, type Fault, REQUEST_TIMEOUT_MS, type Stage } from './elasticsearch-faults.ts'
import { checkRecovered, checkSeen } from './support/checks.ts'
import { type Histories, openHistories } from './support/histories.ts'
import { overWire, type Place } from './support/over-wire.ts'
import { startReaders } from './support/readers.ts'
import { openRegistry } from './support/registry.ts'
import type { Figure, Scenario, Scene } from './support/scenario.ts'

const TERRITORIES = ['ES-MD', 'ES-CT']
const LEASE_MS = 1_000
const PATIENCE = { attempts: 6, firstDelayMs: 50 }
const SERVED_WITHIN_MS = 60_000

/** Faults of Elasticsearch and of the way to it, while a load is under way and clients read. */
export const elasticsearchFaults: Scenario = {
  name: 'elasticsearch',
  run: (scene) => overWire(scene, (place) => breakEverything(scene, place)),
}

async function breakEverything(scene: Scene, { node, wire }: Place): Promise<Figure[]> {
  const registry = await openRegistry({ url: node.url, leaseTtlMs: LEASE_MS })
  const histories = openHistories({
    folder: registry.folder,
    seed: Date.now() % 1_000_000,
    territories: TERRITORIES,
    sizes: [300, 600],
  })
  const client = connect({ url: wire.url, requestTimeoutMs: REQUEST_TIMEOUT_MS })
  const service = await serveRegistry(openDb(client, registry.db.prefix))
  for (const territory of TERRITORIES) {
    await registry.load(histories.request(histories.next(territory)))
  }
  const readers = startReaders({
    urls: [service.url],
    key: await service.key(),
    histories,
    violations: scene.violations,
    mayRefuse: true,
    pauseMs: 100,
  })
  const figures: Figure[] = []
  for (const fault of FAULTS) {
    const times = scene.isLong ? fault.times.long : fault.times.short
    const outcomes: string[] = []
    let slowestRecoveryMs = 0
    for (let count = 0; count < times; count += 1) {
      const label = `${fault.name}, ${count + 1}`
      const stage = { scene, node, wire, registry, histories, service, readers, label }
      const { outcome, recoveryMs } = await bringAbout(fault, stage)
      outcomes.push(outcome)
      slowestRecoveryMs = Math.max(slowestRecoveryMs, recoveryMs)
    }
    const counted = [...new Set(outcomes)].map((outcome) => {
      const count = outcomes.filter((other) => other === outcome).length
      return `${outcome} ${count}`
    })
    figures.push({
      fault: fault.name,
      times,
      outcome: `${counted.join(', ')}; serving after ≤ ${slowestRecoveryMs} ms`,
    })
    scene.say(`${fault.name}: ${figures.at(-1)?.outcome}`)
  }
  await readers.stop()
  await checkSeen(registry, { seen: readers.seen, violations: scene.violations, label: 'faults' })
  const { answers, refused, hungUp, slowestMs } = readers.figures
  figures.push({
    fault: 'answers read meanwhile',
    times: answers,
    outcome: `${refused} were 503 with Retry-After, ${hungUp} cut off, slowest ${slowestMs} ms`,
  })
  await service.close()
  await client.close()
  await registry.close()
  return figures
}

async function bringAbout(
  fault: Fault,
  stage: Stage,
): Promise<{ outcome: string; recoveryMs: number }> {
  const { scene, wire, registry, histories, readers, label } = stage
  const territory = TERRITORIES[Math.floor(Math.random() * TERRITORIES.length)] as string
  const snapshot = histories.next(territory)
  const ended = await fault.during(stage, () => loadOverWire(stage, snapshot))
  wire.decide(() => 'pass')
  const outcome = ended instanceof Error ? 'refused' : ended.status
  scene.violations.check(
    fault.mayEnd.includes(outcome),
    `${label}: the load ended ${outcome}: ${ended instanceof Error ? ended.stack : ended.error}`,
  )
  if (!(ended instanceof Error) && ended.status === 'failed') {
    const codes = ended.reasons.map(({ code }) => code)
    scene.violations.check(
      codes.length > 0 && codes.every((code) => fault.codes.includes(code)),
      `${label}: failed with ${JSON.stringify(ended.reasons)}`,
    )
  }
  if (ended instanceof Error) {
    scene.violations.check(isUnavailable(ended), `${label}: refused with ${ended.stack}`)
  }
  const began = performance.now()
  const isServed = await readers.untilServed(SERVED_WITHIN_MS)
  const recoveryMs = Math.round(performance.now() - began)
  scene.violations.check(isServed, `${label}: the API did not serve again by itself`)
  const next = await registry.load(histories.request(histories.next(territory)))
  scene.violations.check(
    next.status === 'committed',
    `${label}: the next load ended ${next.status}: ${next.error}`,
  )
  await checkRecovered(registry, { histories, violations: scene.violations, label })
  return { outcome, recoveryMs }
}

/** A load of a loader whose every request goes over the wire, with time-outs short enough to be overrun. */
async function loadOverWire(
  { wire, registry, histories }: Stage,
  snapshot: ReturnType<Histories['next']>,
): Promise<RunDocument | Error> {
  const client = connect({ url: wire.url, requestTimeoutMs: REQUEST_TIMEOUT_MS })
  const context = { ...registry.context, db: openDb(client, registry.db.prefix, PATIENCE) }
  try {
    for await (const run of loadAll(context, [histories.request(snapshot)])) return run
    throw new Error('no run')
  } catch (error) {
    return error as Error
  } finally {
    await client.close()
  }
}
