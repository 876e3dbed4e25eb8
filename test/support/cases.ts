import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parse } from 'yaml'
import type { Run } from '../../src/domain/run.ts'
import { approveRun, rejectRun } from '../../src/load/quarantine.ts'
import { readDefinitions } from '../../src/sources/definitions.ts'
import { publicRun, type RunDocument } from '../../src/store/runs.ts'
import type { TestRegistry } from './loading.ts'
import { type HttpScript, type Stub, startStub } from './stub-server.ts'

/** A loader case folder: inputs, definitions and what must come out, as the cases' README describes it. */
export interface LoaderCase {
  title: string
  sources: string
  steps: Step[]
}

interface Step {
  file?: string
  http?: number
  all?: boolean
  operator?: 'approve' | 'reject'
  observed_at?: string
  sources?: string
  expect: Expectation & { territories?: Record<string, Expectation> }
}

interface Expectation {
  status?: string | string[]
  baseline?: boolean
  counts?: Partial<Run['counts']>
  events?: ExpectedEvent[]
  events_any_of?: ExpectedEvent[][]
  changes?: { upsert: string[]; delete: string[] }
  records?: Record<string, Record<string, unknown>>
  absent?: string[]
  export_count?: number
  reasons?: string[]
  reasons_any?: string[]
  warnings?: Record<string, number>
  warnings_any?: string[]
  warnings_absent?: string[]
}

interface ExpectedEvent {
  event_type: string
  external_id: string
  old?: Record<string, unknown>
  new?: Record<string, unknown>
}

/** Names of the case folders below a folder; empty when it is not there. */
export function caseNames(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'case.yaml')))
    .map(({ name }) => name)
    .sort()
}

/** Plays one case on an empty registry and checks every expectation of every step, and all invariants at the end. */
export async function playCase(folder: string, registry: TestRegistry): Promise<void> {
  const script = parse(readFileSync(join(folder, 'case.yaml'), 'utf8')) as LoaderCase
  const copy = mkdtempSync(join(tmpdir(), 'pharmacy-registry-case-'))
  cpSync(folder, copy, { recursive: true })
  const http = existsSync(join(copy, 'http.json'))
    ? (JSON.parse(readFileSync(join(copy, 'http.json'), 'utf8')) as HttpScript)
    : null
  const stub = http ? await startStub(http, { folder: copy }) : null
  try {
    if (stub) fillPlaceholders(copy, stub)
    await playSteps(script, { copy, registry, stub })
    expect(await registry.broken()).toEqual([])
  } finally {
    await stub?.close()
    rmSync(copy, { recursive: true, force: true })
  }
}

function fillPlaceholders(copy: string, stub: Stub): void {
  for (const folder of readdirSync(copy).filter((name) => name.startsWith('sources'))) {
    for (const file of readdirSync(join(copy, folder))) {
      const path = join(copy, folder, file)
      writeFileSync(path, stub.fill(readFileSync(path, 'utf8')))
    }
  }
}

async function playSteps(
  script: LoaderCase,
  { copy, registry, stub }: { copy: string; registry: TestRegistry; stub: Stub | null },
): Promise<void> {
  let sources = script.sources
  let last: RunDocument[] = []
  for (const [at, step] of script.steps.entries()) {
    sources = step.sources ?? sources
    if (step.http !== undefined) stub?.step(step.http)
    last = step.operator
      ? [await decide(registry, step.operator, last)]
      : await load(registry, step, { copy, sources })
    if (step.http !== undefined)
      expect(stub?.unmet() ?? [], `requests of step ${at + 1}`).toEqual([])
    await checkStep(registry, step, { runs: last, label: `step ${at + 1}` })
  }
}

function decide(
  registry: TestRegistry,
  word: 'approve' | 'reject',
  last: readonly RunDocument[],
): Promise<RunDocument> {
  const quarantined = last.find(({ status }) => status === 'quarantined')
  if (!quarantined) throw new Error('the step before left no quarantined run')
  return { approve: approveRun, reject: rejectRun }[word](registry.context, quarantined)
}

async function load(
  registry: TestRegistry,
  step: Step,
  { copy, sources }: { copy: string; sources: string },
): Promise<RunDocument[]> {
  const definitions = await readDefinitions(join(copy, sources))
  return registry.load(
    ...definitions.map((definition) => ({
      definition,
      ...(step.file === undefined ? {} : { file: join(copy, step.file) }),
      ...(step.observed_at === undefined
        ? {}
        : { observedAt: step.observed_at.replace(/Z$/, '.000Z') }),
    })),
  )
}

async function checkStep(
  registry: TestRegistry,
  step: Step,
  { runs, label }: { runs: readonly RunDocument[]; label: string },
): Promise<void> {
  const own = runs.filter(({ renormalised }) => !renormalised)
  if (!step.expect.territories) {
    expect(own, `${label}: runs`).toHaveLength(1)
    await checkRun(registry, own[0] as RunDocument, { expected: step.expect, label })
    return
  }
  for (const [territory, expected] of Object.entries(step.expect.territories)) {
    const run = own.find(({ territory_code }) => territory_code === territory)
    if (!run) throw new Error(`${label}: no run for ${territory}`)
    await checkRun(registry, run, { expected, label: `${label}, ${territory}` })
  }
}

async function checkRun(
  registry: TestRegistry,
  document: RunDocument,
  { expected, label }: { expected: Expectation; label: string },
): Promise<void> {
  const run = publicRun(document)
  const shown = `${label}: ${run.status} ${JSON.stringify(run.reasons)} ${JSON.stringify(run.warnings)}`
  if (expected.status) expect([expected.status].flat(), shown).toContain(run.status)
  if (expected.baseline !== undefined) expect(run.baseline, shown).toBe(expected.baseline)
  if (expected.counts) expect(run.counts, shown).toMatchObject(expected.counts)
  const reasons = run.reasons.map(({ code }) => code as string)
  for (const code of expected.reasons ?? []) expect(reasons, shown).toContain(code)
  if (expected.reasons_any)
    expect(
      reasons.some((code) => expected.reasons_any?.includes(code)),
      shown,
    ).toBe(true)
  checkWarnings(run, expected, shown)
  const committed = run.status === 'committed'
  await checkEvents(committed ? await registry.eventsOfRun(document.run) : [], expected, label)
  if (expected.changes) {
    const changes = committed ? await registry.changesOfRun(document.run) : []
    const ids = (operation: string) =>
      changes
        .filter((change) => change.operation === operation)
        .map(({ external_id }) => external_id)
        .sort()
    expect({ upsert: ids('upsert'), delete: ids('delete') }, label).toEqual({
      upsert: [...expected.changes.upsert].sort(),
      delete: [...expected.changes.delete].sort(),
    })
  }
  await checkDataset(registry, run.territory_code, { expected, label })
}

function checkWarnings(run: Run, expected: Expectation, shown: string): void {
  const counts = new Map(run.warnings.map(({ code, count }) => [code as string, count]))
  for (const [code, count] of Object.entries(expected.warnings ?? {}))
    expect(counts.get(code), `${shown} ${code}`).toBe(count)
  if (expected.warnings_any)
    expect(
      expected.warnings_any.some((code) => counts.has(code)),
      shown,
    ).toBe(true)
  for (const code of expected.warnings_absent ?? [])
    expect(counts.has(code), `${shown} ${code}`).toBe(false)
}

type SeenEvent = ExpectedEvent & { old: object; new: object }

async function checkEvents(
  seen: readonly SeenEvent[],
  expected: Expectation,
  label: string,
): Promise<void> {
  if (expected.events)
    expect(eventsMatch(seen, expected.events), `${label}: events ${JSON.stringify(seen)}`).toBe(
      true,
    )
  if (expected.events_any_of) {
    const any = expected.events_any_of.some((events) => eventsMatch(seen, events))
    expect(any, `${label}: events ${JSON.stringify(seen)}`).toBe(true)
  }
}

/** Exactly these events, in any order; of old and new only the named fields, but `{}` means empty. */
function eventsMatch(seen: readonly SeenEvent[], expected: readonly ExpectedEvent[]): boolean {
  const left = [...seen]
  for (const wanted of expected) {
    const at = left.findIndex(
      (event) =>
        event.event_type === wanted.event_type &&
        event.external_id === wanted.external_id &&
        sideMatches(event.old, wanted.old) &&
        sideMatches(event.new, wanted.new),
    )
    if (at === -1) return false
    left.splice(at, 1)
  }
  return left.length === 0
}

function sideMatches(side: object, wanted: Record<string, unknown> | undefined): boolean {
  if (!wanted) return true
  if (Object.keys(wanted).length === 0) return Object.keys(side).length === 0
  return Object.entries(wanted).every(([field, value]) =>
    sameValue((side as Record<string, unknown>)[field], value),
  )
}

function sameValue(actual: unknown, wanted: unknown): boolean {
  if (wanted === '<any>') return actual !== null && actual !== undefined
  if (typeof wanted === 'number' && typeof actual === 'number')
    return Math.abs(actual - wanted) <= 1.000001e-6
  return actual === wanted
}

async function checkDataset(
  registry: TestRegistry,
  territory: string,
  { expected, label }: { expected: Expectation; label: string },
): Promise<void> {
  if (!expected.records && !expected.absent && expected.export_count === undefined) return
  const current = await registry.current(territory)
  if (expected.export_count !== undefined)
    expect(current.size, `${label}: export_count`).toBe(expected.export_count)
  for (const id of expected.absent ?? []) expect(current.has(id), `${label}: ${id}`).toBe(false)
  for (const [id, fields] of Object.entries(expected.records ?? {})) {
    const record = current.get(id)
    if (!record) throw new Error(`${label}: no record ${id}`)
    const wrong = Object.entries(fields).filter(
      ([field, value]) => !sameValue(record[field as keyof typeof record], value),
    )
    expect(wrong, `${label}: ${id} is ${JSON.stringify(record)}`).toEqual([])
  }
}
