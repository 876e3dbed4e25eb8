import { Agent, type IncomingMessage, request } from 'node:http'
import { openWireClient, type WireClient } from './wire-client.ts'

/** What is asked, of the API or straight of Elasticsearch. */
export interface Asked {
  path: string
  body?: string
}

/** Clients with lasting connections, the same for both sides of every comparison. */
export interface Asker {
  /** asks on a connection that nobody uses, and reads the answer to its end without looking into it; seconds */
  seconds(asked: Asked): Promise<number>
  /** with a comfortable client: the body's bytes are handed to `onChunk` as they come */
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
  const clients: WireClient[] = []
  const free: WireClient[] = []
  const open = () => {
    const client = openWireClient(base, headers)
    clients.push(client)
    return client
  }
  return {
    async seconds(asked) {
      const client = free.pop() ?? open()
      const began = performance.now()
      const { status } = await client.ask(asked)
      const seconds = (performance.now() - began) / 1000
      if (status !== 200) throw new Error(`${asked.path} was answered with ${status}`)
      free.push(client)
      return seconds
    },
    read: ({ path }, onChunk, more = {}) =>
      new Promise((resolve, reject) => {
        const sent = request({ agent, hostname, port, path, headers: { ...headers, ...more } })
        sent.on('error', reject)
        sent.on('response', (response) => {
          response.on('data', onChunk)
          response.on('error', reject)
          response.on('end', () => resolve(response))
        })
        sent.end()
      }),
    close() {
      agent.destroy()
      for (const client of clients) client.close()
    },
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
