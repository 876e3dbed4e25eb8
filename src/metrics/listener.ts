import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import { OperatorError } from '../domain/problem.ts'

export interface MetricsListener {
  url: string
  close(): Promise<void>
}

/** Serves the metrics, and nothing else, on a listener of its own: who may see them is who can reach it. */
export async function listenForScrapes(
  at: { port: number; host: string },
  { register, collect }: { register: Registry; collect: () => Promise<void> },
): Promise<MetricsListener> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response
        .writeHead(404, { 'Content-Type': 'text/plain' })
        .end('Metrics are at GET /metrics.\n')
      return
    }
    collect()
      .then(() => register.metrics())
      .then((text) => response.writeHead(200, { 'Content-Type': register.contentType }).end(text))
      .catch((cause: unknown) => response.destroy(cause as Error))
  })
  const port = await listen(server, at)
  return {
    url: `http://${at.host.includes(':') ? `[${at.host}]` : at.host}:${port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listen(server: Server, { port, host }: { port: number; host: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new OperatorError(`METRICS_PORT ${port}: ${cause.message}.`, cause)),
    )
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}
