import { LoadFailure, Problem } from '../domain/problem.ts'
import type { Reason, ReasonCode } from '../domain/run.ts'
import { isUnavailable } from '../store/db.ts'

/** The file was read, but must not be applied: it is broken (`failed`), or too implausible (`quarantined`). */
export class RunRefused extends Error {
  readonly status: 'failed' | 'quarantined'
  readonly reasons: readonly Reason[]

  constructor(status: 'failed' | 'quarantined', reasons: readonly Reason[]) {
    super(reasons.map(({ detail }) => detail).join(' '))
    this.name = 'RunRefused'
    this.status = status
    this.reasons = reasons
  }
}

/** Why a run ended the way it did, from whatever was thrown. */
export function reasonsOf(cause: unknown): readonly Reason[] {
  if (cause instanceof RunRefused) return cause.reasons
  return [{ code: codeOf(cause), detail: textOf(cause) }]
}

/** Whether what is wrong is in the file, or in how its definition reads it. */
export function isOfSnapshot(cause: unknown): boolean {
  if (cause instanceof LoadFailure) return cause.code !== 'lease_lost'
  return cause instanceof RunRefused
}

function codeOf(cause: unknown): ReasonCode {
  if (cause instanceof LoadFailure) return cause.code
  if (isUnavailable(cause) || (cause instanceof Problem && cause.code === 'store_unavailable')) {
    return 'store_unavailable'
  }
  if (cause instanceof Error && cause.name === 'AbortError') return 'stopped'
  return 'internal'
}

function textOf(cause: unknown): string {
  if (codeOf(cause) === 'stopped') return 'The loader was stopped while this run was going on.'
  return cause instanceof Error ? cause.message : String(cause)
}
