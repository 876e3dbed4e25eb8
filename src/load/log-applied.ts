import { instantOf } from '../domain/time.ts'
import type { RunDocument } from '../store/runs.ts'
import type { LoadContext } from './context.ts'

/** Notes which snapshot a run has applied, so that it can be replayed; other runs applied none. */
export async function logApplied(context: LoadContext, run: RunDocument): Promise<void> {
  const { raw, status, renormalised } = run
  const hasApplied = status === 'committed' || status === 'unchanged'
  if (!hasApplied || renormalised || !raw) return
  const { definition, ...facts } = raw
  try {
    await context.archive.log.append({
      registry: context.db.prefix,
      source_slug: run.source_slug,
      territory_code: run.territory_code,
      run_id: run.run_id,
      definition_version: definition.version,
      observed_at: run.observed_at,
      applied_at: run.finished_at ?? instantOf(context.now()),
      ...facts,
    })
  } catch (err) {
    context.log.error({ err, run_id: run.run_id }, 'could not note what the run has applied')
  }
}
