import { useState } from 'preact/hooks'
import { saveBlob } from '../../api/download.ts'
import type { ApiProblem } from '../../api/problem.ts'
import { asProblem } from '../../api/resource.ts'
import type { Relocation } from '../../api/shapes.ts'
import { walkAll } from '../../api/walk.ts'
import { Icon } from '../../parts/icon.tsx'
import { text } from '../../text/language.ts'
import { relocationsCsv } from './csv.ts'

const PAGE = 5000

/** The whole of the present selection, also what is not loaded into the table. */
export function DownloadCsv({ path }: { path: string }) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const download = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const csv = relocationsCsv(await walkAll<Relocation>(path, PAGE))
      const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
      saveBlob(new Blob([csv], { type: 'text/csv;charset=utf-8' }), `relocations_${day}.csv`)
    } catch (cause) {
      setProblem(asProblem(cause))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {problem && (
        <span class="inline-problem" role="alert">
          {text.value[`problem_${problem.kind}`]}
        </span>
      )}
      <button type="button" class="button" disabled={isBusy} onClick={() => void download()}>
        <Icon name="download" />
        {isBusy ? text.value.downloading : text.value.download_csv}
      </button>
    </>
  )
}
