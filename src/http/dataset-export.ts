import { Problem } from '../domain/problem.ts'
import { permits } from '../domain/scope.ts'
import type { Instant } from '../domain/time.ts'
import { type Dataset, openDataset } from '../store/dataset.ts'
import { type Pin, pinOf, type RegistryState } from '../store/state.ts'
import { entityTag } from './answers.ts'
import { refuseFaults } from './criteria.ts'
import type { Answer, Call, Tag } from './endpoint.ts'
import type { ExportSource } from './export-files.ts'

export interface ExportPath {
  territory_code: string
}

export interface ExportQuery {
  active_only: boolean
  as_of?: Instant
}

/** The committed state that one export shows, from its first byte to its last. */
export interface ExportPlan {
  territory: string
  activeOnly: boolean
  pin: Pin
  /** the run of the territory itself that made what is shown, and when it was committed */
  shown: { run: number; at: Instant }
  /** the last change id of that state, over all territories */
  changesCursor: number
  /** the instant that state was committed: the same for every answer with the same tag */
  generatedAt: Instant
  /** names of what is exported and of the state it shows, for files: the same for every key that may read it */
  file: { body: string; state: string }
  tag: Tag
}

/** Decides what an export shows, in the order of checks of decisions section 1: 400, 403, 503, 404. */
export async function planExport(
  endpoint: string,
  call: Call<ExportPath, ExportQuery>,
): Promise<ExportPlan> {
  const { territory_code: territory } = call.path
  refuseFuture(call.query.as_of, call.now)
  if (!permits(call.principal.scope, territory)) {
    throw new Problem('forbidden_territory', `The API key does not permit ${territory}.`)
  }
  const state = await call.store.state()
  if (!state.territories[territory]) {
    throw new Problem('territory_not_loaded', `${territory} is not loaded yet.`, {
      retryAfterSeconds: 60,
    })
  }
  const at = await shownState(call, state)
  // The commit's instant tells a registry restored from a backup from the one before.
  const parts = [endpoint, call.path, call.query, call.principal.scope, at.pin.run]
  return {
    territory,
    activeOnly: call.query.active_only,
    ...at,
    file: {
      body: `${territory}.${endpoint}.${entityTag([call.query])}`,
      state: entityTag([call.store.db.prefix, at.pin.run, at.generatedAt]),
    },
    tag: { value: entityTag([...parts, at.generatedAt]), weak: false },
  }
}

/** Nothing is known yet about an instant to come. */
export function refuseFuture(asOf: Instant | undefined, now: Instant): void {
  if (asOf !== undefined && asOf > now) {
    refuseFaults([{ parameter: 'as_of', reason: 'must not lie in the future' }])
  }
}

async function shownState(
  { path, query, store }: Call<ExportPath, ExportQuery>,
  state: RegistryState,
): Promise<Pick<ExportPlan, 'pin' | 'shown' | 'changesCursor' | 'generatedAt'>> {
  const pin = pinOf(state)
  if (query.as_of === undefined) {
    const generatedAt = instantOfCommit(pin.run, state.committed_at)
    const territory = state.territories[path.territory_code]
    return {
      pin,
      shown: {
        run: territory?.last_run ?? pin.run,
        at: territory?.last_changed_at ?? generatedAt,
      },
      changesCursor: state.last_change_id,
      generatedAt,
    }
  }
  const run = await store.runAsOf(path.territory_code, query.as_of, pin)
  if (!run) throw beforeBaseline(path.territory_code, query.as_of)
  const committedAt = await store.committedAt([run.run])
  const generatedAt = instantOfCommit(run.run, committedAt.get(run.run))
  return {
    pin: { run: run.run, abandoned: pin.abandoned },
    shown: { run: run.run, at: generatedAt },
    changesCursor: run.last_change_id,
    generatedAt,
  }
}

export function beforeBaseline(territory: string, asOf: Instant): Problem {
  return new Problem('before_baseline', `Nothing of ${territory} was recorded yet at ${asOf}.`)
}

function instantOfCommit(run: number, instant: Instant | null | undefined): Instant {
  if (!instant) throw new Error(`no commit record of visible run ${run}`)
  return instant
}

/**
 * The answer of an export: from a file where it was made before, else made for all who ask meanwhile. `write` turns
 * the records into text.
 */
export function exportAnswer(
  call: Call<ExportPath, ExportQuery>,
  plan: ExportPlan,
  form: {
    contentType: string
    headers?: Record<string, string>
    write: (dataset: Dataset) => AsyncIterable<Uint8Array>
  },
): Answer {
  const { contentType, headers, write } = form
  const source: ExportSource = {
    ...plan.file,
    async *produce(signal) {
      yield* write(await openDataset(call.store.db, { criteria: plan, pin: plan.pin }, signal))
    },
  }
  return {
    kind: 'stream',
    contentType,
    tag: plan.tag,
    ...(headers ? { headers } : {}),
    done: call.exports.giveBack,
    read: (coding, tell) => call.exports.read(source, coding, tell),
  }
}

/** The date part of a file name. */
export function compactDate(now: Instant): string {
  return now.slice(0, 10).replaceAll('-', '')
}
