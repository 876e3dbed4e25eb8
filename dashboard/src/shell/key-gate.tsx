import { useState } from 'preact/hooks'
import { tryKey } from '../api/client.ts'
import type { ApiProblem } from '../api/problem.ts'
import { asProblem } from '../api/resource.ts'
import { keepKey } from '../api/session-key.ts'
import { Icon } from '../parts/icon.tsx'
import { text } from '../text/language.ts'

/** Asks for a key and says why one is not taken. */
export function KeyGate({ isRefused }: { isRefused: boolean }) {
  const [typed, setTyped] = useState('')
  const [isChecking, setChecking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const told = problem ?? (isRefused ? text.value.gate_refused : null)

  const enter = async (event: Event) => {
    event.preventDefault()
    const key = typed.trim()
    if (key === '') return setProblem(text.value.gate_empty)
    setChecking(true)
    setProblem(null)
    try {
      await tryKey(key)
      keepKey(key)
    } catch (cause) {
      setProblem(sentenceOf(asProblem(cause)))
    } finally {
      setChecking(false)
    }
  }

  return (
    <main id="main" tabIndex={-1} class="gate">
      <form class="panel gate-form" onSubmit={(event) => void enter(event)}>
        <h1>{text.value.gate_title}</h1>
        <p>{text.value.gate_intro}</p>
        <label htmlFor="key">{text.value.gate_label}</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={typed}
          aria-invalid={told !== null}
          aria-describedby="key-problem"
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <p id="key-problem" class="gate-problem" role="alert">
          {told && (
            <>
              <Icon name="warning" /> {told}
            </>
          )}
        </p>
        <button type="submit" class="button is-main" disabled={isChecking}>
          {isChecking ? text.value.gate_checking : text.value.gate_enter}
        </button>
      </form>
    </main>
  )
}

function sentenceOf(problem: ApiProblem): string {
  if (problem.kind === 'refused') return text.value.gate_refused
  return text.value[`problem_${problem.kind}`]
}
