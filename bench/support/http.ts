import { Agent, type IncomingMessage, request } from 'node:http'

/** What is asked, of the API or straight of Elasticsearch. */
export interface Asked {
  path: string
  body?: string
}

/** A plain HTTP client with lasting connections, the same for both sides of every comparison. */
export interface Asker {
  /** reads the answer to its end, without looking into it; seconds */
  seconds(asked: Asked): Promise<number>
  /** the body's bytes are handed to `onChunk` as they come */
  read(
    asked: Asked,
    onChunk: (chunk: Buffer) => void,
    headers?: Record<string, string>,
  ): Promise<IncomingMessage>
  close(): void
}

export function openAsker(base: string, headers: Record<string, string> = {}): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const { hostname, port } = new URL(base)
  const read: Asker['read'] = ({ path, body }, onChunk, more = {}) =>
    new Promise((resolve, reject) => {
      const sent = request({
        agent,
        hostname,
        port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          ...headers,
          ...more,
          ...(body === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
        },
      })
      sent.on('error', reject)
      sent.on('response', (response) => {
        response.on('data', onChunk)
        response.on('error', reject)
        response.on('end', () => resolve(response))
      })
      sent.end(body)
    })
  return {
    read,
    async seconds(asked) {
      const began = performance.now()
      const { statusCode } = await read(asked, () => undefined)
      if (statusCode !== 200) throw new Error(`${asked.path} was answered with ${statusCode}`)
      return (performance.now() - began) / 1000
    },
    close: () => agent.destroy(),
  }
}

/** Requests a second of so many clients that each ask the next thing as soon as they have their answer. */
export async function rateOf(
  asker: Asker,
  next: () => Asked,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<number> {
  const began = performance.now()
  const end = began + seconds * 1000
  let answers = 0
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < end) {
        await asker.seconds(next())
        answers += 1
      }
    }),
  )
  return answers / ((performance.now() - began) / 1000)
}
