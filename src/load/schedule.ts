import cron from 'node-cron'
import { type SourceDefinition, territoriesOf } from '../domain/definition.ts'
import { LeaseHeld } from '../store/lease.ts'
import { publicRun } from '../store/runs.ts'
import { readState } from '../store/state-document.ts'
import type { LoadContext } from './context.ts'
import { loadAll } from './load-all.ts'

export interface Loader {
  /** no new load begins; a running one ends at its next safe point */
  stop(): Promise<void>
}

/**
 * The cron loader: one schedule per definition, UTC. Loads queue one behind the other, a definition is never
 * queued twice, and a territory that was never loaded is loaded at once.
 */
export function startLoader(
  context: LoadContext,
  definitions: readonly SourceDefinition[],
): Loader {
  const { log } = context
  const stopping = new AbortController()
  const waiting = new Set<string>()
  let queue: Promise<void> = Promise.resolve()

  const enqueue = (definition: SourceDefinition) => {
    if (waiting.has(definition.slug) || stopping.signal.aborted) return
    waiting.add(definition.slug)
    queue = queue.then(async () => {
      waiting.delete(definition.slug)
      if (!stopping.signal.aborted)
        await loadOne({ ...context, signal: stopping.signal }, definition)
    })
  }

  const enabled = definitions.filter((definition) => definition.enabled !== false)
  const tasks = enabled.map((definition) =>
    cron.schedule(definition.schedule, () => enqueue(definition), {
      timezone: 'Etc/UTC',
      name: definition.slug,
    }),
  )
  queue = queue.then(() => enqueueNeverLoaded(context, enabled, enqueue))
  log.info({ sources: enabled.map(({ slug }) => slug) }, 'loader started')

  return {
    async stop() {
      stopping.abort()
      await Promise.all(tasks.map((task) => task.destroy()))
      await queue
    },
  }
}

async function enqueueNeverLoaded(
  { db, log }: LoadContext,
  definitions: readonly SourceDefinition[],
  enqueue: (definition: SourceDefinition) => void,
): Promise<void> {
  try {
    const { state } = await readState(db)
    for (const definition of definitions) {
      if (territoriesOf(definition).some((code) => !state.territories[code])) enqueue(definition)
    }
  } catch (err) {
    log.error({ err }, 'could not tell which territories were never loaded; their schedules stand')
  }
}

/** One load on schedule. Whatever goes wrong is logged, and the schedule goes on. */
async function loadOne(context: LoadContext, definition: SourceDefinition): Promise<void> {
  const { log } = context
  try {
    for await (const run of loadAll(context, [{ definition }])) {
      const { run_id, territory_code, status, counts, events, reasons } = publicRun(run)
      const level = status === 'committed' || status === 'unchanged' ? 'info' : 'warn'
      log[level]({ run_id, territory_code, status, counts, events, reasons }, 'run ended')
    }
  } catch (err) {
    if (err instanceof LeaseHeld)
      log.info({ source: definition.slug, owner: err.owner }, 'skipped: another loader is at work')
    else if (context.signal?.aborted) log.info({ source: definition.slug }, 'load stopped')
    else log.error({ err, source: definition.slug }, 'load failed; next try on schedule')
  }
}
