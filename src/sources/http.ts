import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { getCACertificates } from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import project from '../../package.json' with { type: 'json' }
import { bodyFailure, fail, failureOf, nameOf, shortBody, tooLarge } from './http-failure.ts'

/** One GET request whose body goes to a file. */
export interface HttpRequest {
  url: URL
  headers: Readonly<Record<string, string>>
  /** certificates in PEM that are trusted besides the usual ones */
  ca: string | null
  timeoutMs: number
  maxBytes: number
  /** where the body is written */
  file: string
  signal: AbortSignal | undefined
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string>
  /** the address that answered, after redirects */
  url: URL
  sha256: string
  bytes: number
}

const MAX_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const USER_AGENT = `${project.name}/${project.version} (open data loader)`

/**
 * Asks once, follows redirects, and writes a good body (200) to the file, hashed on the way. The stated length is
 * compared on the bytes of the wire, before decompression. Answers other than 200 and 304 are failures.
 */
export async function get(request: HttpRequest): Promise<HttpAnswer> {
  const deadline = AbortSignal.timeout(request.timeoutMs)
  const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline
  let { url } = request
  try {
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const response = await send(request, url, signal)
      const target = redirectOf(response, url)
      if (!target) return await receive(request, { response, url, signal })
      response.destroy()
      url = target
    }
  } catch (error) {
    throw failureOf(error, { url, deadline, outer: request.signal, timeoutMs: request.timeoutMs })
  }
  throw fail('http_status', `${nameOf(url)}: more than ${MAX_REDIRECTS} redirects`, {
    mayPass: false,
  })
}

function send(request: HttpRequest, url: URL, signal: AbortSignal): Promise<http.IncomingMessage> {
  const isSameOrigin = url.origin === request.url.origin
  const headers = {
    'user-agent': USER_AGENT,
    accept: '*/*',
    'accept-encoding': 'gzip, deflate, br',
    // The definition's own headers may be credentials: they are not for whoever we are sent on to.
    ...(isSameOrigin ? request.headers : conditional(request.headers)),
  }
  const client = url.protocol === 'https:' ? https : http
  const trusted = request.ca === null ? {} : { ca: [...getCACertificates('default'), request.ca] }
  return new Promise((resolve, reject) => {
    // A connection of its own: one that is closed after the answer cannot leave a wrongly stated length waiting.
    client.get(url, { headers, signal, agent: false, ...trusted }, resolve).on('error', reject)
  })
}

function conditional(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = ['if-none-match', 'if-modified-since', 'accept-encoding']
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => kept.includes(name.toLowerCase())),
  )
}

function redirectOf(response: http.IncomingMessage, url: URL): URL | null {
  const { location } = response.headers
  if (!REDIRECTS.has(response.statusCode ?? 0) || !location) return null
  const target = URL.canParse(location, url.href) ? new URL(location, url) : null
  if (target && /^https?:$/.test(target.protocol)) return target
  response.destroy()
  throw fail('http_status', `${nameOf(url)} redirects to an address that is not http or https`, {
    mayPass: false,
  })
}

interface Arrival {
  response: http.IncomingMessage
  url: URL
  signal: AbortSignal
}

async function receive(
  request: HttpRequest,
  { response, url, signal }: Arrival,
): Promise<HttpAnswer> {
  const status = response.statusCode ?? 0
  const headers = headersOf(response)
  if (status === 304) {
    response.resume()
    return { status, headers, url, sha256: '', bytes: 0 }
  }
  if (status !== 200) {
    response.destroy()
    throw fail('http_status', `${nameOf(url)} answered with status ${status}`, {
      mayPass: status >= 500 || [408, 425, 429].includes(status),
      retryAfter: headers['retry-after'],
    })
  }
  const stated =
    headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
  if (stated !== undefined && stated > request.maxBytes) {
    response.destroy()
    throw tooLarge(url, request.maxBytes)
  }
  const { sha256, bytes } = await save(request, { response, url, signal })
  return { status, headers, url, sha256, bytes }
}

async function save(
  request: HttpRequest,
  { response, url, signal }: Arrival,
): Promise<{ sha256: string; bytes: number }> {
  const stated = response.headers['content-length']
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  const unpack = decompressor(encoding, url)
  const wasCompressed = unpack !== null
  const hash = createHash('sha256')
  let wire = 0
  let bytes = 0
  const onWire = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      wire += chunk.length
      if (wire > request.maxBytes) throw tooLarge(url, request.maxBytes)
      yield chunk
    }
  }
  const unpacked = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > request.maxBytes) throw tooLarge(url, request.maxBytes)
      hash.update(chunk)
      yield chunk
    }
  }
  const out = createWriteStream(request.file)
  try {
    if (unpack) await pipeline(response, onWire, unpack, unpacked, out, { signal })
    else await pipeline(response, onWire, unpacked, out, { signal })
  } catch (error) {
    throw bodyFailure(error, { url, wire, stated, wasCompressed })
  }
  if (stated !== undefined && wire !== Number(stated))
    throw shortBody(url, { wire, stated, wasCompressed })
  return { sha256: hash.digest('hex'), bytes }
}

function decompressor(encoding: string, url: URL): Transform | null {
  if (encoding === '' || encoding === 'identity') return null
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'deflate') return createInflate()
  if (encoding === 'br') return createBrotliDecompress()
  throw fail('unexpected_content', `${nameOf(url)} sent an unknown content encoding, ${encoding}`, {
    mayPass: false,
  })
}

function headersOf(response: http.IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}
