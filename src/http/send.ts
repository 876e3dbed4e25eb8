import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Problem } from '../domain/problem.ts'
import { GZIP_LEVEL } from './compressed.ts'
import { entityTag, isFresh } from './conditional.ts'
import { COMMON_HEADERS, DATA_SECURITY_POLICY } from './cors.ts'
import { type ContentCoding, chooseCoding } from './encoding.ts'
import type { Answer } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { PROBLEM_CONTENT_TYPE, problemAnswer } from './problem.ts'
import { pump } from './pump.ts'

type StreamAnswer = Extract<Answer, { kind: 'stream' }>
type Headers = Record<string, string>

const compress = promisify(gzip)
/** Below about one network packet compressing only costs. */
const MIN_COMPRESSED_BYTES = 1400

/** How an answer may be kept by caches: always asked for again, and never shared between callers. */
export const PRIVATE_CACHING: Headers = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Accept-Encoding, X-API-Key',
}
export const PUBLIC_CACHING: Headers = { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' }

export interface SendOptions {
  caching: Headers
  /** ends the waiting for a first chunk when it takes too long, or the client goes */
  bounded: <T>(work: Promise<T>) => Promise<T>
  /** called once the head is sent: from here on only the client sets the pace */
  started: () => void
}

/** Sends an answer whole. A stream that fails half-way ends the connection, never the answer. */
export async function sendAnswer(
  exchange: Exchange,
  answer: Answer,
  more: SendOptions,
): Promise<void> {
  const headers = { ...more.caching, ...answer.headers }
  if (answer.tag && isFresh(exchange.request.headers['if-none-match'], answer.tag)) {
    sendHead(exchange, 304, {
      ...headers,
      ETag: entityTag(answer.tag, { compressed: wouldCompress(exchange, answer) }),
    })
    exchange.response.end()
    return
  }
  if (answer.kind === 'stream') return sendStream(exchange, answer, { ...more, headers })
  const contentType = answer.kind === 'json' ? 'application/json' : answer.contentType
  const body = answer.kind === 'json' ? JSON.stringify(answer.body) : answer.body
  const done = answer.kind === 'text' ? answer.done : undefined
  await sendBody(exchange, answer, { headers, contentType, body, done })
}

/** A 304 carries the tag the 200 would have had; whether a small body would be compressed is not known yet. */
function wouldCompress(exchange: Exchange, answer: Answer): boolean {
  return codingFor(exchange, answer) !== null
}

/** A stream is compressed once for all who ask, as a rule; for one caller br is too dear to make. */
function codingFor(exchange: Exchange, { kind }: Answer): ContentCoding | null {
  const offered: ContentCoding[] = kind === 'stream' ? ['br', 'gzip'] : ['gzip']
  return chooseCoding(exchange.request.headers['accept-encoding']?.toString(), offered)
}

async function sendBody(
  exchange: Exchange,
  answer: Answer,
  whole: {
    headers: Headers
    contentType: string
    body: string | Uint8Array
    done?: (() => void) | undefined
  },
): Promise<void> {
  const coding = isWorthCompressing(whole) ? codingFor(exchange, answer) : null
  const body = coding ? await compress(whole.body, { level: GZIP_LEVEL }) : whole.body
  // Compressed it is another body, and this one has been read.
  if (coding) whole.done?.()
  else if (whole.done) exchange.response.once('close', whole.done)
  sendHead(exchange, 200, {
    ...whole.headers,
    'Content-Type': whole.contentType,
    'Content-Length': String(Buffer.byteLength(body)),
    ...codingHeader(coding),
    ...tagHeader(answer, coding),
  })
  exchange.response.end(exchange.request.method === 'HEAD' ? undefined : body)
}

/** Pictures and fonts are compressed already. */
function isWorthCompressing(whole: { contentType: string; body: string | Uint8Array }): boolean {
  if (/^(image\/(?!svg)|font\/)/.test(whole.contentType)) return false
  return Buffer.byteLength(whole.body) >= MIN_COMPRESSED_BYTES
}

async function sendStream(
  exchange: Exchange,
  answer: StreamAnswer,
  more: SendOptions & { headers: Headers },
): Promise<void> {
  const coding = codingFor(exchange, answer)
  const headers = {
    ...more.headers,
    'Content-Type': answer.contentType,
    ...codingHeader(coding),
    ...tagHeader(answer, coding),
  }
  if (exchange.request.method === 'HEAD') {
    sendHead(exchange, 200, headers)
    exchange.response.end()
    return
  }
  let length: number | null = null
  const tell = (bytes: number) => {
    length = bytes
  }
  const chunks = answer.read(coding, tell)[Symbol.asyncIterator]()
  // Awaited before the head is sent: what fails before the first byte is still answered as a problem.
  const first = await firstOf(exchange, chunks, more)
  try {
    more.started()
    sendHead(exchange, 200, { ...headers, ...lengthHeader(length) })
    const next = () => nextOf(exchange, chunks)
    await pump({ first, next, response: exchange.response, done: answer.done })
  } finally {
    letGo(exchange, chunks)
  }
}

/** The first chunk; what was opened is closed again when it does not come, or not in time. */
async function firstOf(
  exchange: Exchange,
  chunks: AsyncIterator<Uint8Array>,
  more: SendOptions,
): Promise<IteratorResult<Uint8Array>> {
  try {
    return await more.bounded(chunks.next())
  } catch (cause) {
    letGo(exchange, chunks)
    throw cause
  }
}

/** Not awaited: it may be waiting for a chunk that does not come. */
function letGo(exchange: Exchange, chunks: AsyncIterator<Uint8Array>): void {
  chunks.return?.().catch((fault: unknown) => {
    exchange.fault ??= fault
  })
}

/** A failure resets the connection, so that not even HTTP/1.0 takes it for the end. */
async function nextOf(
  exchange: Exchange,
  chunks: AsyncIterator<Uint8Array>,
): Promise<IteratorResult<Uint8Array>> {
  try {
    return await chunks.next()
  } catch (cause) {
    exchange.fault ??= cause
    exchange.request.socket.resetAndDestroy()
    throw cause
  }
}

/** So that a caller sees how far a download is, and a cut one at once. */
function lengthHeader(length: number | null): Headers {
  return length === null ? {} : { 'Content-Length': String(length) }
}

function codingHeader(coding: ContentCoding | null): Headers {
  return coding === null ? {} : { 'Content-Encoding': coding }
}

function tagHeader(answer: Answer, coding: ContentCoding | null): Headers {
  return answer.tag ? { ETag: entityTag(answer.tag, { compressed: coding !== null }) } : {}
}

/** Sends a refusal in the one error shape. */
export function sendProblem(exchange: Exchange, problem: Problem): void {
  const answer = problemAnswer(problem, exchange.requestId)
  const body = JSON.stringify(answer.body)
  sendHead(exchange, answer.status, {
    ...answer.headers,
    'Cache-Control': 'no-store',
    'Content-Type': PROBLEM_CONTENT_TYPE,
    'Content-Length': String(Buffer.byteLength(body)),
  })
  exchange.response.end(exchange.request.method === 'HEAD' ? undefined : body)
}

export function sendHead(exchange: Exchange, status: number, headers: Headers): void {
  exchange.response.writeHead(status, {
    ...COMMON_HEADERS,
    'Content-Security-Policy': DATA_SECURITY_POLICY,
    ...exchange.headers,
    ...headers,
  })
}
