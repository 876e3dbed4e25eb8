import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** What the stub answers, as the `http.json` of a loader case writes it. */
export interface HttpScript {
  steps: HttpStep[]
}

export interface HttpStep {
  tls?: { cert: string; key: string }
  routes: Route[]
  expect_requests?: ExpectedRequests[]
}

export interface Route {
  match: {
    path: string
    /** parameter → accepted values; null stands for an absent one */
    query?: Record<string, (string | null)[]>
    header?: Record<string, string>
  }
  reply?: Reply
  /** replies used in turn, the last one again and again */
  sequence?: Reply[]
}

export interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: string
  body_file?: string
  /** compresses the body */
  gzip?: boolean
  /** what the header states, if not the true length */
  content_length?: number
  /** closes the connection after so many bytes of the encoded body */
  send_bytes?: number
}

interface ExpectedRequests {
  path: string
  min?: number
  max?: number
  /** parameters that every request carries, requests with a parameter of ignore_query apart */
  each_query?: Record<string, string>
  ignore_query?: string[]
}

export interface SeenRequest {
  path: string
  query: URLSearchParams
  headers: http.IncomingHttpHeaders
}

/** A scripted HTTP and TLS server on free loopback ports. */
export interface Stub {
  readonly url: string
  /** the same server under another host name */
  readonly otherUrl: string
  readonly tlsUrl: string
  /** requests of the current step */
  readonly requests: readonly SeenRequest[]
  /** replaces {stub}, {other} and {stub_tls} */
  fill(text: string): string
  /** from here on, the answers of this step */
  step(index: number): void
  /** what the current step expected of its requests and did not get */
  unmet(): string[]
  close(): Promise<void>
}

/** Starts on the first step. Files named by the script lie in `folder`. */
export async function startStub(script: HttpScript, { folder }: { folder: string }): Promise<Stub> {
  let current = script.steps[0]
  let used = new Map<Route, number>()
  let requests: SeenRequest[] = []
  const sockets = new Set<Socket>()

  const answer = (request: http.IncomingMessage, response: http.ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stub')
    const seen = { path: pathname, query: searchParams, headers: request.headers }
    requests.push(seen)
    const route = current?.routes.find(({ match }) => matches(match, seen))
    const reply = route ? nextReply(route, used) : { status: 404, body: 'no route' }
    send(response, reply, { folder, fill })
  }
  const plain = http.createServer(answer)
  const secure = https.createServer(answer)
  for (const server of [plain, secure]) {
    server.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }
  const port = (plain.address() as AddressInfo).port
  const url = `http://127.0.0.1:${port}`
  const otherUrl = `http://localhost:${port}`
  const tlsUrl = `https://localhost:${(secure.address() as AddressInfo).port}`
  function fill(text: string): string {
    return text
      .replaceAll('{stub}', url)
      .replaceAll('{other}', otherUrl)
      .replaceAll('{stub_tls}', tlsUrl)
  }
  const step = (index: number) => {
    current = script.steps[index]
    if (!current) throw new Error(`the script has no step ${index}`)
    used = new Map()
    requests = []
    if (current.tls) {
      const { cert, key } = current.tls
      secure.setSecureContext({
        cert: readFileSync(join(folder, cert)),
        key: readFileSync(join(folder, key)),
      })
    }
  }
  step(0)

  return {
    url,
    otherUrl,
    tlsUrl,
    get requests() {
      return requests
    },
    fill,
    step,
    unmet: () =>
      (current?.expect_requests ?? []).flatMap((expected) => unmetBy(expected, requests)),
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(
        [plain, secure].map((server) => new Promise((resolve) => server.close(resolve))),
      )
    },
  }
}

function matches({ path, query = {}, header = {} }: Route['match'], seen: SeenRequest): boolean {
  return (
    seen.path === path &&
    Object.entries(query).every(([name, accepted]) => accepted.includes(seen.query.get(name))) &&
    Object.entries(header).every(([name, value]) => seen.headers[name.toLowerCase()] === value)
  )
}

function nextReply(route: Route, used: Map<Route, number>): Reply {
  const replies = route.sequence ?? [route.reply ?? {}]
  const turn = used.get(route) ?? 0
  used.set(route, turn + 1)
  return replies[Math.min(turn, replies.length - 1)] ?? {}
}

function send(
  response: http.ServerResponse,
  reply: Reply,
  { folder, fill }: { folder: string; fill: (text: string) => string },
): void {
  const status = reply.status ?? 200
  const plain = reply.body_file
    ? readFileSync(join(folder, reply.body_file))
    : Buffer.from(fill(reply.body ?? ''))
  const body = reply.gzip ? gzipSync(plain) : plain
  const headers = Object.fromEntries(
    Object.entries(reply.headers ?? {}).map(([name, value]) => [name, fill(value)]),
  )
  if (status === 304 || status === 204) {
    response.writeHead(status, headers)
    response.end()
    return
  }
  const stated = reply.content_length ?? body.length
  response.writeHead(status, {
    ...headers,
    ...(reply.gzip ? { 'content-encoding': 'gzip' } : {}),
    'content-length': stated,
  })
  const sent = body.subarray(0, reply.send_bytes ?? body.length)
  if (sent.length === stated) {
    response.end(sent)
    return
  }
  // Written first and closed after, so that the client sees these bytes and then the end of the connection.
  response.flushHeaders()
  response.write(sent, () => response.socket?.end())
}

function unmetBy(
  {
    path,
    min = 0,
    max = Number.POSITIVE_INFINITY,
    each_query = {},
    ignore_query = [],
  }: ExpectedRequests,
  requests: readonly SeenRequest[],
): string[] {
  const own = requests.filter((request) => request.path === path)
  const unmet: string[] = []
  if (own.length < min || own.length > max)
    unmet.push(`${path}: ${own.length} requests, expected ${min} to ${max}`)
  for (const { query } of own) {
    if (ignore_query.some((name) => query.has(name))) continue
    for (const [name, value] of Object.entries(each_query)) {
      if (query.get(name) !== value)
        unmet.push(`${path}: ${name} is ${query.get(name)}, expected ${value}`)
    }
  }
  return unmet
}
