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
 * The ids of one file whose rows contradict each other. During the first reading they are only counted; during the
 * second their rows compete, and what is held is one candidate per such id.
 */
export function createContests(definition: SourceDefinition) {
  const conflicting = definition.duplicates?.conflicting ?? 'first'
  const unlimited = typeof conflicting === 'object'
  const better = winnerOf(definition)
  const contests = new Map<number, Contest>()
  let opened = 0
  let conflicts = 0
  let limit = Number.POSITIVE_INFINITY

  return {
    /** one more id has rows of different content */
    open(): void {
      opened += 1
    },
    /** False when there is no contest, or when so many already fail the run that no winner matters. */
    areWorthDeciding(rows: number): boolean {
      if (opened === 0) return false
      if (unlimited) return true
      limit = Math.floor(rows * MAX_CONFLICT_RATIO)
      return conflicting !== 'error' && !isTooMany(opened, rows, MAX_CONFLICT_RATIO)
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
    conflicts: (): number => Math.max(opened, conflicts),
  }
}
