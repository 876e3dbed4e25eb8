import type { Verdict } from '../verify/report.ts'
import { verify } from '../verify/verify.ts'
import { parseFlags } from './arguments.ts'
import { print } from './output.ts'
import type { ReadyCommand } from './runtime.ts'

export const VERIFY_HELP = `verify [--json]     checks every invariant of the stored data; exit 1 and a list when one is broken`

export async function verifyCommand(args: readonly string[]): Promise<ReadyCommand> {
  const { values } = parseFlags(
    args,
    { json: { type: 'boolean' } },
    { min: 0, max: 0, usage: 'verify [--json]' },
  )
  return async ({ db }) => {
    const verdict = await verify(db)
    print(values.json ? JSON.stringify(verdict) : describe(verdict))
    return verdict.ok ? 0 : 1
  }
}

function describe({ committed_run, checked, invariants }: Verdict): string {
  const { pharmacies, versions, changes, events, runs } = checked
  const head =
    `Committed run ${committed_run}: ${pharmacies} pharmacies, ${versions} versions, ` +
    `${changes} changes, ${events} events, ${runs} runs.`
  const lines = invariants.flatMap(({ invariant, meaning, holds, violations, examples }) => [
    `${holds ? 'holds ' : 'BROKEN'}  (${invariant}) ${meaning}${holds ? '' : `: ${violations} violations`}`,
    ...examples.map((example) => `          ${example}`),
  ])
  return [head, ...lines].join('\n')
}
