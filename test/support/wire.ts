import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

/** What happens to one request on its way to Elasticsearch. */
export type Fate =
  | 'pass'
  /** the connection breaks before Elasticsearch sees the request */
  | 'drop'
  /** Elasticsearch does it, and the answer is lost */
  | 'lose'
  /** Elasticsearch refuses: too many requests */
  | 'refuse'
  | ItemFaults

/** Of a bulk some items are refused, each with a status of its own; Elasticsearch sees only the others. */
export interface ItemFaults {
  statusOf: (at: number) => number | null
}

export interface Passing {
  method: string
  path: string
  /** how many requests came before this one since the wire was opened */
  index: number
}

export interface Held {
  /** resolves once the request has come and waits */
  reached: Promise<void>
  release(): void
}

/** A wire between the product and a real Elasticsearch that can be cut. Nothing is imitated but the fault. */
export interface Wire {
  url: string
  /** what passed so far, in order */
  passed: Passing[]
  /** decides over every request from now on; one whose fate is a promise is held until it is settled */
  decide(fate: (passing: Passing) => Fate | Promise<Fate>): void
  /** lets everything pass but the first request that `isIt`: that one waits until it is released */
  hold(isIt: (passing: Passing) => boolean): Held
  close(): Promise<void>
}

export async function openWire(target: string): Promise<Wire> {
  const { hostname, port } = new URL(target)
  const passed: Passing[] = []
  let fateOf: (passing: Passing) => Fate | Promise<Fate> = () => 'pass'

  const forward = (incoming: IncomingMessage, answer: ServerResponse, isLost: boolean) => {
    const outgoing = send(
      { hostname, port, method: incoming.method, path: incoming.url, headers: incoming.headers },
      (response) => {
        if (isLost) {
          response.resume()
          response.on('end', () => incoming.socket.destroy())
          return
        }
        answer.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(answer)
      },
    )
    outgoing.on('error', () => incoming.socket.destroy())
    incoming.pipe(outgoing)
  }

  const answerFor = async (incoming: IncomingMessage, answer: ServerResponse) => {
    const passing = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      index: passed.length,
    }
    passed.push(passing)
    const fate = await fateOf(passing)
    if (fate === 'drop') incoming.socket.destroy()
    else if (typeof fate === 'object') await forwardItems(target, { incoming, answer, fate })
    else if (fate === 'refuse') {
      incoming.resume()
      answer.writeHead(429, {
        'content-type': 'application/json',
        'x-elastic-product': 'Elasticsearch',
      })
      answer.end(
        '{"error":{"type":"circuit_breaking_exception","reason":"too many requests"},"status":429}',
      )
    } else forward(incoming, answer, fate === 'lose')
  }
  const server = createServer((incoming, answer) => {
    answerFor(incoming, answer).catch(() => incoming.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: addressLike(target, server.address() as AddressInfo),
    passed,
    decide(fate) {
      fateOf = fate
    },
    hold(isIt) {
      const held = Promise.withResolvers<Fate>()
      const reached = Promise.withResolvers<void>()
      let isWaiting = false
      fateOf = (passing) => {
        if (isWaiting || !isIt(passing)) return 'pass'
        isWaiting = true
        reached.resolve()
        return held.promise
      }
      return { reached: reached.promise, release: () => held.resolve('pass') }
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** This end of the wire, with the credentials that the other end asks for. */
function addressLike(target: string, { port }: AddressInfo): string {
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}

/** The items of a bulk that are not refused go on; their answers come back with the refusals in between. */
async function forwardItems(
  target: string,
  {
    incoming,
    answer,
    fate,
  }: { incoming: IncomingMessage; answer: ServerResponse; fate: ItemFaults },
): Promise<void> {
  const items = itemsOf(await bodyOf(incoming))
  const statuses = items.map((_, at) => fate.statusOf(at))
  const passing = items.filter((_, at) => statuses[at] === null).flat()
  let passed: unknown[] = []
  let hasErrors = true
  if (passing.length > 0) {
    const { authorization } = incoming.headers
    const { origin } = new URL(target)
    const response = await fetch(new URL(incoming.url ?? '', origin), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-ndjson',
        ...(authorization ? { authorization } : {}),
      },
      body: `${passing.join('\n')}\n`,
    })
    const body = (await response.json()) as { errors: boolean; items?: unknown[] }
    // Without errors the product asks for no items: nothing stands for "done".
    passed = body.items ?? []
    hasErrors = statuses.some((status) => status !== null) || body.errors
  }
  const answers = items.map(([action], at) => {
    const [kind, { _id }] = Object.entries(JSON.parse(action as string))[0] as [
      string,
      { _id: string },
    ]
    const status = statuses[at]
    if (status === null) return passed.shift() ?? { [kind]: { _id, status: 200 } }
    const error = { type: 'refused_on_the_way', reason: `item ${at} of this bulk` }
    return { [kind]: { _id, status, error } }
  })
  answer.writeHead(200, {
    'content-type': 'application/vnd.elasticsearch+json;compatible-with=9',
    'x-elastic-product': 'Elasticsearch',
  })
  answer.end(JSON.stringify({ errors: hasErrors, items: answers }))
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  return (incoming.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
}

/** Lines by item: the action and, but for a delete, its document. */
function itemsOf(body: string): string[][] {
  const items: string[][] = []
  const lines = body.split('\n').filter((line) => line !== '')
  for (let at = 0; at < lines.length; at += 1) {
    const action = lines[at] as string
    if (action.startsWith('{"delete"')) items.push([action])
    else {
      at += 1
      items.push([action, lines[at] as string])
    }
  }
  return items
}
