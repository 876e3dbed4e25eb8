import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { ApiProblem } from '../api/problem.ts'
import type { Resource } from '../api/resource.ts'
import { text } from '../text/language.ts'
import { Icon } from './icon.tsx'

interface PanelProps<Body> {
  title: string
  resource: Resource<Body>
  isEmpty?: (body: Body) => boolean
  emptyText?: string
  aside?: ComponentChildren
  class?: string
  children: (body: Body) => ComponentChildren
}

/** A titled part of the page that shows one answer, or says why it does not. */
export function Panel<Body>({ title, aside, class: extra = '', ...shown }: PanelProps<Body>) {
  const id = useId()
  return (
    <section class={`panel ${extra}`} aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        {aside && <div class="panel-aside">{aside}</div>}
      </header>
      <Answer {...shown} />
    </section>
  )
}

function Answer<Body>({
  resource,
  isEmpty,
  emptyText,
  children,
}: Pick<PanelProps<Body>, 'resource' | 'isEmpty' | 'emptyText' | 'children'>) {
  const { data, problem, isLoading } = resource
  if (data === undefined) {
    return problem ? <ProblemShown problem={problem} retry={resource.reload} /> : <Skeleton />
  }
  return (
    <div class={isLoading ? 'panel-body is-loading' : 'panel-body'} aria-busy={isLoading}>
      {problem && <ProblemShown problem={problem} retry={resource.reload} />}
      {isEmpty?.(data) ? <p class="empty">{emptyText ?? text.value.empty}</p> : children(data)}
    </div>
  )
}

export function ProblemShown({ problem, retry }: { problem: ApiProblem; retry: () => void }) {
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div>
        <p>{text.value[`problem_${problem.kind}`]}</p>
        {problem.kind !== 'away' && (
          <p class="problem-detail" lang="en">
            {problem.message}
          </p>
        )}
        <button type="button" class="button" onClick={retry}>
          {text.value.retry}
        </button>
      </div>
    </div>
  )
}

function Skeleton() {
  return (
    <div class="skeleton" role="status">
      <span class="visually-hidden">{text.value.loading}</span>
      <span class="bone" />
      <span class="bone" />
      <span class="bone" />
    </div>
  )
}
