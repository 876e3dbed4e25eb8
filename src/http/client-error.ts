import type { Duplex } from 'node:stream'
import { Problem } from '../domain/problem.ts'
import { COMMON_HEADERS } from './cors.ts'
import { PROBLEM_CONTENT_TYPE, problemAnswer } from './problem.ts'
import { freshRequestId } from './request-id.ts'

/** What Node's HTTP parser reports about bytes it could not read. */
export interface ClientError extends Error {
  code?: string
  rawPacket?: Buffer
}

/** What became of a request that never was one, for the log. */
export interface Unreadable {
  request_id: string
  status: number
  code: string
}

/**
 * Answers bytes that are no HTTP request with the same error shape as everything else, then hangs up; null when
 * there is nobody to answer.
 */
export function answerClientError(error: ClientError, socket: Duplex): Unreadable | null {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return null
  }
  const problem = problemOf(error)
  const requestId = freshRequestId()
  const { status, headers, body } = problemAnswer(problem, requestId)
  const text = JSON.stringify(body)
  const lines = Object.entries({
    ...COMMON_HEADERS,
    ...headers,
    'Cache-Control': 'no-store',
    Connection: 'close',
    'Content-Length': String(Buffer.byteLength(text)),
    'Content-Type': PROBLEM_CONTENT_TYPE,
    'X-Request-Id': requestId,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${REASON[status] ?? 'Error'}\r\n${lines.join('')}\r\n${text}`)
  return { request_id: requestId, status, code: error.code ?? error.name }
}

const REASON: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
}

function problemOf(error: ClientError): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return urlOverflowed(error.rawPacket)
        ? new Problem('uri_too_long', 'The URL is too long.')
        : new Problem('headers_too_large', 'The headers of the request are too large.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'The request did not arrive in time.')
    default:
      return new Problem('bad_request', 'The bytes received are not a valid HTTP request.')
  }
}

/** The parser does not say which part was too large; when the request line has no end yet, it was the URL. */
function urlOverflowed(packet: Buffer | undefined): boolean {
  if (!packet) return false
  const start = packet.subarray(0, 16).toString('latin1')
  const lineEnd = packet.indexOf('\n')
  return /^[A-Z]+ \S/.test(start) && (lineEnd === -1 || lineEnd > MAX_URL)
}

/** Longest URL that is read; the parser itself takes a little more, headers included. */
export const MAX_URL = 8192
