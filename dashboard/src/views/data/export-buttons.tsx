import { useState } from 'preact/hooks'
import { getBlob } from '../../api/client.ts'
import { saveBlob } from '../../api/download.ts'
import type { ApiProblem } from '../../api/problem.ts'
import { asProblem } from '../../api/resource.ts'
import { fill } from '../../text/fill.ts'
import { text } from '../../text/language.ts'
import { territoryName } from '../../text/territory-names.ts'

const FORMATS = ['csv', 'json', 'geojson'] as const
type Format = (typeof FORMATS)[number]

/** The current dataset of one territory as a file; the key goes in a header, so it is fetched and then saved. */
export function ExportButtons({ code }: { code: string }) {
  const [busy, setBusy] = useState<Format | null>(null)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const download = async (format: Format) => {
    setBusy(format)
    setProblem(null)
    try {
      const { blob, filename } = await getBlob(`/v1/farmacias/export/${code}/${format}`)
      saveBlob(blob, filename ?? `${code}.${format}`)
    } catch (cause) {
      setProblem(asProblem(cause))
    } finally {
      setBusy(null)
    }
  }
  return (
    <span class="exports">
      {FORMATS.map((format) => (
        <button
          key={format}
          type="button"
          class="button is-small"
          disabled={busy !== null}
          aria-label={fill(text.value.export_label, {
            name: territoryName(code),
            format: format.toUpperCase(),
          })}
          onClick={() => void download(format)}
        >
          {busy === format ? '…' : format.toUpperCase()}
        </button>
      ))}
      {problem && (
        <span class="inline-problem" role="alert">
          {text.value[`problem_${problem.kind}`]}
        </span>
      )}
    </span>
  )
}
