import { signal } from '@preact/signals'
import { type Params, parseFragment, type ViewName, writeFragment } from './fragment.ts'

/** Where the page is: a view and its filters, all of it in the fragment, so that a link says everything but the key. */
export const route = signal(parseFragment(location.hash))

export function startRouting(): void {
  window.addEventListener('hashchange', () => {
    route.value = parseFragment(location.hash)
  })
}

/** Changes filters of the present view; undefined or '' removes one. */
export function setParams(changes: Record<string, string | undefined>): void {
  go(route.value.view, { ...route.value.params, ...changes }, 'replace')
}

/** Opens or closes the panel of one pharmacy; Back closes it. */
export function showPharmacy(id: string | undefined): void {
  go(route.value.view, { ...route.value.params, pharmacy: id }, 'push')
}

/** The address of a view; the window and the territories go along. */
export function linkTo(view: ViewName): string {
  const { window, from, to, territories } = route.value.params
  return writeFragment({ view, params: clean({ window, from, to, territories }) })
}

function go(
  view: ViewName,
  params: Record<string, string | undefined>,
  how: 'push' | 'replace',
): void {
  const next = { view, params: clean(params) }
  const fragment = writeFragment(next)
  if (how === 'push') history.pushState(null, '', fragment)
  else history.replaceState(null, '', fragment)
  route.value = next
}

function clean(params: Record<string, string | undefined>): Params {
  return Object.fromEntries(
    Object.entries(params).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
}
