import { LoadFailure } from '../domain/problem.ts'

/** A failed answer that a later attempt may better; `retryAfter` is the server's word on when. */
export class HttpFailure extends LoadFailure {
  readonly mayPass: boolean
  readonly retryAfter: string | undefined
  readonly wasCompressed: boolean

  constructor(
    failure: Pick<LoadFailure, 'code' | 'message' | 'cause'>,
    more: { mayPass: boolean; retryAfter?: string | undefined; wasCompressed?: boolean },
  ) {
    super(failure.code, failure.message, failure.cause)
    this.mayPass = more.mayPass
    this.retryAfter = more.retryAfter
    this.wasCompressed = more.wasCompressed ?? false
  }
}

/** An address as it may be shown: without the query and without credentials. */
export function nameOf(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`
}

/** How far the body of an answer came. */
export interface Body {
  url: URL
  wire: number
  stated: string | undefined
  wasCompressed: boolean
}

/** What an error while the body arrives means. */
export function bodyFailure(error: unknown, body: Body): unknown {
  if (error instanceof LoadFailure || (error instanceof Error && error.name === 'AbortError'))
    return error
  const code = codeOf(error)
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'Z_BUF_ERROR')
    return shortBody(body.url, body)
  if (
    code.startsWith('Z_') ||
    code.startsWith('ERR_BROTLI') ||
    code.startsWith('ERR__ERROR_FORMAT')
  ) {
    return fail('truncated_body', `${nameOf(body.url)}: the compressed body is damaged`, {
      mayPass: true,
      wasCompressed: true,
      cause: error,
    })
  }
  return error
}

export function shortBody(
  url: URL,
  { wire, stated, wasCompressed }: Omit<Body, 'url'>,
): HttpFailure {
  const expected = stated === undefined ? 'before its end' : `of ${stated} stated`
  return fail(
    'truncated_body',
    `${nameOf(url)}: the body stopped after ${wire} bytes, ${expected}`,
    {
      mayPass: true,
      wasCompressed,
    },
  )
}

export function tooLarge(url: URL, maxBytes: number): HttpFailure {
  return fail('too_large', `${nameOf(url)} sends more than max_bytes, ${maxBytes}`, {
    mayPass: false,
  })
}

interface Circumstances {
  url: URL
  deadline: AbortSignal
  outer: AbortSignal | undefined
  timeoutMs: number
}

/** What an error of the connection means. */
export function failureOf(
  error: unknown,
  { url, deadline, outer, timeoutMs }: Circumstances,
): unknown {
  // What is aborted within the body looks like a body cut short.
  if (error instanceof LoadFailure && error.code !== 'truncated_body') return error
  if (outer?.aborted)
    return fail('stopped', 'The download was stopped', { mayPass: false, cause: error })
  if (deadline.aborted) {
    const seconds = timeoutMs / 1000
    return fail('timeout', `${nameOf(url)} did not finish within ${seconds} s`, {
      mayPass: true,
      cause: error,
    })
  }
  if (error instanceof LoadFailure) return error
  const code = codeOf(error)
  if (isCertificateError(code)) {
    return fail('tls', `${nameOf(url)}: the certificate cannot be verified (${code})`, {
      mayPass: false,
      cause: error,
    })
  }
  if (code && !code.startsWith('ENOSPC') && !code.startsWith('EACCES')) {
    return fail('source_unavailable', `${nameOf(url)} cannot be reached (${code})`, {
      mayPass: true,
      cause: error,
    })
  }
  return error
}

function isCertificateError(code: string): boolean {
  return /CERT|^ERR_TLS|^ERR_SSL|^EPROTO$|^UNABLE_TO_|^INVALID_(CA|PURPOSE)|^HOSTNAME_MISMATCH$|^PATH_LENGTH_EXCEEDED$/.test(
    code,
  )
}

export function fail(
  code: LoadFailure['code'],
  detail: string,
  more: {
    mayPass: boolean
    retryAfter?: string | undefined
    wasCompressed?: boolean
    cause?: unknown
  },
): HttpFailure {
  return new HttpFailure({ code, message: `${detail}.`, cause: more.cause }, more)
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
