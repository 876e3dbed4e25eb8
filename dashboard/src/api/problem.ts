/** What can stand between the page and an answer. */
export type ProblemKind =
  | 'refused'
  | 'forbidden'
  | 'limited'
  | 'away'
  | 'unavailable'
  | 'not_loaded'
  | 'missing'
  | 'invalid'
  | 'failed'

/** An answer that did not come, or was a refusal. */
export class ApiProblem extends Error {
  readonly kind: ProblemKind
  readonly retryAfterSeconds: number | undefined

  constructor(kind: ProblemKind, detail: string, retryAfterSeconds?: number) {
    super(detail)
    this.name = 'ApiProblem'
    this.kind = kind
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const KIND_OF_STATUS: Readonly<Record<number, ProblemKind>> = {
  400: 'invalid',
  401: 'refused',
  403: 'forbidden',
  404: 'missing',
  429: 'limited',
  502: 'away',
  503: 'unavailable',
  504: 'away',
}

/** Reads a refusal (RFC 9457); whatever stands in front of the API may answer in another shape. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const isProblem = response.headers.get('content-type')?.includes('problem+json') ?? false
  const body: { code?: string; detail?: string } = isProblem ? await response.json() : {}
  const kind =
    body.code === 'territory_not_loaded'
      ? 'not_loaded'
      : (KIND_OF_STATUS[response.status] ?? 'failed')
  const seconds = Number(response.headers.get('retry-after'))
  return new ApiProblem(kind, body.detail ?? `HTTP ${response.status}`, seconds || undefined)
}
