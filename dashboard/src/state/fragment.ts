export const VIEWS = ['overview', 'relocations', 'latest', 'data'] as const
export type ViewName = (typeof VIEWS)[number]
export type Params = Readonly<Record<string, string>>

export interface Route {
  view: ViewName
  params: Params
}

/** `#/relocations?window=30d&old_city=Soria`; what is unknown leads to the overview. */
export function parseFragment(fragment: string): Route {
  const [, path = '', query = ''] = /^#?\/?([^?]*)\??(.*)$/.exec(fragment) ?? []
  const view = VIEWS.find((name) => name === path) ?? 'overview'
  return { view, params: Object.fromEntries(new URLSearchParams(query)) }
}

/** The inverse; names in one order, so that equal states have equal links. */
export function writeFragment({ view, params }: Route): string {
  const entries = Object.entries(params).sort(([a], [b]) => a.localeCompare(b))
  const query = new URLSearchParams(entries).toString()
  return `#/${view}${query === '' ? '' : `?${query}`}`
}
