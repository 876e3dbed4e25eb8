import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LoadContext } from '../../src/load/context.ts'
import { loadAll } from '../../src/load/load-all.ts'
import { loadFolders } from '../../src/load/load-folders.ts'
import { approveRun, rejectRun } from '../../src/load/quarantine.ts'
import type { RunDocument } from '../../src/store/runs.ts'
import {
  type Foretold,
  inOneOrder,
  listed,
  type Model,
  openModel,
  type Pending,
  type Step,
} from '../support/history.ts'
import { openTestRegistry, type TestRegistry } from '../support/loading.ts'
import { type Mirror, openMirror } from '../support/mirror.ts'
import { EDITS } from '../support/published.ts'
import { type Service, serveRegistry } from '../support/service.ts'
import { itemsOf, walkPages } from '../support/walk.ts'

/** More of them, or a certain one: HISTORIES=20, HISTORY_SEED=… from a failed run. */
const HISTORIES = Number(process.env.HISTORIES ?? 2)
const SEED = process.env.HISTORY_SEED

let folder: string
let registry: TestRegistry
let service: Service
/** two loaders that take turns: what one remembers of a territory may be older than what the other has done since */
let loaders: LoadContext[]
/** every history has territories of its own, so that one registry serves all */
let histories = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pharmacy-registry-history-'))
  registry = await openTestRegistry()
  const other = loadFolders(join(folder, 'other'), registry.db.prefix)
  loaders = [registry.context, { ...registry.context, hashes: other.hashes }]
  service = await serveRegistry(registry.db, { isFresh: true })
})
afterAll(async () => {
  await service.close()
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
})

const step: fc.Arbitrary<Step> = fc.record({
  territory: fc.nat(2),
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constant('load' as const) },
    { weight: 1, arbitrary: fc.constantFrom('same', 'older', 'future', 'broken', 'broken') },
  ),
  edits: fc.array(fc.constantFrom(...EDITS), { maxLength: 6, size: 'max' }),
  isStrict: fc.boolean(),
  isRaised: fc.oneof(
    { weight: 7, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  decision: fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom('approve', 'approve', 'reject') },
  ),
  seed: fc.nat(1_000_000),
})

const history = fc.record({
  territories: fc.integer({ min: 2, max: 3 }),
  seed: fc.nat(1_000_000),
  steps: fc.array(step, { minLength: 30, maxLength: 36, size: 'max' }),
  bootstrapAt: fc.integer({ min: 8, max: 25 }),
  limit: fc.integer({ min: 3, max: 40 }),
})
type History = typeof history extends fc.Arbitrary<infer H> ? H : never

describe('a random history of loads', () => {
  test('leaves what the specification says: datasets, events, changes, mirrors, the past', {
    timeout: 300_000,
  }, async () => {
    await fc.assert(fc.asyncProperty(history, play), {
      numRuns: HISTORIES,
      endOnFailure: true,
      ...(SEED === undefined ? {} : { seed: Number(SEED) }),
    })
  })
})

describe('a definition that is raised while a quarantined run waits', { timeout: 180_000 }, () => {
  const load = {
    territory: 0,
    edits: [],
    isStrict: false,
    isRaised: false,
    decision: null,
    seed: 1,
  } as const
  const growing: Step = {
    ...load,
    kind: 'load',
    edits: ['open', 'open', 'open', 'close'],
    isStrict: true,
  }

  test('the approval reads the last snapshot as the waiting one was read, in a run of its own', async () => {
    const code = nextCode()
    const playing: Playing = {
      model: openModel([code], { folder, seed: 1 }),
      waiting: new Map(),
      kept: new Map(),
    }
    await deliver(playing, { ...load, kind: 'load' })
    await deliver(playing, growing)
    expect(playing.waiting.size).toBe(1)
    // The file is broken, so that the raised version is applied and nothing newer is.
    await deliver(playing, { ...load, kind: 'broken', isRaised: true })
    await decide(playing, { ...load, kind: 'load', decision: 'approve' })
    await deliver(playing, { ...load, kind: 'load' })
    const mirror = openMirror(service, { limit: 5, territories: [code] })
    await mirror.poll()
    const { loaded } = playing.model.territories[0] ?? {}
    expect(mirror.records(code)).toEqual(listed(loaded?.dataset ?? new Map()))
    await checkPast(playing)
    await checkEvents(playing, { codes: [code], limit: 3 })
    expect(await registry.broken()).toEqual([])
  })
})

/** Everything a history is checked against while it goes on. */
interface Playing {
  model: Model
  /** run ids of quarantined runs that wait */
  waiting: Map<Pending, string>
  /** the export of each territory and observed_at, as it was right after its last commit */
  kept: Map<string, unknown>
}

async function play({ territories, seed, steps, bootstrapAt, limit }: History): Promise<void> {
  const codes = Array.from({ length: territories }, () => nextCode())
  const playing: Playing = {
    model: openModel(codes, { folder, seed }),
    waiting: new Map(),
    kept: new Map(),
  }
  const fromNothing = openMirror(service, { limit, territories: codes })
  let fromExport: Mirror | undefined
  let followed: string | undefined

  for (const [at, dealt] of steps.entries()) {
    if (dealt.decision) await decide(playing, dealt)
    await deliver(playing, dealt)
    await fromNothing.poll()
    for (const territory of playing.model.territories) {
      if (!territory.loaded) continue
      expect(fromNothing.records(territory.code), `mirror after step ${at}`).toEqual(
        listed(territory.loaded.dataset),
      )
      if (at < bootstrapAt || fromExport) continue
      followed = territory.code
      fromExport = openMirror(service, { limit, territories: [followed] })
      await fromExport.bootstrap(followed)
    }
  }
  if (fromExport && followed) {
    await fromExport.poll()
    expect(fromExport.records(followed)).toEqual(fromNothing.records(followed))
  }
  expect(playing.kept.size).toBeGreaterThan(1)
  await checkPast(playing)
  await checkEvents(playing, { codes, limit })
  expect(await registry.broken()).toEqual([])
}

function nextCode(): string {
  const at = histories++
  return `ES-${String.fromCharCode(65 + Math.floor(at / 26), 65 + (at % 26))}`
}

async function deliver({ model, waiting, kept }: Playing, dealt: Step): Promise<void> {
  const { definition, text, observedAt, foretold, territory } = model.deliver(dealt)
  const file = join(folder, 'delivered.csv')
  writeFileSync(file, text)
  const runs: RunDocument[] = []
  const loader = loaders[dealt.seed % loaders.length] ?? registry.context
  for await (const run of loadAll(loader, [{ definition, file, observedAt }])) {
    runs.push(run)
    await keep(kept, run)
  }
  expect(runs.map(shown), `${dealt.kind} of ${territory}`).toEqual(foretold)
  const last = runs.at(-1)
  const pending = model.pending.at(-1)
  if (last?.status === 'quarantined' && pending) waiting.set(pending, last.run_id)
}

/** Approves or rejects one of the runs that wait; one that a newer snapshot has superseded is refused. */
async function decide({ model, waiting, kept }: Playing, { decision, seed }: Step): Promise<void> {
  const pending = model.pending[seed % Math.max(1, model.pending.length)]
  if (!pending) return
  const run = await runOf(waiting.get(pending))
  if (decision === 'reject') {
    model.pending.splice(model.pending.indexOf(pending), 1)
    expect(await rejectRun(registry.context, run)).toMatchObject({
      run_id: run.run_id,
      status: 'rejected',
    })
    return
  }
  const { appliedAt } =
    model.territories.find(({ code }) => code === pending.territory)?.loaded ?? {}
  const foretold = model.approve(pending)
  if (!foretold) {
    await expect(approveRun(registry.context, run)).rejects.toThrow('is superseded')
    return
  }
  const approved = await approveRun(registry.context, run)
  expect(approved.run_id).toBe(run.run_id)
  expect(shown(approved)).toEqual(foretold.at(-1))
  // Before it, the last snapshot was read again as the approved one was: the past now shows it so.
  if (foretold.length > 1) kept.delete(pastOf(pending.territory, appliedAt ?? ''))
  await keep(kept, approved)
}

async function runOf(id: string | undefined): Promise<RunDocument> {
  const found = await registry.db.client.get<RunDocument>({
    index: registry.db.alias('runs'),
    id: id ?? '',
  })
  return found._source as RunDocument
}

function shown({ status, renormalised, baseline, events, counts }: RunDocument): Foretold {
  const { added, updated, removed } = counts
  const hasChanged = status === 'committed' || status === 'quarantined'
  return {
    status,
    renormalised,
    baseline,
    events,
    changes: hasChanged ? { added, updated, removed } : { added: 0, updated: 0, removed: 0 },
  }
}

async function keep(kept: Map<string, unknown>, run: RunDocument): Promise<void> {
  if (run.status !== 'committed') return
  const { body } = await service.get(`/v1/farmacias/export/${run.territory_code}/json`)
  kept.set(pastOf(run.territory_code, run.observed_at), body)
}

function pastOf(territory: string, observedAt: string): string {
  return `${territory}/json?as_of=${observedAt}`
}

async function checkPast({ kept }: Playing): Promise<void> {
  for (const [path, exported] of kept) {
    const { body } = await service.get(`/v1/farmacias/export/${path}`)
    expect(body, path).toEqual(exported)
  }
}

async function checkEvents(
  { model }: Playing,
  { codes, limit }: { codes: string[]; limit: number },
): Promise<void> {
  const window = `from=2024-01-01T00:00:00Z&territories=${codes.join(',')}`
  const path = `/v1/farmacias/business-events?${window}&limit=${limit}`
  const items = itemsOf(await walkPages(service, path)) as Record<string, unknown>[]
  const positions = items.map(
    ({ occurred_at, event_id }) => `${occurred_at} ${String(event_id).padStart(9, '0')}`,
  )
  expect(positions).toEqual([...positions].sort().reverse())
  expect(inOneOrder(items)).toEqual(inOneOrder(model.events))
  const { body } = await service.get(`/v1/farmacias/business-events/summary?${window}`)
  expect(body.total).toBe(model.events.length)
}
