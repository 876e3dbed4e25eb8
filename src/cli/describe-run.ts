import type { Warning } from '../domain/run.ts'
import type { RunDocument } from '../store/runs.ts'

/** A run in a few lines, for a person. */
export function describe(run: RunDocument): string {
  const { counts } = run
  const lines = [
    `${run.run_id}  ${run.status}${run.baseline ? ' (baseline)' : ''}${run.renormalised ? ' (renormalised)' : ''}` +
      `  ${run.territory_code}  ${run.source_slug}  observed ${run.observed_at}`,
    `  read ${counts.read}, rejected ${counts.rejected}, duplicates ${counts.duplicates}; ` +
      `added ${counts.added}, updated ${counts.updated}, removed ${counts.removed}, unchanged ${counts.unchanged}`,
  ]
  const events = Object.entries(run.events).filter(([, count]) => count > 0)
  if (events.length > 0)
    lines.push(`  events: ${events.map(([type, count]) => `${type} ${count}`).join(', ')}`)
  for (const reason of run.reasons) lines.push(`  ${reason.code}: ${reason.detail}`)
  lines.push(...run.warnings.flatMap(describeWarning))
  if (run.status === 'quarantined') {
    lines.push(
      `  Nothing was changed. Look at it, then: runs approve ${run.run_id}, or runs reject ${run.run_id}`,
    )
  }
  return lines.join('\n')
}

/** A warning with its first few occurrences: of rejected rows these are their ids and why. */
export function describeWarning({ code, count, example, examples }: Warning): string[] {
  if (!examples) return [`  warning ${code} × ${count}, such as: ${example}`]
  return [`  warning ${code} × ${count}, the first:`, ...examples.map((text) => `    ${text}`)]
}
