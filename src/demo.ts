import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DemoPlan, type DemoSnapshot, generateDemo } from '../demo/generate.ts'
import type { SourceDefinition } from './domain/definition.ts'
import { OperatorError } from './domain/problem.ts'
import { instantOf } from './domain/time.ts'
import type { LoadContext } from './load/context.ts'
import { loadAll } from './load/load-all.ts'
import { readDefinitions } from './sources/definitions.ts'
import { readState } from './store/state-document.ts'

const SEED = 20_240_101

/**
 * Brings the demo territories to their newest snapshot, once: the files are written on the first start and kept,
 * and snapshots that are applied already are passed over. Returns the folder of their definitions.
 */
export async function loadDemo(
  context: LoadContext,
  { dataDir, say }: { dataDir: string; say: (text: string) => void },
): Promise<string> {
  const plan = await planOf(join(dataDir, 'demo'), context.now())
  const definitions = await readDefinitions(plan.sourcesDir)
  const due = await dueSnapshots(context, plan, definitions)
  if (due.length > 0) {
    say(`Loading ${due.length} dated snapshots of ${definitions.length} invented territories…`)
  }
  for (const snapshot of due) await loadSnapshot(context, snapshot, definitions)
  return plan.sourcesDir
}

async function planOf(folder: string, now: number): Promise<DemoPlan> {
  const file = join(folder, 'plan.json')
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as DemoPlan
  const plan = await generateDemo(folder, { now: instantOf(now), seed: SEED })
  await writeFile(file, JSON.stringify(plan, null, 1))
  return plan
}

async function dueSnapshots(
  { db }: LoadContext,
  plan: DemoPlan,
  definitions: readonly SourceDefinition[],
): Promise<DemoSnapshot[]> {
  const { state } = await readState(db)
  const confirmed = new Map(
    definitions.map(({ slug, territory }) => [
      slug,
      state.territories[territory ?? '']?.confirmed_observed_at ?? '',
    ]),
  )
  return plan.snapshots.filter(({ slug, observed_at }) => observed_at > (confirmed.get(slug) ?? ''))
}

async function loadSnapshot(
  context: LoadContext,
  { slug, file, observed_at }: DemoSnapshot,
  definitions: readonly SourceDefinition[],
): Promise<void> {
  const definition = definitions.find((candidate) => candidate.slug === slug)
  if (!definition) throw new OperatorError(`The demo has no definition ${slug}: remove its folder.`)
  for await (const run of loadAll(context, [{ definition, file, observedAt: observed_at }])) {
    if (run.status === 'committed' || run.status === 'unchanged') continue
    throw new OperatorError(
      `The demo snapshot ${file} ended ${run.status}: ${run.error ?? 'no reason given'}`,
    )
  }
}
