import type { ReasonCode } from './run.ts'

/** What the API refuses, with a stable code each; http/problem.ts gives every code its status. */
export const PROBLEM_CODES = [
  'invalid_parameter',
  'before_baseline',
  'unauthorized',
  'forbidden_territory',
  'not_found',
  'method_not_allowed',
  'rate_limited',
  'territory_not_loaded',
  'store_unavailable',
  'uri_too_long',
  'bad_request',
  'request_timeout',
  'headers_too_large',
  'overloaded',
  'internal',
] as const
export type ProblemCode = (typeof PROBLEM_CODES)[number]

export interface ParameterError {
  parameter: string
  reason: string
  allowed?: readonly (string | number)[]
  suggestion?: string
}

/**
 * An expected refusal of a request: a stable code and text that is safe to show. The cause is for the log only.
 */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly errors: readonly ParameterError[]
  readonly retryAfterSeconds: number | undefined
  readonly allow: readonly string[] | undefined

  constructor(
    code: ProblemCode,
    detail: string,
    more: {
      errors?: readonly ParameterError[]
      retryAfterSeconds?: number
      allow?: readonly string[]
      cause?: unknown
    } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'Problem'
    this.code = code
    this.errors = more.errors ?? []
    this.retryAfterSeconds = more.retryAfterSeconds
    this.allow = more.allow
  }
}

/** A load that cannot go on: the run ends `failed` with this reason, the served data stays untouched. */
export class LoadFailure extends Error {
  readonly code: ReasonCode

  constructor(code: ReasonCode, detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause })
    this.name = 'LoadFailure'
    this.code = code
  }
}

/** Something the operator must put right before anything starts: a setting, a flag, a definition, a file. */
export class OperatorError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'OperatorError'
  }
}
