import { verify } from '../verify/verify.ts'
import { parseFlags } from './arguments.ts'
import { print } from './output.ts'
import type { Runtime } from './runtime.ts'

export const VERIFY_HELP = `verify [--json]     checks every invariant of the stored data; exit 1 and a list when one is broken`

export async function verifyCommand({ db }: Runtime, args: readonly string[]): Promise<number> {
  const { values } = parseFlags(args, { json: { type: 'boolean' } }, { min: 0, max: 0, usage: 'verify [--json]' })
  const verdict = await verify(db)
  if (values.json) print(JSON.stringify(verdict))
  else {
    const { checked } = verdict
    print(
      `Committed run ${verdict.committed_run}: ${checked.pharmacies} pharmacies, ${checked.versions} versions, ` +
        `${checked.changes} changes, ${checked.events} events, ${checked.runs} runs.`,
    )
    for (const { invariant, meaning, holds, violations, examples } of verdict.invariants) {
      print(`${holds ? 'holds ' : 'BROKEN'}  (${invariant}) ${meaning}${holds ? '' : `: ${violations} violations`}`)
      for (const example of examples) print(`          ${example}`)
    }
  }
  return verdict.ok ? 0 : 1
}
