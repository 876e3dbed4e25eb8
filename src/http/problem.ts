import Type from 'typebox'
import { PROBLEM_CODES, Problem, type ProblemCode } from '../domain/problem.ts'

/** The status of every code; exhaustive, so a new code does not compile without one. */
export const STATUS: Record<ProblemCode, number> = {
  invalid_parameter: 400,
  bad_request: 400,
  unauthorized: 401,
  forbidden_territory: 403,
  not_found: 404,
  before_baseline: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  uri_too_long: 414,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  territory_not_loaded: 503,
  store_unavailable: 503,
  overloaded: 503,
}

/** The kind of problem in a few words. */
export const TITLE: Record<ProblemCode, string> = {
  invalid_parameter: 'A parameter is not valid',
  bad_request: 'The request is not valid HTTP',
  unauthorized: 'A valid API key is required',
  forbidden_territory: 'The API key does not permit this territory',
  not_found: 'Not found',
  before_baseline: 'Nothing was recorded yet at that instant',
  method_not_allowed: 'Method not allowed',
  request_timeout: 'The request took too long to arrive',
  uri_too_long: 'The URL is too long',
  rate_limited: 'Too many requests',
  headers_too_large: 'The request headers are too large',
  internal: 'Internal error',
  territory_not_loaded: 'The territory is not loaded yet',
  store_unavailable: 'The data store is not available',
  overloaded: 'The service is overloaded',
}

export const PROBLEM_CONTENT_TYPE = 'application/problem+json'

/** The one error shape (RFC 9457), for every status ≥ 400 and whatever Accept says. */
export const ProblemBody = Type.Object(
  {
    type: Type.String({
      format: 'uri-reference',
      description: 'Where this kind of problem is explained: an anchor of the documentation page.',
      examples: ['/docs#problem-invalid_parameter'],
    }),
    title: Type.String({
      description: 'The kind of problem in a few words; the same for one code.',
    }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What is wrong with this request, for a person to read.' }),
    code: Type.Enum([...PROBLEM_CODES], {
      description: 'Stable name of the kind of problem, for programs.',
    }),
    request_id: Type.String({
      description: 'Identifier of the request, also in X-Request-Id and in the log of the service.',
    }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          parameter: Type.String({ description: 'Name of the parameter at fault.' }),
          reason: Type.String({ description: 'What is wrong with it.' }),
          allowed: Type.Optional(
            Type.Array(Type.Union([Type.String(), Type.Number()]), {
              description: 'The values that are accepted, when they are few.',
            }),
          ),
          suggestion: Type.Optional(
            Type.String({ description: 'The name or value that was probably meant.' }),
          ),
        }),
        { description: 'Every faulty parameter of the request; present for status 400.' },
      ),
    ),
  },
  { description: 'A refused request (RFC 9457).' },
)
export type ProblemBody = Type.Static<typeof ProblemBody>

/** What is answered for a problem, apart from the headers every answer has. */
export interface ProblemAnswer {
  status: number
  headers: Record<string, string>
  body: ProblemBody
}

/** Anything that was thrown as a problem; what was not thrown on purpose becomes `internal`, without its text. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown
  return new Problem(
    'internal',
    'Something went wrong on our side; the request can be tried again.',
    {
      cause: thrown,
    },
  )
}

/** The answer to a problem. `type` is relative: the documentation is served by the same service. */
export function problemAnswer(problem: Problem, requestId: string): ProblemAnswer {
  const status = STATUS[problem.code]
  return {
    status,
    headers: headersOf(problem),
    body: {
      type: `/docs#problem-${problem.code}`,
      title: TITLE[problem.code],
      status,
      detail: problem.message,
      code: problem.code,
      request_id: requestId,
      ...(problem.errors.length > 0 ? { errors: problem.errors.map(errorEntry) } : {}),
    },
  }
}

function errorEntry(error: Problem['errors'][number]) {
  const { allowed, ...rest } = error
  return allowed === undefined ? rest : { ...rest, allowed: [...allowed] }
}

/** Retry-After when none is named: long enough to matter, short enough not to be missed. */
const RETRY_AFTER_SECONDS = 5

function headersOf(problem: Problem): Record<string, string> {
  const status = STATUS[problem.code]
  const headers: Record<string, string> = {}
  if (status === 429 || status === 503) {
    const seconds = problem.retryAfterSeconds ?? RETRY_AFTER_SECONDS
    headers['Retry-After'] = String(Math.max(1, Math.ceil(seconds)))
  }
  if (problem.allow) headers.Allow = problem.allow.join(', ')
  // RFC 9110 wants a challenge on every 401; the scheme is the header named in the documentation.
  if (status === 401)
    headers['WWW-Authenticate'] = 'ApiKey realm="pharmacy registry", header="X-API-Key"'
  return headers
}
