import type { SourceDefinition } from '../domain/definition.ts'
import { isTooMany, MAX_CONFLICT_RATIO } from './guards.ts'
import type { Judged } from './normalise.ts'
import { type Candidate, candidateOf, winnerOf } from './winner.ts'

interface Contest {
  best: Candidate
  /** the different contents met; unused where the definition prefers one and any number may compete */
  contents: Set<string>
}

/**
 * Decides which row stands for an id whose rows contradict each other. The rows compete during a second reading; what is
 * held is one candidate per such id.
 */
export function createContests(definition: SourceDefinition) {
  const conflicting = definition.duplicates?.conflicting ?? 'first'
  const unlimited = typeof conflicting === 'object'
  const better = winnerOf(definition)
  const contests = new Map<number, Contest>()
  let conflicts = 0
  let limit = Number.POSITIVE_INFINITY

  return {
    /** False when no id is contested, or when so many already fail the run that no winner matters. */
    areWorthDeciding(contested: number, rows: number): boolean {
      if (contested === 0 || unlimited) return contested > 0
      limit = Math.floor(rows * MAX_CONFLICT_RATIO)
      return conflicting !== 'error' && !isTooMany(contested, rows, MAX_CONFLICT_RATIO)
    },
    /** One row of a contested id. Once the limit is passed the run fails anyway, and nothing more is held. */
    enter(id: number, judged: Extract<Judged, { kind: 'record' }>): void {
      const contest = contests.get(id)
      if (contest?.contents.has(judged.hash) || conflicts > limit) return
      const candidate = candidateOf(judged.record, judged.hash, judged.prefer)
      if (!contest) {
        contests.set(id, { best: candidate, contents: new Set(unlimited ? [] : [judged.hash]) })
        return
      }
      contest.best = better(contest.best, candidate)
      if (unlimited) return
      contest.contents.add(judged.hash)
      conflicts += 1
    },
    *winners(): Iterable<[id: number, hash: string]> {
      for (const [id, { best }] of contests) yield [id, best.hash]
    },
    /** rows that say something else than a row of their id before them, each content once */
    conflicts: (): number => conflicts,
  }
}
