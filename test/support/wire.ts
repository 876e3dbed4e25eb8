import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to one request on its way to Elasticsearch. */
export type Fate =
  | 'pass'
  /** the connection breaks before Elasticsearch sees the request */
  | 'drop'
  /** Elasticsearch does it, and the answer is lost */
  | 'lose'
  /** Elasticsearch refuses: too many requests */
  | 'refuse'

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

  const server = createServer((incoming, answer) => {
    const passing = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      index: passed.length,
    }
    passed.push(passing)
    const fate = fateOf(passing)
    if (fate === 'drop') incoming.socket.destroy()
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
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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
