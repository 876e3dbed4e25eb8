/** The invariants of the stored data, by the letters of docs/architecture.md. */
export const INVARIANTS = {
  a: 'change ids run from 1 without a gap and ascend with runs',
  b: 'replaying all changes gives exactly the current dataset',
  c: 'replaying the changes up to any run gives the dataset of that run',
  d: 'events are exactly what diffing consecutive states yields',
  e: 'the versions of a pharmacy do not overlap',
  f: 'nothing visible carries an abandoned run, and no document is left of a run that never committed',
  g: 'counts in state and journal equal counted documents',
  h: 'content hashes and search fields match the content',
} as const
export type Invariant = keyof typeof INVARIANTS

export interface Verdict {
  ok: boolean
  committed_run: number
  checked: { pharmacies: number; versions: number; changes: number; events: number; runs: number }
  invariants: {
    invariant: Invariant
    meaning: string
    holds: boolean
    violations: number
    examples: string[]
  }[]
}

export interface Report {
  violation(invariant: Invariant, detail: string): void
  verdict(run: number, checked: Verdict['checked']): Verdict
}

const MAX_EXAMPLES = 10

export function openReport(): Report {
  const found = new Map<Invariant, { count: number; examples: string[] }>()
  return {
    violation(invariant, detail) {
      const entry = found.get(invariant) ?? { count: 0, examples: [] }
      entry.count += 1
      if (entry.examples.length < MAX_EXAMPLES) entry.examples.push(detail)
      found.set(invariant, entry)
    },
    verdict: (run, checked) => ({
      ok: found.size === 0,
      committed_run: run,
      checked,
      invariants: (Object.keys(INVARIANTS) as Invariant[]).map((invariant) => ({
        invariant,
        meaning: INVARIANTS[invariant],
        holds: !found.has(invariant),
        violations: found.get(invariant)?.count ?? 0,
        examples: found.get(invariant)?.examples ?? [],
      })),
    }),
  }
}
