import type { RunShown } from '../../api/shapes.ts'
import { Scroll } from '../../parts/scroll.tsx'
import { When } from '../../parts/when.tsx'
import { formatNumber } from '../../text/format.ts'
import { text } from '../../text/language.ts'
import { territoryName } from '../../text/territory-names.ts'

const COUNTS = ['read', 'added', 'updated', 'removed'] as const

/** The load journal; what was quarantined stands out and says why. */
export function RunTable({ runs }: { runs: readonly RunShown[] }) {
  return (
    <Scroll label={text.value.journal}>
      <table class="runs">
        <thead>
          <tr>
            <th scope="col">{text.value.observed}</th>
            <th scope="col">{text.value.territory}</th>
            <th scope="col">{text.value.status}</th>
            {COUNTS.map((name) => (
              <th key={name} scope="col" class="is-number">
                {text.value[name]}
              </th>
            ))}
            <th scope="col" class="is-number">
              {text.value.events}
            </th>
            <th scope="col">{text.value.run}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.run_id} run={run} />
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function RunRow({ run }: { run: RunShown }) {
  const events = Object.values(run.events).reduce((sum, count) => sum + count, 0)
  return (
    <tr class={`is-${run.status}`} data-run={run.run_id}>
      <td>
        <When instant={run.observed_at} />
      </td>
      <td>{territoryName(run.territory_code)}</td>
      <td>
        <span class={`badge is-${run.status}`}>{text.value[`status_${run.status}`]}</span>
        {run.baseline && <span class="muted"> {text.value.first_load}</span>}
        <Reasons run={run} />
      </td>
      {COUNTS.map((name) => (
        <td key={name} class="is-number">
          {formatNumber(run.counts[name])}
        </td>
      ))}
      <td class="is-number">{formatNumber(events)}</td>
      <td class="code">{run.run_id}</td>
    </tr>
  )
}

function Reasons({ run }: { run: RunShown }) {
  const warnings = run.warnings.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      {run.reasons.map(({ code, detail }) => (
        <p key={code} class="reason" lang="en">
          <b>{code}</b> {detail}
        </p>
      ))}
      {warnings > 0 && (
        <details class="warnings">
          <summary>
            {text.value.warnings}: {formatNumber(warnings)}
          </summary>
          {run.warnings.map(({ code, count, example }) => (
            <p key={code} class="reason" lang="en">
              <b>{code}</b> × {formatNumber(count)}: {example}
            </p>
          ))}
        </details>
      )}
    </>
  )
}
