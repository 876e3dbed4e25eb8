/** The territories a key may see: all of them, or a list (spec section 5.2). */
export type Scope = 'all' | readonly string[]

export function permits(scope: Scope, territory: string): boolean {
  return scope === 'all' || scope.includes(territory)
}

/**
 * The territories a question is about once the scope is inside it: `'all'`, or the list to filter by.
 * `requested` undefined means the caller named none. Callers refuse territories outside the scope first.
 */
export function narrow(scope: Scope, requested: readonly string[] | undefined): Scope {
  if (requested === undefined) return scope
  return requested.filter((territory) => permits(scope, territory))
}
