import { type ParameterError, Problem } from '../domain/problem.ts'
import { narrow, permits, type Scope } from '../domain/scope.ts'
import type { Principal } from './endpoint.ts'

/**
 * The territories a question is about with the key's scope inside. One that was asked for by name and lies
 * outside is refused; when none was named the scope limits silently (decisions section 3).
 */
export function permittedTerritories(
  principal: Principal,
  requested: readonly string[] | undefined,
): Scope {
  const outside = (requested ?? []).filter((territory) => !permits(principal.scope, territory))
  if (outside.length > 0) {
    throw new Problem('forbidden_territory', `The API key does not permit ${outside.join(', ')}.`)
  }
  return narrow(principal.scope, requested)
}

/** Refuses a request for everything that is wrong with it at once. */
export function refuseFaults(faults: readonly ParameterError[]): void {
  if (faults.length === 0) return
  const detail = faults.map(({ parameter, reason }) => `${parameter} ${reason}`).join('; ')
  throw new Problem('invalid_parameter', `${detail}.`, { errors: faults })
}

/** Makes every check of parameters that depend on each other, and refuses once for the faults of all. */
export function checkTogether(checks: readonly (() => unknown)[]): void {
  refuseFaults(checks.flatMap(faultsOf))
}

function faultsOf(check: () => unknown): readonly ParameterError[] {
  try {
    check()
    return []
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.code === 'invalid_parameter') return thrown.errors
    throw thrown
  }
}
